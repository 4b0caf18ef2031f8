// RUN: axloom-opt %s --narrow-results | FileCheck %s
// RUN: axloom-opt %s --narrow-results --remarks-filter=narrow-results 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: axloom-opt %s --axloom-pipeline="bf16 disable=narrow-results" | FileCheck %s --check-prefix=OFF
// OFF-NOT: axloom.cast

axloom.size @B max 64
axloom.size @L max 512

!x = !axloom.tensor<batch: B, model: 8, f32>
!w = !axloom.tensor<hidden: 16, model: 8, f32>
!y = !axloom.tensor<batch: B, hidden: 16, f32>
!dw = !axloom.tensor<hidden: 16, model: 8, f32>
!bias = !axloom.tensor<hidden: 16, f32>
!head = !axloom.tensor<depth: 4, model: 8, f32>
!heads = !axloom.tensor<batch: B, heads: 4, model: 8, f32>

// All that read the hidden activations multiply them, sum them up or compare them with 0.
// CHECK-LABEL: func.func @factors(
// CHECK: %[[H:.*]] = axloom.kernel "contraction"(%arg0, %arg1) {{.*}} -> !axloom.tensor<batch: B, hidden: 16, bf16>
// CHECK: %[[SUM:.*]] = axloom.contract
// CHECK-NEXT: %[[ROUNDED:.*]] = axloom.cast %[[SUM]] to bf16
// CHECK-NEXT: axloom.yield %[[ROUNDED]]
// CHECK: axloom.kernel "contraction"(%[[H]], %arg1)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: !axloom.tensor<batch: B, hidden: 16, bf16>,
// CHECK-NEXT: %[[WIDE:.*]] = axloom.cast %[[IN]] to f32
// CHECK-NEXT: axloom.contract %[[WIDE]],
// CHECK: axloom.kernel "reduction"(%[[H]])
// CHECK: axloom.kernel "pointwise"(%[[H]])
// WHY: 1 of its results lie in bf16, to which what reads them rounds
func.func @factors(%x: !x, %w: !w) -> (!x, !bias, !y) {
  %h = axloom.kernel "contraction"(%x, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] {factors = bf16} : !x, !w -> !y
    axloom.yield %0 : !y
  }
  %z = axloom.kernel "contraction"(%h, %w) : (!y, !w) -> !x {
  ^bb0(%a: !y, %b: !w):
    %0 = axloom.contract %a, %b over ["hidden"] {factors = bf16} : !y, !w -> !x
    axloom.yield %0 : !x
  }
  %sum = axloom.kernel "reduction"(%h) : (!y) -> !bias {
  ^bb0(%a: !y):
    %0 = axloom.reduce "sum" %a over ["batch"] : !y -> !bias
    axloom.yield %0 : !bias
  }
  %sign = axloom.kernel "pointwise"(%h) : (!y) -> !y {
  ^bb0(%a: !y):
    %zero = axloom.constant 0.0 : f32 : !axloom.tensor<f32>
    %one = axloom.constant 1.0 : f32 : !axloom.tensor<f32>
    %0 = axloom.compare "ne" %a, %zero : !y, !axloom.tensor<f32> -> !axloom.tensor<batch: B, hidden: 16, i1>
    %1 = axloom.select %0, %one, %zero : !axloom.tensor<batch: B, hidden: 16, i1>, !axloom.tensor<f32>, !axloom.tensor<f32> -> !y
    axloom.yield %1 : !y
  }
  return %z, %sum, %sign : !x, !bias, !y
}

// Heads that are split from a result are its elements, so that it is widened behind the split.
// CHECK-LABEL: func.func @heads(
// CHECK: %[[H:.*]] = axloom.kernel "contraction"(%arg0, %arg1) {{.*}} -> !axloom.tensor<batch: B, hidden: 16, bf16>
// CHECK: axloom.kernel "contraction"(%[[H]], %arg2)
// CHECK: %[[SPLIT:.*]] = axloom.split {{.*}} : <batch: B, hidden: 16, bf16>
// CHECK-NEXT: axloom.cast %[[SPLIT]] to f32
func.func @heads(%x: !x, %w: !w, %v: !head) -> !heads {
  %h = axloom.kernel "contraction"(%x, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] {factors = bf16} : !x, !w -> !y
    axloom.yield %0 : !y
  }
  %z = axloom.kernel "contraction"(%h, %v) : (!y, !head) -> !heads {
  ^bb0(%a: !y, %b: !head):
    %s = axloom.split %a "hidden" into ["heads", "depth"] inner <4> : !y -> !axloom.tensor<batch: B, depth: 4, heads: 4, f32>
    %0 = axloom.contract %s, %b over ["depth"] {factors = bf16} : !axloom.tensor<batch: B, depth: 4, heads: 4, f32>, !head -> !heads
    axloom.yield %0 : !heads
  }
  return %z : !heads
}

