// Why a softmax stays one, in the words that users read: each reason once.
// RUN: axloom-opt %s --recognize-attention | FileCheck %s --check-prefix=NONE
// RUN: axloom-opt %s --recognize-attention --remarks-filter-missed=recognize-attention -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=Missed
// NONE-NOT: axloom.attention

!q = !axloom.tensor<batch: B, depth: 64, heads: 8, query: T, f32>
!k = !axloom.tensor<batch: B, depth: 64, heads: 8, key: S, f32>
!v = !axloom.tensor<batch: B, heads: 8, key: S, value: 32, f32>
!scores = !axloom.tensor<batch: B, heads: 8, key: S, query: T, f32>
!c = !axloom.tensor<batch: B, heads: 8, query: T, value: 32, f32>
!mask = !axloom.tensor<batch: B, key: S, i1>
!scalar = !axloom.tensor<f32>
axloom.size @B max 8
axloom.size @S max 64
axloom.size @T max 64

// Not attention: the weights are wanted too.
func.func @weightsUsed(%q: !q, %k: !k, %v: !v) -> (!c, !scores) {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: its weights are used more than once: recognize-attention-why.mlir:[[#@LINE+2]] and what the function returns"
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y, %weights : !c, !scores
}

// Not attention: normalized over the queries.
func.func @otherAxis(%q: !q, %k: !k, %v: !v) -> !c {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: its weights are contracted over 'key', not over its own axis 'query'"
  %weights = axloom.softmax %scores over "query" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// Not attention: a mask of scores that is not large.
func.func @smallNumber(%q: !q, %k: !k, %v: !v, %mask: !mask) -> !c {
  %low = axloom.constant -1.0 : f32 : !scalar
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %masked = axloom.select %mask, %scores, %low : !mask, !scores, !scalar -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: select of recognize-attention-why.mlir:[[#@LINE-1]] hides scores with no number of -10000 or less"
  %weights = axloom.softmax %masked over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// Not attention: double precision, which kernels of attention do not have.
func.func @double(%q: !axloom.tensor<depth: 64, query: T, f64>, %k: !axloom.tensor<depth: 64, key: S, f64>, %v: !axloom.tensor<key: S, value: 32, f64>) -> !axloom.tensor<query: T, value: 32, f64> {
  %scores = axloom.contract %q, %k over ["depth"] : <depth: 64, query: T, f64>, <depth: 64, key: S, f64> -> <key: S, query: T, f64>
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: its scores are f64, expected f32 or bf16"
  %weights = axloom.softmax %scores over "key" : <key: S, query: T, f64> -> <key: S, query: T, f64>
  %y = axloom.contract %weights, %v over ["key"] : <key: S, query: T, f64>, <key: S, value: 32, f64> -> <query: T, value: 32, f64>
  return %y : !axloom.tensor<query: T, value: 32, f64>
}

// Not attention: keys that are the same for the whole batch would be repeated for each entry or for
// each query.
!prototypes = !axloom.tensor<depth: 64, key: 16, f32>
!similarities = !axloom.tensor<batch: B, key: 16, query: T, f32>
func.func @prototypes(%q: !axloom.tensor<batch: B, depth: 64, query: T, f32>, %k: !prototypes, %v: !axloom.tensor<key: 16, value: 32, f32>) -> !axloom.tensor<batch: B, query: T, value: 32, f32> {
  %scores = axloom.contract %q, %k over ["depth"] : !axloom.tensor<batch: B, depth: 64, query: T, f32>, !prototypes -> !similarities
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: its queries have several axes that its keys lack, of which 'query' has no fixed size"
  %weights = axloom.softmax %scores over "key" : !similarities -> !similarities
  %y = axloom.contract %weights, %v over ["key"] : !similarities, !axloom.tensor<key: 16, value: 32, f32> -> !axloom.tensor<batch: B, query: T, value: 32, f32>
  return %y : !axloom.tensor<batch: B, query: T, value: 32, f32>
}

// Not attention: its gradient would have no kernel of its own.
func.func @gradientOfOneQuery(%q: !axloom.tensor<depth: 64, heads: 8, f32>, %k: !k, %v: !v) -> !axloom.tensor<depth: 64, heads: 8, f32> {
  %scores = axloom.contract %q, %k over ["depth"] : !axloom.tensor<depth: 64, heads: 8, f32>, !k -> !axloom.tensor<batch: B, heads: 8, key: S, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: it has one query, in a function with gradients"
  %weights = axloom.softmax %scores over "key" : !axloom.tensor<batch: B, heads: 8, key: S, f32> -> !axloom.tensor<batch: B, heads: 8, key: S, f32>
  %y = axloom.contract %weights, %v over ["key"] : !axloom.tensor<batch: B, heads: 8, key: S, f32>, !v -> !axloom.tensor<batch: B, heads: 8, value: 32, f32>
  %loss = axloom.reduce "sum" %y over ["batch", "heads", "value"] : !axloom.tensor<batch: B, heads: 8, value: 32, f32> -> !scalar
  %dq = axloom.gradient %loss wrt(%q) : !scalar, !axloom.tensor<depth: 64, heads: 8, f32> -> !axloom.tensor<depth: 64, heads: 8, f32>
  return %dq : !axloom.tensor<depth: 64, heads: 8, f32>
}

// Not attention: the scores are wanted too.
func.func @scoresUsed(%q: !q, %k: !k, %v: !v) -> (!c, !scores) {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: its scores are used more than once: recognize-attention-why.mlir:[[#@LINE+1]] and what the function returns"
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y, %scores : !c, !scores
}

// Not attention: weights for no values, scores of no product, a product over two axes.
func.func @noValues(%scores: !scores) -> !scores {
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: no contraction over 'key' alone takes its weights, through dropout at most"
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  return %weights : !scores
}

func.func @noProduct(%raw: !scores, %v: !v) -> !c {
  %scores = axloom.exp %raw : !scores -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: its scores come of exp of recognize-attention-why.mlir:[[#@LINE-1]], not of a product of queries and keys through scales, masks and biases"
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

func.func @twoDepths(%q: !axloom.tensor<batch: B, depth: 8, half: 8, heads: 8, query: T, f32>, %k: !axloom.tensor<batch: B, depth: 8, half: 8, heads: 8, key: S, f32>, %v: !v) -> !c {
  %scores = axloom.contract %q, %k over ["depth", "half"] : !axloom.tensor<batch: B, depth: 8, half: 8, heads: 8, query: T, f32>, !axloom.tensor<batch: B, depth: 8, half: 8, heads: 8, key: S, f32> -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: contract of recognize-attention-why.mlir:[[#@LINE-1]], its scores, sums over 2 axes, expected one"
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// Not attention: axes that do not fit.
func.func @keysTwice(%k: !k, %v: !v) -> !axloom.tensor<batch: B, heads: 8, value: 32, f32> {
  %scores = axloom.contract %k, %k over ["depth"] : !k, !k -> !axloom.tensor<batch: B, heads: 8, key: S, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: both factors of its scores have axis 'key', expected queries without it"
  %weights = axloom.softmax %scores over "key" : !axloom.tensor<batch: B, heads: 8, key: S, f32> -> !axloom.tensor<batch: B, heads: 8, key: S, f32>
  %y = axloom.contract %weights, %v over ["key"] : !axloom.tensor<batch: B, heads: 8, key: S, f32>, !v -> !axloom.tensor<batch: B, heads: 8, value: 32, f32>
  return %y : !axloom.tensor<batch: B, heads: 8, value: 32, f32>
}

func.func @wideBias(%q: !q, %k: !k, %v: !v, %bias: !axloom.tensor<other: 3, f32>) -> !axloom.tensor<batch: B, heads: 8, other: 3, query: T, value: 32, f32> {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %biased = axloom.add %scores, %bias : !scores, !axloom.tensor<other: 3, f32> -> !axloom.tensor<batch: B, heads: 8, key: S, other: 3, query: T, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: a mask, a bias or dropout brings in an axis that its scores lack"
  %weights = axloom.softmax %biased over "key" : !axloom.tensor<batch: B, heads: 8, key: S, other: 3, query: T, f32> -> !axloom.tensor<batch: B, heads: 8, key: S, other: 3, query: T, f32>
  %y = axloom.contract %weights, %v over ["key"] : !axloom.tensor<batch: B, heads: 8, key: S, other: 3, query: T, f32>, !v -> !axloom.tensor<batch: B, heads: 8, other: 3, query: T, value: 32, f32>
  return %y : !axloom.tensor<batch: B, heads: 8, other: 3, query: T, value: 32, f32>
}

!crowdedQ = !axloom.tensor<batch: B, depth: 64, heads: 8, kind: 2, member: 4, query: T, f32>
!crowdedK = !axloom.tensor<batch: B, depth: 64, heads: 8, key: S, kind: 2, f32>
!crowded = !axloom.tensor<batch: B, heads: 8, key: S, kind: 2, member: 4, query: T, f32>
func.func @groups(%q: !crowdedQ, %k: !crowdedK) -> !crowdedQ {
  %scores = axloom.contract %q, %k over ["depth"] : !crowdedQ, !crowdedK -> !crowded
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: its heads are in groups along more axes than a kernel has loops"
  %weights = axloom.softmax %scores over "key" : !crowded -> !crowded
  %y = axloom.contract %weights, %k over ["key"] : !crowded, !crowdedK -> !crowdedQ
  return %y : !crowdedQ
}

func.func @sharedValues(%q: !q, %k: !k, %v: !axloom.tensor<batch: B, key: S, value: 32, f32>) -> !c {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: its keys have axes that its values lack"
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !axloom.tensor<batch: B, key: S, value: 32, f32> -> !c
  return %y : !c
}

func.func @noValueAxis(%q: !q, %k: !k, %v: !axloom.tensor<batch: B, heads: 8, key: S, f32>) -> !axloom.tensor<batch: B, heads: 8, query: T, f32> {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: its values have 0 axes that its keys lack, expected one"
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !axloom.tensor<batch: B, heads: 8, key: S, f32> -> !axloom.tensor<batch: B, heads: 8, query: T, f32>
  return %y : !axloom.tensor<batch: B, heads: 8, query: T, f32>
}

func.func @queryValues(%q: !q, %k: !k, %v: !scores) -> !axloom.tensor<batch: B, heads: 8, query: T, f32> {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: axis 'query' of its values is one of its scores too"
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !scores -> !axloom.tensor<batch: B, heads: 8, query: T, f32>
  return %y : !axloom.tensor<batch: B, heads: 8, query: T, f32>
}

// A gradient of a gradient differentiates the adjoint, which is plain ops then.
func.func @penalty(%q: !q, %k: !k, %v: !v) -> !q {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  // CHECK: :[[#@LINE+1]]:{{.*}}Remark="softmax is no attention: gradient of recognize-attention-why.mlir:[[#@LINE+7]] is one of a gradient, and fused ops have no second derivative"
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  %loss = axloom.reduce "sum" %y over ["batch", "heads", "query", "value"] : !c -> !scalar
  %dk = axloom.gradient %loss wrt(%k) : !scalar, !k -> !k
  %squares = axloom.mul %dk, %dk : !k, !k -> !k
  %norm = axloom.reduce "sum" %squares over ["batch", "depth", "heads", "key"] : !k -> !scalar
  %dq = axloom.gradient %norm wrt(%q) : !scalar, !q -> !q
  return %dq : !q
}
