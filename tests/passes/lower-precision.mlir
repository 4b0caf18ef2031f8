// RUN: axloom-opt %s --lower-precision=bf16=true | FileCheck %s
// RUN: axloom-opt %s --lower-precision | FileCheck %s --check-prefix=OFF
// RUN: axloom-opt %s --axloom-pipeline="bf16 stop-after=lower-precision" | FileCheck %s --check-prefixes=CHECK,BACKWARD
// OFF-NOT: factors

axloom.size @B max 64

!x = !axloom.tensor<batch: B, model: 8, f32>
!w = !axloom.tensor<hidden: 16, model: 8, f32>
!y = !axloom.tensor<batch: B, hidden: 16, f32>

// CHECK-LABEL: func.func @linear(
// CHECK: axloom.contract %arg0, %arg1 over ["model"] {factors = bf16}
func.func @linear(%x: !x, %w: !w) -> !y {
  %y = axloom.contract %x, %w over ["model"] : !x, !w -> !y
  return %y : !y
}

// Each row with a row of its own: nothing is used more than once.
// CHECK-LABEL: func.func @dots(
// CHECK: axloom.contract %arg0, %arg1 over ["model"] :
func.func @dots(%x: !x, %z: !x) -> !axloom.tensor<batch: B, f32> {
  %y = axloom.contract %x, %z over ["model"] : !x, !x -> !axloom.tensor<batch: B, f32>
  return %y : !axloom.tensor<batch: B, f32>
}

// A matrix times a vector: each of its numbers is used once.
// CHECK-LABEL: func.func @matrix_vector(
// CHECK-NOT: factors
func.func @matrix_vector(%x: !x, %z: !axloom.tensor<model: 8, f32>) -> (!axloom.tensor<batch: B, f32>, !axloom.tensor<batch: B, f32>) {
  %y = axloom.contract %x, %z over ["model"] : !x, !axloom.tensor<model: 8, f32> -> !axloom.tensor<batch: B, f32>
  %t = axloom.contract %z, %x over ["model"] : !axloom.tensor<model: 8, f32>, !x -> !axloom.tensor<batch: B, f32>
  return %y, %t : !axloom.tensor<batch: B, f32>, !axloom.tensor<batch: B, f32>
}

// Nothing is summed up.
// CHECK-LABEL: func.func @outer(
// CHECK-NOT: factors
func.func @outer(%x: !axloom.tensor<batch: B, f32>, %z: !axloom.tensor<model: 8, f32>) -> !x {
  %y = axloom.contract %x, %z over [] : !axloom.tensor<batch: B, f32>, !axloom.tensor<model: 8, f32> -> !x
  return %y : !x
}

// Of another type than f32.
// CHECK-LABEL: func.func @doubles(
// CHECK-NOT: factors
func.func @doubles(%x: !axloom.tensor<batch: B, model: 8, f64>, %w: !axloom.tensor<hidden: 16, model: 8, f64>)
    -> !axloom.tensor<batch: B, hidden: 16, f64> {
  %y = axloom.contract %x, %w over ["model"] : !axloom.tensor<batch: B, model: 8, f64>, !axloom.tensor<hidden: 16, model: 8, f64> -> !axloom.tensor<batch: B, hidden: 16, f64>
  return %y : !axloom.tensor<batch: B, hidden: 16, f64>
}

// CHECK-LABEL: func.func @loss(
// CHECK: axloom.linear_cross_entropy {{.*}} smoothing 0.000000e+00 {factors = bf16}
func.func @loss(%x: !x, %w: !w, %labels: !axloom.tensor<batch: B, i32>, %weights: !axloom.tensor<batch: B, f32>)
    -> !axloom.tensor<f32> {
  %y:3 = axloom.linear_cross_entropy %x, %w, %labels, %weights model "model" classes "hidden" smoothing 0.0 : !x, !w, !axloom.tensor<batch: B, i32>, !axloom.tensor<batch: B, f32> -> !axloom.tensor<f32>, !x, !w
  return %y#0 : !axloom.tensor<f32>
}