// A residual connection needs all bits: two products get a rounded copy. The axes of an input are
// renamed before anything else.
// CHECK-LABEL: func.func @residual(
// CHECK: %[[H:.*]]:2 = axloom.kernel "pointwise"(%arg0) : {{.*}} -> (!axloom.tensor<batch: B, model: 8, f32>, !axloom.tensor<batch: B, model: 8, bf16>)
// CHECK: axloom.kernel "contraction"(%[[H]]#1, %arg1)
// CHECK: axloom.kernel "contraction"(%[[H]]#1, %arg1)
// CHECK: axloom.rename {{.*}} "batch" to "key" : <batch: B, model: 8, bf16> -> <key: B, model: 8, bf16>
// CHECK-NEXT: axloom.cast
// CHECK: axloom.kernel "pointwise"(%[[H]]#0)
func.func @residual(%x: !x, %w: !w) -> (!y, !y, !x) {
  %h = axloom.kernel "pointwise"(%x) : (!x) -> !x {
  ^bb0(%a: !x):
    %0 = axloom.exp %a : !x -> !x
    axloom.yield %0 : !x
  }
  %q = axloom.kernel "contraction"(%h, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] {factors = bf16} : !x, !w -> !y
    axloom.yield %0 : !y
  }
  %k = axloom.kernel "contraction"(%h, %w) : (!x, !w) -> !axloom.tensor<hidden: 16, key: B, f32> {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.rename %a "batch" to "key" : !x -> !axloom.tensor<key: B, model: 8, f32>
    %1 = axloom.contract %0, %b over ["model"] {factors = bf16} : !axloom.tensor<key: B, model: 8, f32>, !w -> !axloom.tensor<hidden: 16, key: B, f32>
    axloom.yield %1 : !axloom.tensor<hidden: 16, key: B, f32>
  }
  %kept = axloom.rename %k "key" to "batch" : !axloom.tensor<hidden: 16, key: B, f32> -> !y
  %r = axloom.kernel "pointwise"(%h) : (!x) -> !x {
  ^bb0(%a: !x):
    %0 = axloom.neg %a : !x -> !x
    axloom.yield %0 : !x
  }
  return %q, %kept, %r : !y, !y, !x
}

// One product and a use that needs all bits: a second result would cost as much as it saves.
// CHECK-LABEL: func.func @once(
// CHECK-NOT: axloom.cast
func.func @once(%x: !x, %w: !w) -> (!y, !x) {
  %h = axloom.kernel "pointwise"(%x) : (!x) -> !x {
  ^bb0(%a: !x):
    %0 = axloom.exp %a : !x -> !x
    axloom.yield %0 : !x
  }
  %q = axloom.kernel "contraction"(%h, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] {factors = bf16} : !x, !w -> !y
    axloom.yield %0 : !y
  }
  return %q, %h : !y, !x
}

// Nothing is rounded for products of f32, and nothing that only sums need.
// CHECK-LABEL: func.func @exact(
// CHECK-NOT: axloom.cast
func.func @exact(%x: !x, %w: !w) -> (!y, !axloom.tensor<model: 8, f32>) {
  %h:2 = axloom.kernel "pointwise"(%x) : (!x) -> (!x, !x) {
  ^bb0(%a: !x):
    %0 = axloom.exp %a : !x -> !x
    %1 = axloom.neg %a : !x -> !x
    axloom.yield %0, %1 : !x, !x
  }
  %q = axloom.kernel "contraction"(%h#0, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] : !x, !w -> !y
    axloom.yield %0 : !y
  }
  %sum = axloom.kernel "reduction"(%h#1) : (!x) -> !axloom.tensor<model: 8, f32> {
  ^bb0(%a: !x):
    %0 = axloom.reduce "sum" %a over ["batch"] : !x -> !axloom.tensor<model: 8, f32>
    axloom.yield %0 : !axloom.tensor<model: 8, f32>
  }
  return %q, %sum : !y, !axloom.tensor<model: 8, f32>
}

