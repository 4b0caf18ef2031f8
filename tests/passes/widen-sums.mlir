// RUN: axloom-opt %s --widen-sums | FileCheck %s
// RUN: axloom-opt %s --axloom-pipeline="bf16 stop-after=lower-precision" | FileCheck %s --check-prefix=FACTORS
// RUN: axloom-opt %s --axloom-pipeline="bf16 stop-after=form-kernels" | FileCheck %s --check-prefix=FUSED
// RUN: axloom-opt %s --axloom-pipeline="stop-after=narrow-results" | FileCheck %s --check-prefix=LIES

axloom.size @B max 64

!x = !axloom.tensor<batch: B, model: 8, bf16>
!w = !axloom.tensor<hidden: 16, model: 8, bf16>
!y = !axloom.tensor<batch: B, hidden: 16, bf16>
!row = !axloom.tensor<batch: B, bf16>

// CHECK-LABEL: func.func @linear(
// CHECK: %[[X:.*]] = axloom.cast %arg0 to f32
// CHECK: %[[W:.*]] = axloom.cast %arg1 to f32
// CHECK: %[[Y:.*]] = axloom.contract %[[X]], %[[W]] over ["model"] : {{.*}} -> <batch: B, hidden: 16, f32>
// CHECK: %[[R:.*]] = axloom.cast %[[Y]] to bf16
// CHECK: return %[[R]]
// Factors are rounded to what they are, so that instructions for them are used.
// FACTORS-LABEL: func.func @linear(
// FACTORS: axloom.contract {{.*}} {factors = bf16}
// The casts are part of the product's kernel.
// FUSED-LABEL: func.func @linear(
// FUSED: axloom.kernel "contraction"
// FUSED-COUNT-2: to f32
// FUSED: axloom.contract
// FUSED: to bf16
// FUSED-NEXT: axloom.yield
// FUSED-NOT: axloom.kernel
// FUSED: return
func.func @linear(%x: !x, %w: !w) -> !y {
  %y = axloom.contract %x, %w over ["model"] : !x, !w -> !y
  return %y : !y
}

// CHECK-LABEL: func.func @sum(
// CHECK: axloom.reduce "sum" {{.*}} -> <batch: B, f32>
// CHECK: to bf16
func.func @sum(%x: !x) -> !row {
  %y = axloom.reduce "sum" %x over ["model"] : !x -> !row
  return %y : !row
}

// Rows are scattered to a table of another type.
// CHECK-LABEL: func.func @scatter(
// CHECK: axloom.scatter_add {{.*}} to !axloom.tensor<model: 8, word: 16, f32>
// CHECK-SAME: -> <model: 8, word: 16, f32>
// CHECK: to bf16
func.func @scatter(%x: !x, %i: !axloom.tensor<batch: B, i32>) -> !axloom.tensor<model: 8, word: 16, bf16> {
  %y = axloom.scatter_add %x, %i along "word" to !axloom.tensor<model: 8, word: 16, bf16>
      : !x, !axloom.tensor<batch: B, i32> -> !axloom.tensor<model: 8, word: 16, bf16>
  return %y : !axloom.tensor<model: 8, word: 16, bf16>
}

// What has its sums in f32 anyway keeps those.
// CHECK-LABEL: func.func @attention(
// CHECK: axloom.attention {{.*}} -> <batch: B, query: 4, value: 8, f32>, <batch: B, query: 4, f32>
// CHECK: %[[R:.*]] = axloom.cast %{{.*}} to bf16
// CHECK: return %[[R]], %log2sumexp
!q = !axloom.tensor<batch: B, query: 4, depth: 8, bf16>
!k = !axloom.tensor<batch: B, key: 6, depth: 8, bf16>
!v = !axloom.tensor<batch: B, key: 6, value: 8, bf16>
!o = !axloom.tensor<batch: B, query: 4, value: 8, bf16>
!l = !axloom.tensor<batch: B, query: 4, f32>
func.func @attention(%q: !q, %k: !k, %v: !v) -> (!o, !l) {
  %output, %log2sumexp = axloom.attention %q, %k, %v depth "depth" key "key" scale 0.5 : !q, !k, !v -> !o, !l
  return %output, %log2sumexp : !o, !l
}

// Nothing is added up, or not in bf16.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: axloom.cast
// CHECK: return
func.func @others(%x: !x, %f: !axloom.tensor<batch: B, model: 8, f32>) -> (!row, !axloom.tensor<batch: B, f32>) {
  %y = axloom.reduce "max" %x over ["model"] : !x -> !row
  %z = axloom.reduce "sum" %f over ["model"] : !axloom.tensor<batch: B, model: 8, f32> -> !axloom.tensor<batch: B, f32>
  return %y, %z : !row, !axloom.tensor<batch: B, f32>
}

// Between two products, a tensor of bf16 lies in bf16.
// LIES-LABEL: func.func @two_layers(
// LIES: axloom.kernel "contraction"{{.*}} -> !axloom.tensor<batch: B, hidden: 16, bf16>
// LIES: axloom.kernel "contraction"
func.func @two_layers(%x: !x, %w: !w, %v: !w) -> !x {
  %y = axloom.contract %x, %w over ["model"] : !x, !w -> !y
  %z = axloom.contract %y, %v over ["hidden"] : !y, !w -> !x
  return %z : !x
}
