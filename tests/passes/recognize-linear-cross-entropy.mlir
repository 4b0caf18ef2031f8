// RUN: axloom-opt %s --recognize-linear-cross-entropy | FileCheck %s

!x = !axloom.tensor<batch: B, model: 16, target: T, f32>
!w = !axloom.tensor<model: 16, vocabulary: 100, f32>
!logits = !axloom.tensor<batch: B, target: T, vocabulary: 100, f32>
!labels = !axloom.tensor<batch: B, target: T, i32>
!losses = !axloom.tensor<batch: B, target: T, f32>
!mask = !axloom.tensor<batch: B, target: T, i1>
!scalar = !axloom.tensor<f32>
axloom.size @B max 8
axloom.size @T max 64

// The mean over real tokens, as the DSL's mean(where(mask, cross_entropy(...))) makes it.
// CHECK-LABEL: func.func @maskedMean
func.func @maskedMean(%x: !x, %w: !w, %labels: !labels, %mask: !mask, %count: !scalar) -> !scalar {
  // CHECK: %[[WEIGHTS:.*]] = axloom.select %arg3
  // CHECK: %[[LOSS:.*]], %{{.*}}, %{{.*}} = axloom.linear_cross_entropy %arg0, %arg1, %arg2, %[[WEIGHTS]] model "model" classes "vocabulary" smoothing 1.0{{.*}}e-01
  // CHECK: %[[MEAN:.*]] = axloom.div %[[LOSS]], %arg4
  // CHECK: return %[[MEAN]]
  %zero = axloom.constant 0.0 : f32 : !scalar
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.1 : !logits, !labels -> !losses
  %real = axloom.select %mask, %losses, %zero : !mask, !losses, !scalar -> !losses
  %sum = axloom.reduce "sum" %real over ["batch", "target"] : !losses -> !scalar
  %mean = axloom.div %sum, %count : !scalar, !scalar -> !scalar
  return %mean : !scalar
}

// Weights given as numbers, in a contraction with the losses; the projection the other way round, its logits scaled.
// CHECK-LABEL: func.func @weighted
func.func @weighted(%x: !x, %w: !w, %labels: !labels, %weights: !losses, %temperature: !scalar) -> !scalar {
  // CHECK: %[[X:.*]] = axloom.div %arg0, %arg4
  // CHECK: %[[WEIGHTS:.*]] = axloom.mul %{{.*}}, %arg3
  // CHECK: axloom.linear_cross_entropy %[[X]], %arg1, %arg2, %[[WEIGHTS]] model
  // CHECK-NOT: axloom.contract
  %raw = axloom.contract %w, %x over ["model"] : !w, !x -> !logits
  %logits = axloom.div %raw, %temperature : !logits, !scalar -> !logits
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %loss = axloom.contract %losses, %weights over ["batch", "target"] : !losses, !losses -> !scalar
  return %loss : !scalar
}

// Two sums, with a division for each sentence between them; the weights have all axes of the tokens.
// CHECK-LABEL: func.func @perSentence
func.func @perSentence(%x: !x, %w: !w, %labels: !labels, %counts: !axloom.tensor<batch: B, f32>) -> !scalar {
  // CHECK: %[[SHARE:.*]] = axloom.div %{{.*}}, %arg3
  // CHECK: %[[WEIGHTS:.*]] = axloom.broadcast %[[SHARE]] to !axloom.tensor<batch: B, target: T, f32>
  // CHECK: axloom.linear_cross_entropy %arg0, %arg1, %arg2, %[[WEIGHTS]] model
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %sums = axloom.reduce "sum" %losses over ["target"] : !losses -> !axloom.tensor<batch: B, f32>
  %means = axloom.div %sums, %counts : !axloom.tensor<batch: B, f32>, !axloom.tensor<batch: B, f32> -> !axloom.tensor<batch: B, f32>
  %loss = axloom.reduce "sum" %means over ["batch"] : !axloom.tensor<batch: B, f32> -> !scalar
  return %loss : !scalar
}

// The logits are wanted too.
// CHECK-LABEL: func.func @logitsUsed
// CHECK-NOT: axloom.linear_cross_entropy
func.func @logitsUsed(%x: !x, %w: !w, %labels: !labels) -> (!scalar, !logits) {
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %loss = axloom.reduce "sum" %losses over ["batch", "target"] : !losses -> !scalar
  return %loss, %logits : !scalar, !logits
}

// The losses of single tokens are wanted.
// CHECK-LABEL: func.func @perToken
// CHECK-NOT: axloom.linear_cross_entropy
func.func @perToken(%x: !x, %w: !w, %labels: !labels) -> !losses {
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  return %losses : !losses
}

// A factor that repeats the losses along another axis does not weigh tokens.
// CHECK-LABEL: func.func @otherAxis
// CHECK-NOT: axloom.linear_cross_entropy
func.func @otherAxis(%x: !x, %w: !w, %labels: !labels, %factor: !axloom.tensor<other: 3, f32>) -> !scalar {
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %wide = axloom.mul %losses, %factor : !losses, !axloom.tensor<other: 3, f32> -> !axloom.tensor<batch: B, other: 3, target: T, f32>
  %loss = axloom.reduce "sum" %wide over ["batch", "other", "target"] : !axloom.tensor<batch: B, other: 3, target: T, f32> -> !scalar
  return %loss : !scalar
}