// What attention gives is a factor, and its gradient multiplies and sums it up.
!q = !axloom.tensor<depth: 4, query: B, f32>
!k = !axloom.tensor<depth: 4, key: B, f32>
!v = !axloom.tensor<key: B, value: 8, f32>
!c = !axloom.tensor<query: B, value: 8, f32>
!n = !axloom.tensor<query: B, f32>
!wc = !axloom.tensor<hidden: 16, value: 8, f32>
!wk = !axloom.tensor<depth: 4, hidden: 16, f32>
!yq = !axloom.tensor<hidden: 16, query: B, f32>
!yk = !axloom.tensor<hidden: 16, key: B, f32>
// CHECK-LABEL: func.func @attention(
// CHECK: %[[C:.*]]:2 = axloom.kernel "attention"{{.*}} -> (!axloom.tensor<query: B, value: 8, bf16>, !axloom.tensor<query: B, f32>)
// CHECK: axloom.kernel "contraction"(%[[C]]#0, %{{.*}})
// CHECK: %[[G:.*]]:3 = axloom.kernel "attention_gradient"({{.*}}, %[[C]]#0, %[[C]]#1, {{.*}}) {{.*}} -> (!axloom.tensor<depth: 4, query: B, bf16>, !axloom.tensor<depth: 4, key: B, bf16>, !axloom.tensor<key: B, value: 8, f32>)
func.func @attention(%q: !q, %k: !k, %v: !v, %w: !wc, %u: !wk, %d: !c) -> (!yq, !yq, !yk, !v) {
  %c:2 = axloom.kernel "attention"(%q, %k, %v) : (!q, !k, !v) -> (!c, !n) {
  ^bb0(%x0: !q, %x1: !k, %x2: !v):
    %0:2 = axloom.attention %x0, %x1, %x2 depth "depth" key "key" scale 0.5 {factors = bf16} : !q, !k, !v -> !c, !n
    axloom.yield %0#0, %0#1 : !c, !n
  }
  %y = axloom.kernel "contraction"(%c#0, %w) : (!c, !wc) -> !yq {
  ^bb0(%x0: !c, %x1: !wc):
    %0 = axloom.contract %x0, %x1 over ["value"] {factors = bf16} : !c, !wc -> !yq
    axloom.yield %0 : !yq
  }
  %g:3 = axloom.kernel "attention_gradient"(%q, %k, %v, %c#0, %c#1, %d) : (!q, !k, !v, !c, !n, !c) -> (!q, !k, !v) {
  ^bb0(%x0: !q, %x1: !k, %x2: !v, %x3: !c, %x4: !n, %x5: !c):
    %0:3 = axloom.attention_gradient %x0, %x1, %x2 output %x3 log2sumexp %x4 gradient %x5 depth "depth" key "key" scale 0.5 {factors = bf16} : !q, !k, !v, !c, !n, !c -> !q, !k, !v
    axloom.yield %0#0, %0#1, %0#2 : !q, !k, !v
  }
  %dq = axloom.kernel "contraction"(%g#0, %u) : (!q, !wk) -> !yq {
  ^bb0(%x0: !q, %x1: !wk):
    %0 = axloom.contract %x0, %x1 over ["depth"] {factors = bf16} : !q, !wk -> !yq
    axloom.yield %0 : !yq
  }
  %dk = axloom.kernel "contraction"(%g#1, %u) : (!k, !wk) -> !yk {
  ^bb0(%x0: !k, %x1: !wk):
    %0 = axloom.contract %x0, %x1 over ["depth"] {factors = bf16} : !k, !wk -> !yk
    axloom.yield %0 : !yk
  }
  return %y, %dq, %dk, %g#2 : !yq, !yq, !yk, !v
}

