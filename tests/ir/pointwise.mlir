// Every pointwise op, printed as it was written.
// RUN: axloom-opt %s | axloom-opt | FileCheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%x: !axloom.tensor<batch: B, f32>) {
  // CHECK: axloom.neg %{{.*}} : <batch: B, f32> -> <batch: B, f32>
  %0 = axloom.neg %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.abs
  %1 = axloom.abs %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.exp
  %2 = axloom.exp %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.log
  %3 = axloom.log %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.sqrt
  %4 = axloom.sqrt %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.rsqrt
  %5 = axloom.rsqrt %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.tanh
  %6 = axloom.tanh %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.erf
  %7 = axloom.erf %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.sin
  %8 = axloom.sin %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.cos
  %9 = axloom.cos %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.floor
  %10 = axloom.floor %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.sigmoid
  %11 = axloom.sigmoid %x : <batch: B, f32> -> <batch: B, f32>
  // CHECK: axloom.stop_gradient
  %12 = axloom.stop_gradient %x : <batch: B, f32> -> <batch: B, f32>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%x: !axloom.tensor<batch: B, f32>, %y: !axloom.tensor<model: 4, f32>) {
  // The result has the axes of both.
  // CHECK: axloom.add %{{.*}}, %{{.*}} : <batch: B, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  %0 = axloom.add %x, %y : <batch: B, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  // CHECK: axloom.sub
  %1 = axloom.sub %x, %y : <batch: B, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  // CHECK: axloom.mul
  %2 = axloom.mul %x, %y : <batch: B, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  // CHECK: axloom.div
  %3 = axloom.div %x, %y : <batch: B, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  // CHECK: axloom.rem
  %4 = axloom.rem %x, %y : <batch: B, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  // CHECK: axloom.pow
  %5 = axloom.pow %x, %y : <batch: B, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  // CHECK: axloom.maximum
  %6 = axloom.maximum %x, %y : <batch: B, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  // CHECK: axloom.minimum
  %7 = axloom.minimum %x, %y : <batch: B, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  return
}

// CHECK-LABEL: func.func @masks
func.func @masks(%m: !axloom.tensor<key: S, i1>, %n: !axloom.tensor<batch: B, i1>, %x: !axloom.tensor<batch: B, f32>) {
  // CHECK: axloom.and %{{.*}}, %{{.*}} : <key: S, i1>, <batch: B, i1> -> <batch: B, key: S, i1>
  %0 = axloom.and %m, %n : <key: S, i1>, <batch: B, i1> -> <batch: B, key: S, i1>
  // CHECK: axloom.or
  %1 = axloom.or %m, %n : <key: S, i1>, <batch: B, i1> -> <batch: B, key: S, i1>
  // CHECK: axloom.not %{{.*}} : <key: S, i1> -> <key: S, i1>
  %2 = axloom.not %m : <key: S, i1> -> <key: S, i1>
  // CHECK: axloom.compare "lt" %{{.*}}, %{{.*}} : <batch: B, f32>, <batch: B, f32> -> <batch: B, i1>
  %3 = axloom.compare "lt" %x, %x : <batch: B, f32>, <batch: B, f32> -> <batch: B, i1>
  // CHECK: axloom.select %{{.*}}, %{{.*}}, %{{.*}} : <key: S, i1>, <batch: B, f32>, <batch: B, f32> -> <batch: B, key: S, f32>
  %4 = axloom.select %m, %x, %x : <key: S, i1>, <batch: B, f32>, <batch: B, f32> -> <batch: B, key: S, f32>
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%x: !axloom.tensor<batch: B, f32>, %seed: !axloom.tensor<i32>, %m: !axloom.tensor<key: S, i1>) {
  // CHECK: axloom.cast %{{.*}} to i32 : <batch: B, f32> -> <batch: B, i32>
  %0 = axloom.cast %x to i32 : <batch: B, f32> -> <batch: B, i32>
  // CHECK: axloom.random %{{.*}}, %{{.*}}, %{{.*}} : <i32>, <i32>, <i32> -> !axloom.tensor<batch: B, f32> <batch: B, f32>
  %1 = axloom.random %seed, %seed, %seed : <i32>, <i32>, <i32> -> !axloom.tensor<batch: B, f32> <batch: B, f32>
  // CHECK: %[[C:.*]] = axloom.counters [0] : !axloom.tensor<batch: B, i32> <batch: B, i32>
  %c = axloom.counters [0] : !axloom.tensor<batch: B, i32> <batch: B, i32>
  // CHECK: axloom.random %{{.*}}, %{{.*}}, %{{.*}} from %[[C]] numbers [1] : <i32>, <i32>, <i32>, !axloom.tensor<batch: B, i32> -> !axloom.tensor<batch: B, key: S, f32> <batch: B, key: S, f32>
  %d = axloom.random %seed, %seed, %seed from %c numbers [1] : <i32>, <i32>, <i32>, !axloom.tensor<batch: B, i32> -> !axloom.tensor<batch: B, key: S, f32> <batch: B, key: S, f32>
  // CHECK: axloom.custom @gate(%{{.*}}, %{{.*}}) : (!axloom.tensor<batch: B, f32>, !axloom.tensor<key: S, i1>) -> !axloom.tensor<batch: B, key: S, f32>
  %2 = axloom.custom @gate(%x, %m) : (!axloom.tensor<batch: B, f32>, !axloom.tensor<key: S, i1>) -> !axloom.tensor<batch: B, key: S, f32>
  return
}
