// Size symbols, variables, gradients and kernels, printed as they were written.
// RUN: axloom-opt %s | axloom-opt | FileCheck %s

// CHECK: axloom.size @B max 64
axloom.size @B max 64
// CHECK: axloom.variable "parameter" @encoder.0.weight : !axloom.tensor<in: 4, out: 8, f32> order ["out", "in"] init {kind = "normal", mean = 0.000000e+00 : f64, stddev = 1.000000e-01 : f64}
axloom.variable "parameter" @encoder.0.weight : !axloom.tensor<in: 4, out: 8, f32> order ["out", "in"] init {kind = "normal", mean = 0.0, stddev = 0.1}
// CHECK: axloom.variable "session" @cache : !axloom.tensor<batch: B, f32> order ["batch"] init {kind = "zeros"}
axloom.variable "session" @cache : !axloom.tensor<batch: B, f32> order ["batch"] init {kind = "zeros"}

// CHECK-LABEL: func.func @step
func.func @step(%x: !axloom.tensor<batch: B, f32>) -> !axloom.tensor<in: 4, out: 8, f32> {
  // CHECK: axloom.read @encoder.0.weight : <in: 4, out: 8, f32>
  %w = axloom.read @encoder.0.weight : <in: 4, out: 8, f32>
  // CHECK: axloom.write @cache, %{{.*}} : <batch: B, f32>
  axloom.write @cache, %x : <batch: B, f32>
  %loss = axloom.reduce "sum" %w over ["in", "out"] : <in: 4, out: 8, f32> -> <f32>
  // CHECK: axloom.gradient %{{.*}} wrt(%{{.*}}) : <f32>, !axloom.tensor<in: 4, out: 8, f32> -> !axloom.tensor<in: 4, out: 8, f32>
  %g = axloom.gradient %loss wrt(%w) : <f32>, !axloom.tensor<in: 4, out: 8, f32> -> !axloom.tensor<in: 4, out: 8, f32>
  return %g : !axloom.tensor<in: 4, out: 8, f32>
}

// CHECK-LABEL: func.func @planned
func.func @planned(%x: !axloom.tensor<batch: B, in: 4, f32>, %c: !axloom.tensor<f32>) -> !axloom.tensor<batch: B, in: 4, f32> {
  // CHECK: axloom.kernel "pointwise"(%{{.*}}, %{{.*}}) {by_value = array<i64: 1>, input_layouts = [#axloom.layout<[batch, in]>, #axloom.layout<[]>], result_layouts = [#axloom.layout<[in, batch]>]}
  // CHECK-SAME: : (!axloom.tensor<batch: B, in: 4, f32>, !axloom.tensor<f32>) -> !axloom.tensor<batch: B, in: 4, f32>
  %0 = axloom.kernel "pointwise"(%x, %c) {
      by_value = array<i64: 1>, input_layouts = [#axloom.layout<[batch, in]>, #axloom.layout<[]>],
      result_layouts = [#axloom.layout<[in, batch]>]}
    : (!axloom.tensor<batch: B, in: 4, f32>, !axloom.tensor<f32>) -> !axloom.tensor<batch: B, in: 4, f32> {
  ^bb0(%a: !axloom.tensor<batch: B, in: 4, f32>, %s: !axloom.tensor<f32>):
    %1 = axloom.mul %a, %s : <batch: B, in: 4, f32>, <f32> -> <batch: B, in: 4, f32>
    // CHECK: axloom.yield %{{.*}} : !axloom.tensor<batch: B, in: 4, f32>
    axloom.yield %1 : !axloom.tensor<batch: B, in: 4, f32>
  }
  return %0 : !axloom.tensor<batch: B, in: 4, f32>
}