// Keys that heads of a group share are repeated where attention reads them.
!qs = !axloom.tensor<depth: 4, heads: 2, query: B, f32>
!ks = !axloom.tensor<depth: 4, heads: 2, key: B, f32>
!cs = !axloom.tensor<heads: 2, query: B, value: 8, f32>
!vs = !axloom.tensor<heads: 2, key: B, value: 8, f32>
!ns = !axloom.tensor<heads: 2, query: B, f32>
!xk = !axloom.tensor<key: B, model: 8, f32>
!wm = !axloom.tensor<depth: 4, model: 8, f32>
// CHECK-LABEL: func.func @shared_keys(
// CHECK: axloom.kernel "contraction"(%arg0, %arg1) {{.*}} -> !axloom.tensor<depth: 4, key: B, bf16>
func.func @shared_keys(%x: !xk, %w: !wm, %q: !qs, %v: !vs) -> !cs {
  %k = axloom.kernel "contraction"(%x, %w) : (!xk, !wm) -> !k {
  ^bb0(%x0: !xk, %x1: !wm):
    %0 = axloom.contract %x0, %x1 over ["model"] {factors = bf16} : !xk, !wm -> !k
    axloom.yield %0 : !k
  }
  %c = axloom.kernel "attention"(%q, %k, %v) : (!qs, !k, !vs) -> !cs {
  ^bb0(%x0: !qs, %x1: !k, %x2: !vs):
    // CHECK: %[[WIDE:.*]] = axloom.cast %{{.*}} to f32
    // CHECK-NEXT: axloom.broadcast %[[WIDE]]
    %repeated = axloom.broadcast %x1 to !ks : !k -> !ks
    %0:2 = axloom.attention %x0, %repeated, %x2 depth "depth" key "key" scale 0.5 {factors = bf16} : !qs, !ks, !vs -> !cs, !ns
    axloom.yield %0#0 : !cs
  }
  return %c : !cs
}

// Where there may be many queries, those of keys are added up block by block.
!long = !axloom.tensor<depth: 4, query: L, f32>
!of_long = !axloom.tensor<query: L, value: 8, f32>
!n_long = !axloom.tensor<query: L, f32>
!y_long = !axloom.tensor<hidden: 16, query: L, f32>
// CHECK-LABEL: func.func @pieces(
// CHECK: axloom.kernel "attention_gradient"{{.*}} -> (!axloom.tensor<depth: 4, query: L, bf16>, !axloom.tensor<depth: 4, key: B, f32>)
func.func @pieces(%q: !long, %k: !k, %v: !v, %c: !of_long, %n: !n_long, %u: !wk) -> (!y_long, !yk) {
  %g:2 = axloom.kernel "attention_gradient"(%q, %k, %v, %c, %n) : (!long, !k, !v, !of_long, !n_long) -> (!long, !k) {
  ^bb0(%x0: !long, %x1: !k, %x2: !v, %x3: !of_long, %x4: !n_long):
    %0:3 = axloom.attention_gradient %x0, %x1, %x2 output %x3 log2sumexp %x4 gradient %x3 depth "depth" key "key" scale 0.5 {factors = bf16} : !long, !k, !v, !of_long, !n_long, !of_long -> !long, !k, !v
    axloom.yield %0#0, %0#1 : !long, !k
  }
  %dq = axloom.kernel "contraction"(%g#0, %u) : (!long, !wk) -> !y_long {
  ^bb0(%x0: !long, %x1: !wk):
    %0 = axloom.contract %x0, %x1 over ["depth"] {factors = bf16} : !long, !wk -> !y_long
    axloom.yield %0 : !y_long
  }
  %dk = axloom.kernel "contraction"(%g#1, %u) : (!k, !wk) -> !yk {
  ^bb0(%x0: !k, %x1: !wk):
    %0 = axloom.contract %x0, %x1 over ["depth"] {factors = bf16} : !k, !wk -> !yk
    axloom.yield %0 : !yk
  }
  return %dq, %dk : !y_long, !yk
}

// A residual connection would need attention's result beside the rounded one.
// CHECK-LABEL: func.func @exact_attention(
// CHECK-NOT: axloom.cast
func.func @exact_attention(%q: !q, %k: !k, %v: !v, %w: !wc) -> (!yq, !yq, !c) {
  %c = axloom.kernel "attention"(%q, %k, %v) : (!q, !k, !v) -> !c {
  ^bb0(%x0: !q, %x1: !k, %x2: !v):
    %0:2 = axloom.attention %x0, %x1, %x2 depth "depth" key "key" scale 0.5 {factors = bf16} : !q, !k, !v -> !c, !n
    axloom.yield %0#0 : !c
  }
  %y = axloom.kernel "contraction"(%c, %w) : (!c, !wc) -> !yq {
  ^bb0(%x0: !c, %x1: !wc):
    %0 = axloom.contract %x0, %x1 over ["value"] {factors = bf16} : !c, !wc -> !yq
    axloom.yield %0 : !yq
  }
  %z = axloom.kernel "contraction"(%c, %w) : (!c, !wc) -> !yq {
  ^bb0(%x0: !c, %x1: !wc):
    %0 = axloom.contract %x0, %x1 over ["value"] {factors = bf16} : !c, !wc -> !yq
    axloom.yield %0 : !yq
  }
  return %y, %z, %c : !yq, !yq, !c
}

