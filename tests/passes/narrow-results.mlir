// RUN: axloom-opt %s --narrow-results | FileCheck %s
// RUN: axloom-opt %s --narrow-results --remarks-filter=narrow-results 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: axloom-opt %s --axloom-pipeline="bf16 disable=narrow-results" | FileCheck %s --check-prefix=OFF
// OFF-NOT: axloom.cast

axloom.size @B max 64

!x = !axloom.tensor<batch: B, model: 8, f32>
!w = !axloom.tensor<hidden: 16, model: 8, f32>
!y = !axloom.tensor<batch: B, hidden: 16, f32>
!dw = !axloom.tensor<hidden: 16, model: 8, f32>
!bias = !axloom.tensor<hidden: 16, f32>

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
// WHY: 1 of its results lie in bf16, as factors of products
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

// Attention's gradient adds its results up block by block.
// CHECK-LABEL: func.func @pieces(
// CHECK-NOT: axloom.cast
func.func @pieces(%q: !axloom.tensor<depth: 4, query: B, f32>, %k: !axloom.tensor<depth: 4, key: B, f32>,
                  %v: !axloom.tensor<key: B, value: 8, f32>, %w: !axloom.tensor<hidden: 16, value: 8, f32>)
    -> !axloom.tensor<hidden: 16, query: B, f32> {
  %c = axloom.kernel "attention"(%q, %k, %v) : (!axloom.tensor<depth: 4, query: B, f32>, !axloom.tensor<depth: 4, key: B, f32>, !axloom.tensor<key: B, value: 8, f32>) -> !axloom.tensor<query: B, value: 8, f32> {
  ^bb0(%a: !axloom.tensor<depth: 4, query: B, f32>, %b: !axloom.tensor<depth: 4, key: B, f32>, %d: !axloom.tensor<key: B, value: 8, f32>):
    %0:2 = axloom.attention %a, %b, %d depth "depth" key "key" scale 0.5 {factors = bf16} : !axloom.tensor<depth: 4, query: B, f32>, !axloom.tensor<depth: 4, key: B, f32>, !axloom.tensor<key: B, value: 8, f32> -> !axloom.tensor<query: B, value: 8, f32>, !axloom.tensor<query: B, f32>
    axloom.yield %0#0 : !axloom.tensor<query: B, value: 8, f32>
  }
  %y = axloom.kernel "contraction"(%c, %w) : (!axloom.tensor<query: B, value: 8, f32>, !axloom.tensor<hidden: 16, value: 8, f32>) -> !axloom.tensor<hidden: 16, query: B, f32> {
  ^bb0(%a: !axloom.tensor<query: B, value: 8, f32>, %b: !axloom.tensor<hidden: 16, value: 8, f32>):
    %0 = axloom.contract %a, %b over ["value"] {factors = bf16} : !axloom.tensor<query: B, value: 8, f32>, !axloom.tensor<hidden: 16, value: 8, f32> -> !axloom.tensor<hidden: 16, query: B, f32>
    axloom.yield %0 : !axloom.tensor<hidden: 16, query: B, f32>
  }
  return %y : !axloom.tensor<hidden: 16, query: B, f32>
}