// CHECK-LABEL: func.func @attention(
// CHECK: axloom.attention {{.*}} scale 5.000000e-01 {factors = bf16}
func.func @attention(%q: !axloom.tensor<depth: 4, query: B, f32>, %k: !axloom.tensor<depth: 4, key: B, f32>,
                     %v: !axloom.tensor<key: B, value: 8, f32>) -> !axloom.tensor<query: B, value: 8, f32> {
  %y:2 = axloom.attention %q, %k, %v depth "depth" key "key" scale 0.5 : !axloom.tensor<depth: 4, query: B, f32>, !axloom.tensor<depth: 4, key: B, f32>, !axloom.tensor<key: B, value: 8, f32> -> !axloom.tensor<query: B, value: 8, f32>, !axloom.tensor<query: B, f32>
  return %y#0 : !axloom.tensor<query: B, value: 8, f32>
}

// Of one query, each number of keys and values is used once.
// CHECK-LABEL: func.func @one_query(
// CHECK-NOT: factors
func.func @one_query(%q: !axloom.tensor<batch: B, depth: 4, f32>, %k: !axloom.tensor<batch: B, depth: 4, key: B, f32>,
                     %v: !axloom.tensor<batch: B, key: B, value: 8, f32>) -> !axloom.tensor<batch: B, value: 8, f32> {
  %y:2 = axloom.attention %q, %k, %v depth "depth" key "key" scale 0.5 : !axloom.tensor<batch: B, depth: 4, f32>, !axloom.tensor<batch: B, depth: 4, key: B, f32>, !axloom.tensor<batch: B, key: B, value: 8, f32> -> !axloom.tensor<batch: B, value: 8, f32>, !axloom.tensor<batch: B, f32>
  return %y#0 : !axloom.tensor<batch: B, value: 8, f32>
}

// CHECK-LABEL: func.func @attention_gradient(
// CHECK: axloom.attention_gradient {{.*}} scale 5.000000e-01 {factors = bf16}
func.func @attention_gradient(%q: !axloom.tensor<depth: 4, query: B, f32>, %k: !axloom.tensor<depth: 4, key: B, f32>,
                              %v: !axloom.tensor<key: B, value: 8, f32>, %y: !axloom.tensor<query: B, value: 8, f32>,
                              %n: !axloom.tensor<query: B, f32>) -> !axloom.tensor<depth: 4, query: B, f32> {
  %dq, %dk, %dv = axloom.attention_gradient %q, %k, %v output %y log2sumexp %n gradient %y depth "depth" key "key" scale 0.5 : !axloom.tensor<depth: 4, query: B, f32>, !axloom.tensor<depth: 4, key: B, f32>, !axloom.tensor<key: B, value: 8, f32>, !axloom.tensor<query: B, value: 8, f32>, !axloom.tensor<query: B, f32>, !axloom.tensor<query: B, value: 8, f32> -> !axloom.tensor<depth: 4, query: B, f32>, !axloom.tensor<depth: 4, key: B, f32>, !axloom.tensor<key: B, value: 8, f32>
  return %dq : !axloom.tensor<depth: 4, query: B, f32>
}

// After differentiation, the product of the backward pass as well.
// CHECK-LABEL: func.func @backward(
// CHECK: axloom.contract %arg0, %arg1 over ["model"] {factors = bf16}
// BACKWARD: axloom.contract {{.*}} over ["batch"] {factors = bf16}
func.func @backward(%x: !x, %w: !w) -> !w {
  %y = axloom.contract %x, %w over ["model"] : !x, !w -> !y
  %square = axloom.mul %y, %y : !y, !y -> !y
  %loss = axloom.reduce "sum" %square over ["batch", "hidden"] : !y -> !axloom.tensor<f32>
  %dw = axloom.gradient %loss wrt(%w) : <f32>, !w -> !w
  return %dw : !w
}