// A row is written in place: the others are not rounded anew, whoever multiplies them.
// CHECK-LABEL: func.func @cache(
// CHECK: axloom.kernel "update"{{.*}} -> !axloom.tensor<batch: B, model: 8, f32> {
// CHECK-NOT: bf16>
// CHECK: return
func.func @cache(%cache: !x, %at: !axloom.tensor<i32>, %row: !axloom.tensor<model: 8, f32>, %w: !w) -> (!x, !y, !y) {
  %new = axloom.kernel "update"(%cache, %at, %row) : (!x, !axloom.tensor<i32>, !axloom.tensor<model: 8, f32>) -> !x {
  ^bb0(%a: !x, %i: !axloom.tensor<i32>, %r: !axloom.tensor<model: 8, f32>):
    %0 = axloom.update %a at %i with %r along "batch" : !x, !axloom.tensor<i32>, !axloom.tensor<model: 8, f32> -> !x
    axloom.yield %0 : !x
  }
  %y = axloom.kernel "contraction"(%new, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] {factors = bf16} : !x, !w -> !y
    axloom.yield %0 : !y
  }
  %z = axloom.kernel "contraction"(%new, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] {factors = bf16} : !x, !w -> !y
    axloom.yield %0 : !y
  }
  return %new, %y, %z : !x, !y, !y
}

// Rounded, a number compares with another one than 0 as it did not before.
// CHECK-LABEL: func.func @compared(
// CHECK-NOT: bf16>
// CHECK: return
func.func @compared(%x: !x, %w: !w) -> (!y, !x) {
  %h = axloom.kernel "pointwise"(%x) : (!x) -> !x {
  ^bb0(%a: !x):
    %0 = axloom.exp %a : !x -> !x
    axloom.yield %0 : !x
  }
  %y = axloom.kernel "contraction"(%h, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] {factors = bf16} : !x, !w -> !y
    axloom.yield %0 : !y
  }
  %large = axloom.kernel "pointwise"(%h) : (!x) -> !x {
  ^bb0(%a: !x):
    %half = axloom.constant 0.5 : f32 : !axloom.tensor<f32>
    %one = axloom.constant 1.0 : f32 : !axloom.tensor<f32>
    %0 = axloom.compare "gt" %a, %half : !x, !axloom.tensor<f32> -> !axloom.tensor<batch: B, model: 8, i1>
    %1 = axloom.select %0, %one, %half : !axloom.tensor<batch: B, model: 8, i1>, !axloom.tensor<f32>, !axloom.tensor<f32> -> !x
    axloom.yield %1 : !x
  }
  return %y, %large : !y, !x
}

// What is added to scores is no factor.
!scores = !axloom.tensor<key: B, query: B, f32>
// CHECK-LABEL: func.func @bias(
// CHECK-NOT: bf16>
// CHECK: return
func.func @bias(%q: !q, %k: !k, %v: !v, %r: !scores) -> (!c, !q) {
  %bias = axloom.kernel "pointwise"(%r) : (!scores) -> !scores {
  ^bb0(%x0: !scores):
    %0 = axloom.exp %x0 : !scores -> !scores
    axloom.yield %0 : !scores
  }
  %again = axloom.kernel "pointwise"(%r) : (!scores) -> !scores {
  ^bb0(%x0: !scores):
    %0 = axloom.tanh %x0 : !scores -> !scores
    axloom.yield %0 : !scores
  }
  %c:2 = axloom.kernel "attention"(%q, %k, %v, %bias) : (!q, !k, !v, !scores) -> (!c, !n) {
  ^bb0(%x0: !q, %x1: !k, %x2: !v, %x3: !scores):
    %0:2 = axloom.attention %x0, %x1, %x2 bias %x3 depth "depth" key "key" scale 0.5 {factors = bf16} : !q, !k, !v bias !scores -> !c, !n
    axloom.yield %0#0, %0#1 : !c, !n
  }
  %dq = axloom.kernel "attention_gradient"(%q, %k, %v, %again, %c#0, %c#1) : (!q, !k, !v, !scores, !c, !n) -> !q {
  ^bb0(%x0: !q, %x1: !k, %x2: !v, %x3: !scores, %x4: !c, %x5: !n):
    %0:3 = axloom.attention_gradient %x0, %x1, %x2 bias %x3 output %x4 log2sumexp %x5 gradient %x4 depth "depth" key "key" scale 0.5 {factors = bf16} : !q, !k, !v bias !scores, !c, !n, !c -> !q, !k, !v
    axloom.yield %0#0 : !q
  }
  return %c#0, %dq : !c, !q
}

