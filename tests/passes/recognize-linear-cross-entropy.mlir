// RUN: axloom-opt %s --recognize-linear-cross-entropy | FileCheck %s
// RUN: axloom-opt %s --recognize-linear-cross-entropy --remarks-filter-passed=recognize-linear-cross-entropy -o /dev/null 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: axloom-opt %s --recognize-linear-cross-entropy --remarks-filter-missed=recognize-linear-cross-entropy -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=Missed

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
  // DONE: :[[#@LINE+1]]:{{.*}}Remark="projection, cross entropy and their sum are one op, which holds no logits"
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
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: its logits are used more than once: recognize-linear-cross-entropy.mlir:[[#@LINE+1]] and what the function returns"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %loss = axloom.reduce "sum" %losses over ["batch", "target"] : !losses -> !scalar
  return %loss, %logits : !scalar, !logits
}

// The losses of single tokens are wanted.
// CHECK-LABEL: func.func @perToken
// CHECK-NOT: axloom.linear_cross_entropy
func.func @perToken(%x: !x, %w: !w, %labels: !labels) -> !losses {
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: its losses do not go, weighted at most, into one sum alone"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  return %losses : !losses
}

// A factor that repeats the losses along another axis does not weigh tokens.
// CHECK-LABEL: func.func @otherAxis
// CHECK-NOT: axloom.linear_cross_entropy
func.func @otherAxis(%x: !x, %w: !w, %labels: !labels, %factor: !axloom.tensor<other: 3, f32>) -> !scalar {
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: its losses do not go, weighted at most, into one sum alone"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %wide = axloom.mul %losses, %factor : !losses, !axloom.tensor<other: 3, f32> -> !axloom.tensor<batch: B, other: 3, target: T, f32>
  %loss = axloom.reduce "sum" %wide over ["batch", "other", "target"] : !axloom.tensor<batch: B, other: 3, target: T, f32> -> !scalar
  return %loss : !scalar
}

// The losses are wanted too, the logits come of no projection, the projection sums over two axes, its labels or its weight are one for each sentence.
// CHECK-LABEL: func.func @lossesUsed
// CHECK-NOT: axloom.linear_cross_entropy
func.func @lossesUsed(%x: !x, %w: !w, %labels: !labels) -> (!scalar, !losses) {
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: its losses are used more than once: recognize-linear-cross-entropy.mlir:[[#@LINE+2]] and what the function returns"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %loss = axloom.reduce "sum" %losses over ["batch", "target"] : !losses -> !scalar
  return %loss, %losses : !scalar, !losses
}

// CHECK-LABEL: func.func @noProjection
// CHECK-NOT: axloom.linear_cross_entropy
func.func @noProjection(%logits: !logits, %labels: !labels) -> !scalar {
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: its logits come of an argument, not of a projection through scalar factors"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %loss = axloom.reduce "sum" %losses over ["batch", "target"] : !losses -> !scalar
  return %loss : !scalar
}

// CHECK-LABEL: func.func @twoAxes
// CHECK-NOT: axloom.linear_cross_entropy
func.func @twoAxes(%x: !axloom.tensor<batch: B, half: 2, model: 16, target: T, f32>, %w: !axloom.tensor<half: 2, model: 16, vocabulary: 100, f32>, %labels: !labels) -> !scalar {
  %logits = axloom.contract %x, %w over ["half", "model"] : !axloom.tensor<batch: B, half: 2, model: 16, target: T, f32>, !axloom.tensor<half: 2, model: 16, vocabulary: 100, f32> -> !logits
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: contract of recognize-linear-cross-entropy.mlir:[[#@LINE-1]], its projection, sums over 2 axes, expected one"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %loss = axloom.reduce "sum" %losses over ["batch", "target"] : !losses -> !scalar
  return %loss : !scalar
}

// CHECK-LABEL: func.func @labelOfSentence
// CHECK-NOT: axloom.linear_cross_entropy
func.func @labelOfSentence(%x: !x, %w: !w, %labels: !axloom.tensor<batch: B, i32>) -> !scalar {
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: its labels are not one class for each token"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !axloom.tensor<batch: B, i32> -> !losses
  %loss = axloom.reduce "sum" %losses over ["batch", "target"] : !losses -> !scalar
  return %loss : !scalar
}

// CHECK-LABEL: func.func @weightOfEach
// CHECK-NOT: axloom.linear_cross_entropy
func.func @weightOfEach(%x: !x, %w: !axloom.tensor<batch: B, model: 16, vocabulary: 100, f32>, %labels: !labels) -> !scalar {
  %logits = axloom.contract %x, %w over ["model"] : !x, !axloom.tensor<batch: B, model: 16, vocabulary: 100, f32> -> !logits
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: no factor of its projection is a weight with the axes 'vocabulary' and 'model' alone"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %loss = axloom.reduce "sum" %losses over ["batch", "target"] : !losses -> !scalar
  return %loss : !scalar
}

// Sums of the op are f32.
// CHECK-LABEL: func.func @double
func.func @double(%x: !axloom.tensor<batch: B, model: 16, f64>, %w: !axloom.tensor<model: 16, vocabulary: 100, f64>, %labels: !axloom.tensor<batch: B, i32>) -> !axloom.tensor<f64> {
  // CHECK: axloom.cross_entropy
  %logits = axloom.contract %x, %w over ["model"] : <batch: B, model: 16, f64>, <model: 16, vocabulary: 100, f64> -> <batch: B, vocabulary: 100, f64>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: its logits are f64, expected f32"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : <batch: B, vocabulary: 100, f64>, <batch: B, i32> -> <batch: B, f64>
  %loss = axloom.reduce "sum" %losses over ["batch"] : <batch: B, f64> -> <f64>
  return %loss : !axloom.tensor<f64>
}

// A gradient of a gradient differentiates the adjoint, which is plain ops then.
// CHECK-LABEL: func.func @penalty
// CHECK-NOT: axloom.linear_cross_entropy
func.func @penalty(%x: !x, %w: !w, %labels: !labels) -> !w {
  %logits = axloom.contract %x, %w over ["model"] : !x, !w -> !logits
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="cross entropy takes its logits from memory: gradient of recognize-linear-cross-entropy.mlir:[[#@LINE+6]] is one of a gradient, and fused ops have no second derivative"
  %losses = axloom.cross_entropy %logits, %labels over "vocabulary" smoothing 0.0 : !logits, !labels -> !losses
  %loss = axloom.reduce "sum" %losses over ["batch", "target"] : !losses -> !scalar
  %dx = axloom.gradient %loss wrt(%x) : !scalar, !x -> !x
  %squares = axloom.mul %dx, %dx : !x, !x -> !x
  %norm = axloom.reduce "sum" %squares over ["batch", "model", "target"] : !x -> !scalar
  %dw = axloom.gradient %norm wrt(%w) : !scalar, !w -> !w
  return %dw : !w
}
