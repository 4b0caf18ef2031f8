// RUN: axloom-opt %s --recognize-attention --split-input-file | FileCheck %s
// RUN: axloom-opt %s --recognize-attention --remarks-filter-passed=recognize-attention -o /dev/null 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: axloom-opt %s --recognize-attention --remarks-filter-missed=recognize-attention -o /dev/null 2>&1 | count 0

!q = !axloom.tensor<batch: B, depth: 64, heads: 8, query: T, f32>
!k = !axloom.tensor<batch: B, depth: 64, heads: 8, key: S, f32>
!v = !axloom.tensor<batch: B, heads: 8, key: S, value: 32, f32>
!scores = !axloom.tensor<batch: B, heads: 8, key: S, query: T, f32>
!c = !axloom.tensor<batch: B, heads: 8, query: T, value: 32, f32>
!mask = !axloom.tensor<batch: B, key: S, i1>
!bias = !axloom.tensor<heads: 8, key: S, query: T, f32>
!scalar = !axloom.tensor<f32>
axloom.size @B max 8
axloom.size @S max 64
axloom.size @T max 64

// As the paper writes it: softmax(q k^T / sqrt(d)) v, with the mask of softmax.
// CHECK-LABEL: func.func @plain
func.func @plain(%q: !q, %k: !k, %v: !v, %mask: !mask) -> !c {
  // CHECK-NEXT: %[[Y:.*]], %{{.*}} = axloom.attention %arg0, %arg1, %arg2 mask %arg3 depth "depth" key "key" scale 1.250000e-01
  // CHECK-NEXT: return %[[Y]]
  %size = axloom.size_of <64> : !scalar
  %root = axloom.sqrt %size : !scalar -> !scalar
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %scaled = axloom.div %scores, %root : !scores, !scalar -> !scores
  %weights = axloom.softmax %scaled mask %mask over "key" : !scores, !mask -> !scores
  // DONE: :[[#@LINE+1]]:{{.*}}Remark="attention was made of scores, softmax and their product with values"
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// No scale, no mask, both contractions the other way round.
// CHECK-LABEL: func.func @swapped
func.func @swapped(%q: !q, %k: !k, %v: !v) -> !c {
  // CHECK-NEXT: axloom.attention %arg0, %arg1, %arg2 depth "depth" key "key" scale 1.000000e+00
  %scores = axloom.contract %k, %q over ["depth"] : !k, !q -> !scores
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %v, %weights over ["key"] : !v, !scores -> !c
  return %y : !c
}

// Scales of q, of k and of the scores multiply: 2 * 0.5 / 4.
// CHECK-LABEL: func.func @scales
func.func @scales(%q: !q, %k: !k, %v: !v) -> !c {
  // CHECK-NEXT: axloom.attention %arg0, %arg1, %arg2 depth "depth" key "key" scale 2.500000e-01
  %two = axloom.constant 2.0 : f32 : !scalar
  %half = axloom.constant 0.5 : f32 : !scalar
  %four = axloom.constant 4.0 : f32 : !scalar
  %q2 = axloom.mul %two, %q : !scalar, !q -> !q
  %k2 = axloom.mul %k, %half : !k, !scalar -> !k
  %scores = axloom.contract %q2, %k2 over ["depth"] : !q, !k -> !scores
  %scaled = axloom.div %scores, %four : !scores, !scalar -> !scores
  %weights = axloom.softmax %scaled over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// A scale that is not a number yet is applied to q.
// CHECK-LABEL: func.func @symbolicScale
func.func @symbolicScale(%q: !q, %k: !k, %v: !v, %scale: !scalar) -> !c {
  // CHECK-NEXT: %[[Q:.*]] = axloom.div %arg0, %arg3
  // CHECK-NEXT: axloom.attention %[[Q]], %arg1, %arg2 depth
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %scaled = axloom.div %scores, %scale : !scores, !scalar -> !scores
  %weights = axloom.softmax %scaled over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// Dropout as a factor, of which a scalar part stands outside; two masks; a bias that is scaled with the scores.
// CHECK-LABEL: func.func @everything
func.func @everything(%q: !q, %k: !k, %v: !v, %mask: !mask, %hidden: !mask, %bias: !bias, %keep: !scores) -> !c {
  // CHECK-DAG: %[[EIGHTH:.*]] = axloom.constant 1.250000e-01
  // CHECK-DAG: %[[BIAS:.*]] = axloom.mul %arg5, %[[EIGHTH]]
  // CHECK-DAG: %[[SHOWN:.*]] = axloom.not %arg4
  // CHECK-DAG: %[[MASK:.*]] = axloom.and %arg3, %[[SHOWN]]
  // CHECK-DAG: %[[TWO:.*]] = axloom.constant 2.0
  // CHECK-DAG: %[[KEEP:.*]] = axloom.mul %arg6, %[[TWO]]
  // CHECK: axloom.attention %arg0, %arg1, %arg2 bias %[[BIAS]] mask %[[MASK]] keep %[[KEEP]] depth "depth" key "key" scale 1.250000e-01
  %eighth = axloom.constant 0.125 : f32 : !scalar
  %half = axloom.constant 0.5 : f32 : !scalar
  %low = axloom.constant -1.0e9 : f32 : !scalar
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %biased = axloom.add %bias, %scores : !bias, !scores -> !scores
  %scaled = axloom.mul %eighth, %biased : !scalar, !scores -> !scores
  %visible = axloom.select %hidden, %low, %scaled : !mask, !scalar, !scores -> !scores
  %weights = axloom.softmax %visible mask %mask over "key" : !scores, !mask -> !scores
  %dropped = axloom.mul %keep, %weights : !scores, !scores -> !scores
  %kept = axloom.div %dropped, %half : !scores, !scalar -> !scores
  %y = axloom.contract %kept, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// Masks that are added: from a select, and from a mask made a number.
// CHECK-LABEL: func.func @additive
func.func @additive(%q: !q, %k: !k, %v: !v, %mask: !mask, %other: !mask) -> !c {
  // CHECK-NEXT: %[[MASK:.*]] = axloom.and %arg4, %arg3
  // CHECK-NEXT: axloom.attention %arg0, %arg1, %arg2 mask %[[MASK]] depth
  %zero = axloom.constant 0.0 : f32 : !scalar
  %one = axloom.constant 1.0 : f32 : !scalar
  %low = axloom.constant -1.0e9 : f32 : !scalar
  %first = axloom.select %mask, %zero, %low : !mask, !scalar, !scalar -> !axloom.tensor<batch: B, key: S, f32>
  %number = axloom.cast %other to f32 : !mask -> !axloom.tensor<batch: B, key: S, f32>
  %inverse = axloom.sub %one, %number : !scalar, !axloom.tensor<batch: B, key: S, f32> -> !axloom.tensor<batch: B, key: S, f32>
  %second = axloom.mul %inverse, %low : !axloom.tensor<batch: B, key: S, f32>, !scalar -> !axloom.tensor<batch: B, key: S, f32>
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %masked = axloom.add %first, %scores : !axloom.tensor<batch: B, key: S, f32>, !scores -> !scores
  %masked2 = axloom.add %masked, %second : !scores, !axloom.tensor<batch: B, key: S, f32> -> !scores
  %weights = axloom.softmax %masked2 over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// Dropout as a select.
// CHECK-LABEL: func.func @selectedKeep
func.func @selectedKeep(%q: !q, %k: !k, %v: !v, %keep: !mask) -> !c {
  // CHECK: %[[KEEP:.*]] = axloom.select %arg3
  // CHECK: axloom.attention %arg0, %arg1, %arg2 keep %[[KEEP]] depth
  %zero = axloom.constant 0.0 : f32 : !scalar
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %kept = axloom.select %keep, %weights, %zero : !mask, !scores, !scalar -> !scores
  %y = axloom.contract %kept, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// A select between a bias and a large negative number is both, a bias and a mask.
// CHECK-LABEL: func.func @biasOrHidden
func.func @biasOrHidden(%q: !q, %k: !k, %v: !v, %bias: !bias, %mask: !mask) -> !c {
  // CHECK-NEXT: axloom.attention %arg0, %arg1, %arg2 bias %arg3 mask %arg4 depth "depth" key "key"
  %low = axloom.constant -1.0e9 : f32 : !scalar
  %added = axloom.select %mask, %bias, %low : !mask, !bias, !scalar -> !scores
  %product = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %scores = axloom.add %product, %added : !scores, !scores -> !scores
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// A bias may be a product itself, and stand on either side of that of queries and keys.
!relative = !axloom.tensor<depth: 64, key: S, query: T, f32>
// CHECK-LABEL: func.func @relative
func.func @relative(%q: !q, %k: !k, %v: !v, %r: !relative) -> !c {
  // CHECK-NEXT: %[[BIAS:.*]] = axloom.contract %arg0, %arg3 over ["depth"]
  // CHECK: axloom.attention %arg0, %arg1, %arg2 bias %[[BIAS]] depth "depth" key "key"
  %bias = axloom.contract %q, %r over ["depth"] : !q, !relative -> !scores
  %product = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %scores = axloom.add %bias, %product : !scores, !scores -> !scores
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// Heads that share their keys and values (multi-query attention): repeated for them.
// CHECK-LABEL: func.func @sharedKeys
func.func @sharedKeys(%q: !q, %k: !axloom.tensor<batch: B, depth: 64, key: S, f32>, %v: !axloom.tensor<batch: B, key: S, value: 32, f32>) -> !c {
  // CHECK-NEXT: %[[K:.*]] = axloom.broadcast %arg1 to !axloom.tensor<batch: B, depth: 64, heads: 8, key: S, f32>
  // CHECK-NEXT: %[[V:.*]] = axloom.broadcast %arg2 to !axloom.tensor<batch: B, heads: 8, key: S, value: 32, f32>
  // CHECK-NEXT: axloom.attention %arg0, %[[K]], %[[V]] depth "depth" key "key"
  %scores = axloom.contract %q, %k over ["depth"] : !q, !axloom.tensor<batch: B, depth: 64, key: S, f32> -> !scores
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !axloom.tensor<batch: B, key: S, value: 32, f32> -> !c
  return %y : !c
}

// Heads in groups: the mask tells that `member`, which is as long as `query`, counts no queries.
!groupedQ = !axloom.tensor<depth: 64, heads: 2, member: 4, query: 4, f32>
!groupedK = !axloom.tensor<depth: 64, heads: 2, key: S, f32>
!groupedV = !axloom.tensor<heads: 2, key: S, value: 32, f32>
!grouped = !axloom.tensor<heads: 2, key: S, member: 4, query: 4, f32>
// CHECK-LABEL: func.func @groups
func.func @groups(%q: !groupedQ, %k: !groupedK, %v: !groupedV, %mask: !axloom.tensor<key: S, query: 4, i1>) -> !axloom.tensor<heads: 2, member: 4, query: 4, value: 32, f32> {
  // CHECK-NEXT: axloom.broadcast %arg1 to !axloom.tensor<depth: 64, heads: 2, key: S, member: 4, f32>
  // CHECK-NEXT: axloom.broadcast %arg2 to !axloom.tensor<heads: 2, key: S, member: 4, value: 32, f32>
  // CHECK-NEXT: axloom.attention
  %scores = axloom.contract %q, %k over ["depth"] : !groupedQ, !groupedK -> !grouped
  %weights = axloom.softmax %scores mask %mask over "key" : !grouped, !axloom.tensor<key: S, query: 4, i1> -> !grouped
  %y = axloom.contract %weights, %v over ["key"] : !grouped, !groupedV -> !axloom.tensor<heads: 2, member: 4, query: 4, value: 32, f32>
  return %y : !axloom.tensor<heads: 2, member: 4, query: 4, value: 32, f32>
}

// A few heads of a group are a query each where no axis counts queries.
!singleQ = !axloom.tensor<depth: 64, heads: 2, member: 4, f32>
!single = !axloom.tensor<heads: 2, key: S, member: 4, f32>
// CHECK-LABEL: func.func @queriesOfAGroup
func.func @queriesOfAGroup(%q: !singleQ, %k: !groupedK, %v: !groupedV, %mask: !axloom.tensor<key: S, i1>) -> !axloom.tensor<heads: 2, member: 4, value: 32, f32> {
  // CHECK-NEXT: axloom.broadcast %arg1 to !axloom.tensor<depth: 64, heads: 2, key: S, member: 4, f32>
  // CHECK-NEXT: axloom.broadcast %arg2 to !axloom.tensor<heads: 2, key: S, member: 4, value: 32, f32>
  // CHECK-NEXT: axloom.attention
  %scores = axloom.contract %q, %k over ["depth"] : !singleQ, !groupedK -> !single
  %weights = axloom.softmax %scores mask %mask over "key" : !single, !axloom.tensor<key: S, i1> -> !single
  %y = axloom.contract %weights, %v over ["key"] : !single, !groupedV -> !axloom.tensor<heads: 2, member: 4, value: 32, f32>
  return %y : !axloom.tensor<heads: 2, member: 4, value: 32, f32>
}

// They take no loop of queries.
!deepQ = !axloom.tensor<batch: B, beam: 2, depth: 64, heads: 2, member: 3, f32>
!deepK = !axloom.tensor<batch: B, beam: 2, depth: 64, heads: 2, key: S, f32>
!deepV = !axloom.tensor<batch: B, beam: 2, heads: 2, key: S, value: 32, f32>
!deep = !axloom.tensor<batch: B, beam: 2, heads: 2, key: S, member: 3, f32>
!deepY = !axloom.tensor<batch: B, beam: 2, heads: 2, member: 3, value: 32, f32>
// CHECK-LABEL: func.func @queriesOfAGroupInLoops
func.func @queriesOfAGroupInLoops(%q: !deepQ, %k: !deepK, %v: !deepV) -> !deepY {
  // CHECK-NEXT: axloom.broadcast
  // CHECK-NEXT: axloom.broadcast
  // CHECK-NEXT: axloom.attention
  %scores = axloom.contract %q, %k over ["depth"] : !deepQ, !deepK -> !deep
  %weights = axloom.softmax %scores over "key" : !deep -> !deep
  %y = axloom.contract %weights, %v over ["key"] : !deep, !deepV -> !deepY
  return %y : !deepY
}

// More of them, or those that a bias knows, are the queries.
!manyQ = !axloom.tensor<depth: 64, heads: 2, member: 5, f32>
!many = !axloom.tensor<heads: 2, key: S, member: 5, f32>
// CHECK-LABEL: func.func @manyQueriesOfAGroup
func.func @manyQueriesOfAGroup(%q: !manyQ, %k: !groupedK, %v: !groupedV) -> !axloom.tensor<heads: 2, member: 5, value: 32, f32> {
  // CHECK-NEXT: axloom.attention
  %scores = axloom.contract %q, %k over ["depth"] : !manyQ, !groupedK -> !many
  %weights = axloom.softmax %scores over "key" : !many -> !many
  %y = axloom.contract %weights, %v over ["key"] : !many, !groupedV -> !axloom.tensor<heads: 2, member: 5, value: 32, f32>
  return %y : !axloom.tensor<heads: 2, member: 5, value: 32, f32>
}
// CHECK-LABEL: func.func @biasOfAGroup
func.func @biasOfAGroup(%q: !singleQ, %k: !groupedK, %v: !groupedV, %bias: !axloom.tensor<key: S, member: 4, f32>) -> !axloom.tensor<heads: 2, member: 4, value: 32, f32> {
  // CHECK-NEXT: axloom.attention
  %product = axloom.contract %q, %k over ["depth"] : !singleQ, !groupedK -> !single
  %scores = axloom.add %product, %bias : !single, !axloom.tensor<key: S, member: 4, f32> -> !single
  %weights = axloom.softmax %scores over "key" : !single -> !single
  %y = axloom.contract %weights, %v over ["key"] : !single, !groupedV -> !axloom.tensor<heads: 2, member: 4, value: 32, f32>
  return %y : !axloom.tensor<heads: 2, member: 4, value: 32, f32>
}

// An axis whose size is a symbol counts queries, also where only a bias knows `member`.
!openQ = !axloom.tensor<depth: 64, heads: 2, member: 4, query: T, f32>
!open = !axloom.tensor<heads: 2, key: S, member: 4, query: T, f32>
// CHECK-LABEL: func.func @openQueries
func.func @openQueries(%q: !openQ, %k: !groupedK, %v: !groupedV, %bias: !axloom.tensor<key: S, member: 4, f32>) -> !axloom.tensor<heads: 2, member: 4, query: T, value: 32, f32> {
  // CHECK-NEXT: axloom.broadcast %arg1 to !axloom.tensor<depth: 64, heads: 2, key: S, member: 4, f32>
  // CHECK-NEXT: axloom.broadcast %arg2 to !axloom.tensor<heads: 2, key: S, member: 4, value: 32, f32>
  // CHECK-NEXT: axloom.attention
  %product = axloom.contract %q, %k over ["depth"] : !openQ, !groupedK -> !open
  %scores = axloom.add %product, %bias : !open, !axloom.tensor<key: S, member: 4, f32> -> !open
  %weights = axloom.softmax %scores over "key" : !open -> !open
  %y = axloom.contract %weights, %v over ["key"] : !open, !groupedV -> !axloom.tensor<heads: 2, member: 4, query: T, value: 32, f32>
  return %y : !axloom.tensor<heads: 2, member: 4, query: T, value: 32, f32>
}

// Learned queries, the same for each entry of the batch: repeated for it.
// CHECK-LABEL: func.func @sharedQueries
func.func @sharedQueries(%q: !axloom.tensor<depth: 64, heads: 8, query: T, f32>, %k: !k, %v: !v) -> !c {
  // CHECK-NEXT: %[[Q:.*]] = axloom.broadcast %arg0 to !axloom.tensor<batch: B, depth: 64, heads: 8, query: T, f32>
  // CHECK-NEXT: axloom.attention %[[Q]], %arg1, %arg2 depth "depth" key "key"
  %scores = axloom.contract %q, %k over ["depth"] : !axloom.tensor<depth: 64, heads: 8, query: T, f32>, !k -> !scores
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  return %y : !c
}

// One query, as a decoder's step has it.
// CHECK-LABEL: func.func @oneQuery
func.func @oneQuery(%q: !axloom.tensor<batch: B, depth: 64, heads: 8, f32>, %k: !k, %v: !v, %mask: !mask) -> !axloom.tensor<batch: B, heads: 8, value: 32, f32> {
  // CHECK-NEXT: axloom.attention %arg0, %arg1, %arg2 mask %arg3 depth "depth" key "key"
  %scores = axloom.contract %q, %k over ["depth"] : !axloom.tensor<batch: B, depth: 64, heads: 8, f32>, !k -> !axloom.tensor<batch: B, heads: 8, key: S, f32>
  %weights = axloom.softmax %scores mask %mask over "key" : !axloom.tensor<batch: B, heads: 8, key: S, f32>, !mask -> !axloom.tensor<batch: B, heads: 8, key: S, f32>
  %y = axloom.contract %weights, %v over ["key"] : !axloom.tensor<batch: B, heads: 8, key: S, f32>, !v -> !axloom.tensor<batch: B, heads: 8, value: 32, f32>
  return %y : !axloom.tensor<batch: B, heads: 8, value: 32, f32>
}

// The value axis may have the name of the contracted one, and need not have its size.
// CHECK-LABEL: func.func @depthTwice
func.func @depthTwice(%q: !q, %k: !k, %v: !k) -> !q {
  // CHECK-NEXT: axloom.attention %arg0, %arg1, %arg2 depth "depth" key "key"
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !k -> !q
  return %y : !q
}

// Two gradients, neither of which is one of the other.
// CHECK-LABEL: func.func @twoGradients
// CHECK: axloom.attention
func.func @twoGradients(%q: !q, %k: !k, %v: !v) -> (!q, !k) {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  %loss = axloom.reduce "sum" %y over ["batch", "heads", "query", "value"] : !c -> !scalar
  %dq = axloom.gradient %loss wrt(%q) : !scalar, !q -> !q
  %dk = axloom.gradient %loss wrt(%k) : !scalar, !k -> !k
  return %dq, %dk : !q, !k
}

// A mask of numbers that a gradient is asked for is a bias, whether a select makes it or products.
// CHECK-LABEL: func.func @gradientOfMasks
func.func @gradientOfMasks(%q: !q, %k: !k, %v: !v, %mask: !mask) -> (!axloom.tensor<batch: B, key: S, f32>, !axloom.tensor<batch: B, key: S, f32>) {
  %zero = axloom.constant 0.0 : f32 : !scalar
  %low = axloom.constant -2.0e4 : f32 : !scalar
  %selected = axloom.select %mask, %zero, %low : !mask, !scalar, !scalar -> !axloom.tensor<batch: B, key: S, f32>
  %number = axloom.cast %mask to f32 : !mask -> !axloom.tensor<batch: B, key: S, f32>
  %one = axloom.constant 1.0 : f32 : !scalar
  %inverse = axloom.sub %one, %number : !scalar, !axloom.tensor<batch: B, key: S, f32> -> !axloom.tensor<batch: B, key: S, f32>
  %product = axloom.mul %inverse, %low : !axloom.tensor<batch: B, key: S, f32>, !scalar -> !axloom.tensor<batch: B, key: S, f32>
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %small = axloom.constant 0.015625 : f32 : !scalar
  %scaled = axloom.mul %scores, %small : !scores, !scalar -> !scores
  %once = axloom.add %scaled, %selected : !scores, !axloom.tensor<batch: B, key: S, f32> -> !scores
  %twice = axloom.add %once, %product : !scores, !axloom.tensor<batch: B, key: S, f32> -> !scores
  %weights = axloom.softmax %twice over "key" : !scores -> !scores
  // CHECK: axloom.attention %arg0, %arg1, %arg2 bias %{{.*}} depth
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  %loss = axloom.reduce "sum" %y over ["batch", "heads", "query", "value"] : !c -> !scalar
  %a, %b = axloom.gradient %loss wrt(%selected, %number) : !scalar, !axloom.tensor<batch: B, key: S, f32>, !axloom.tensor<batch: B, key: S, f32> -> !axloom.tensor<batch: B, key: S, f32>, !axloom.tensor<batch: B, key: S, f32>
  return %a, %b : !axloom.tensor<batch: B, key: S, f32>, !axloom.tensor<batch: B, key: S, f32>
}

// What a gradient is asked for of stays on the way to the loss: factors of queries, and numbers.
// CHECK-LABEL: func.func @gradientOfFactors
func.func @gradientOfFactors(%q: !q, %k: !k, %v: !v) -> (!q, !scalar) {
  // CHECK: %[[HALF:.*]] = axloom.constant 5.0{{.*}}e-01
  // CHECK: %[[Q:.*]] = axloom.mul %arg0
  // CHECK: %[[TIMES:.*]] = axloom.mul %[[Q]], %[[HALF]]
  // CHECK: axloom.attention %[[TIMES]], %arg1, %arg2 depth "depth" key "key" scale 1.000000e+00
  %two = axloom.constant 2.0 : f32 : !scalar
  %half = axloom.constant 0.5 : f32 : !scalar
  %q2 = axloom.mul %q, %two : !q, !scalar -> !q
  %scores = axloom.contract %q2, %k over ["depth"] : !q, !k -> !scores
  %scaled = axloom.mul %scores, %half : !scores, !scalar -> !scores
  %weights = axloom.softmax %scaled over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !v -> !c
  %loss = axloom.reduce "sum" %y over ["batch", "heads", "query", "value"] : !c -> !scalar
  %dq, %dhalf = axloom.gradient %loss wrt(%q2, %half) : !scalar, !q, !scalar -> !q, !scalar
  return %dq, %dhalf : !q, !scalar
}