// Kernels of a loss over a vocabulary, and those that add up the entries of a ragged batch, write
// nothing but what these give, by other names at most.
!t = !axloom.tensor<batch: B, model: 8, position: L[batch], f32>
!g = !axloom.tensor<batch: B, hidden: 16, position: L[batch], f32>
// CHECK-LABEL: func.func @piece_by_piece(
// CHECK-NOT: bf16>
// CHECK: return
func.func @piece_by_piece(%x: !x, %w: !w, %labels: !axloom.tensor<batch: B, i32>, %weights: !axloom.tensor<batch: B, f32>,
                          %t: !t, %g: !g) -> (!y, !y) {
  %dx = axloom.kernel "linear_cross_entropy"(%x, %w, %labels, %weights) : (!x, !w, !axloom.tensor<batch: B, i32>, !axloom.tensor<batch: B, f32>) -> !x {
  ^bb0(%x0: !x, %x1: !w, %x2: !axloom.tensor<batch: B, i32>, %x3: !axloom.tensor<batch: B, f32>):
    %0:3 = axloom.linear_cross_entropy %x0, %x1, %x2, %x3 model "model" classes "hidden" smoothing 0.0 {factors = bf16} : !x, !w, !axloom.tensor<batch: B, i32>, !axloom.tensor<batch: B, f32> -> !axloom.tensor<f32>, !x, !w
    axloom.yield %0#1 : !x
  }
  %y = axloom.kernel "contraction"(%dx, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] {factors = bf16} : !x, !w -> !y
    axloom.yield %0 : !y
  }
  %dw = axloom.kernel "contraction"(%t, %g) : (!t, !g) -> !axloom.tensor<model: 8, out: 16, f32> {
  ^bb0(%a: !t, %b: !g):
    %0 = axloom.contract %a, %b over ["batch", "position"] {factors = bf16} : !t, !g -> !w
    %1 = axloom.rename %0 "hidden" to "out" : !w -> !axloom.tensor<model: 8, out: 16, f32>
    axloom.yield %1 : !axloom.tensor<model: 8, out: 16, f32>
  }
  %z = axloom.kernel "contraction"(%x, %dw) : (!x, !axloom.tensor<model: 8, out: 16, f32>) -> !axloom.tensor<batch: B, out: 16, f32> {
  ^bb0(%a: !x, %b: !axloom.tensor<model: 8, out: 16, f32>):
    %0 = axloom.contract %a, %b over ["model"] {factors = bf16} : !x, !axloom.tensor<model: 8, out: 16, f32> -> !axloom.tensor<batch: B, out: 16, f32>
    axloom.yield %0 : !axloom.tensor<batch: B, out: 16, f32>
  }
  %named = axloom.rename %z "out" to "hidden" : !axloom.tensor<batch: B, out: 16, f32> -> !y
  return %y, %named : !y, !y
}

// A sum beside a cast needs all bits: it multiplies nothing that is rounded.
// CHECK-LABEL: func.func @sum_beside_cast(
// OFF: func.func @sum_beside_cast(
// CHECK: axloom.kernel "contraction"(%arg0, %arg1) {{.*}} -> !axloom.tensor<batch: B, hidden: 16, f32>
func.func @sum_beside_cast(%x: !x, %w: !w) -> (!bias, !axloom.tensor<batch: B, hidden: 16, bf16>) {
  %h = axloom.kernel "contraction"(%x, %w) : (!x, !w) -> !y {
  ^bb0(%a: !x, %b: !w):
    %0 = axloom.contract %a, %b over ["model"] : !x, !w -> !y
    axloom.yield %0 : !y
  }
  %sum = axloom.kernel "reduction"(%h) : (!y) -> !bias {
  ^bb0(%a: !y):
    %0 = axloom.reduce "sum" %a over ["batch"] : !y -> !bias
    axloom.yield %0 : !bias
  }
  %narrow = axloom.kernel "pointwise"(%h) : (!y) -> !axloom.tensor<batch: B, hidden: 16, bf16> {
  ^bb0(%a: !y):
    %0 = axloom.cast %a to bf16 : !y -> !axloom.tensor<batch: B, hidden: 16, bf16>
    axloom.yield %0 : !axloom.tensor<batch: B, hidden: 16, bf16>
  }
  return %sum, %narrow : !bias, !axloom.tensor<batch: B, hidden: 16, bf16>
}
