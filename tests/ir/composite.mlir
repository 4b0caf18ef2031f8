// Every composite, with and without its optional operands, printed as it was written.
// RUN: axloom-opt %s | axloom-opt | FileCheck %s

// CHECK-LABEL: func.func @rows
func.func @rows(%x: !axloom.tensor<key: T, query: S, f32>, %mask: !axloom.tensor<key: T, i1>, %row: !axloom.tensor<key: T, f32>) {
  // CHECK: axloom.softmax %{{.*}} over "key" : <key: T, query: S, f32> -> <key: T, query: S, f32>
  %0 = axloom.softmax %x over "key" : <key: T, query: S, f32> -> <key: T, query: S, f32>
  // CHECK: axloom.softmax %{{.*}} mask %{{.*}} over "key" : <key: T, query: S, f32>, !axloom.tensor<key: T, i1> -> <key: T, query: S, f32>
  %1 = axloom.softmax %x mask %mask over "key" : <key: T, query: S, f32>, !axloom.tensor<key: T, i1> -> <key: T, query: S, f32>
  // CHECK: axloom.layer_norm %{{.*}} over "key" epsilon 1.000000e-05 : <key: T, query: S, f32> -> <key: T, query: S, f32>, <query: S, f32>, <query: S, f32>
  %2:3 = axloom.layer_norm %x over "key" epsilon 1.0e-5 : <key: T, query: S, f32> -> <key: T, query: S, f32>, <query: S, f32>, <query: S, f32>
  // CHECK: axloom.layer_norm %{{.*}} offset %{{.*}} over "key" epsilon 1.000000e-05 : <key: T, query: S, f32> offset !axloom.tensor<key: T, f32> ->
  %3:3 = axloom.layer_norm %x offset %row over "key" epsilon 1.0e-5 : <key: T, query: S, f32> offset !axloom.tensor<key: T, f32> -> <key: T, query: S, f32>, <query: S, f32>, <query: S, f32>
  // CHECK: axloom.layer_norm %{{.*}} scale %{{.*}} offset %{{.*}} over "key" epsilon 1.000000e-05 : <key: T, query: S, f32> scale !axloom.tensor<key: T, f32> offset !axloom.tensor<key: T, f32> ->
  %4:3 = axloom.layer_norm %x scale %row offset %row over "key" epsilon 1.0e-5 : <key: T, query: S, f32> scale !axloom.tensor<key: T, f32> offset !axloom.tensor<key: T, f32> -> <key: T, query: S, f32>, <query: S, f32>, <query: S, f32>
  return
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>,
                     %v: !axloom.tensor<key: T, value: 3, f32>, %mask: !axloom.tensor<key: T, i1>,
                     %keep: !axloom.tensor<key: T, query: S, f32>) {
  // CHECK: axloom.attention %{{.*}}, %{{.*}}, %{{.*}} depth "depth" key "key" scale 5.000000e-01 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32> -> <query: S, value: 3, f32>, <query: S, f32>
  %0:2 = axloom.attention %q, %k, %v depth "depth" key "key" scale 0.5
    : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32> -> <query: S, value: 3, f32>, <query: S, f32>
  // CHECK: axloom.attention %{{.*}}, %{{.*}}, %{{.*}} bias %{{.*}} mask %{{.*}} keep %{{.*}} depth "depth" key "key" scale 5.000000e-01
  // CHECK-SAME: <key: T, value: 3, f32> bias !axloom.tensor<key: T, query: S, f32> mask !axloom.tensor<key: T, i1> keep !axloom.tensor<key: T, query: S, f32> ->
  %1:2 = axloom.attention %q, %k, %v bias %keep mask %mask keep %keep depth "depth" key "key" scale 0.5
    : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32> bias !axloom.tensor<key: T, query: S, f32>
      mask !axloom.tensor<key: T, i1> keep !axloom.tensor<key: T, query: S, f32> -> <query: S, value: 3, f32>, <query: S, f32>
  // CHECK: axloom.attention_gradient %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} output %{{.*}} log2sumexp %{{.*}} gradient %{{.*}} depth "depth" key "key" scale 5.000000e-01
  // CHECK-SAME: mask !axloom.tensor<key: T, i1>, <query: S, value: 3, f32>, <query: S, f32>, <query: S, value: 3, f32> -> <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>
  %2:3 = axloom.attention_gradient %q, %k, %v mask %mask output %0#0 log2sumexp %0#1 gradient %0#0 depth "depth" key "key" scale 0.5
    : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32> mask !axloom.tensor<key: T, i1>,
      <query: S, value: 3, f32>, <query: S, f32>, <query: S, value: 3, f32> -> <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>
  return
}

// CHECK-LABEL: func.func @losses
func.func @losses(%logits: !axloom.tensor<batch: B, classes: 9, f32>, %labels: !axloom.tensor<batch: B, i32>,
                  %x: !axloom.tensor<batch: B, model: 4, f32>, %w: !axloom.tensor<classes: 9, model: 4, f32>, %weights: !axloom.tensor<batch: B, f32>) {
  // CHECK: axloom.cross_entropy %{{.*}}, %{{.*}} over "classes" smoothing 1.000000e-01 : <batch: B, classes: 9, f32>, <batch: B, i32> -> <batch: B, f32>
  %0 = axloom.cross_entropy %logits, %labels over "classes" smoothing 0.1 : <batch: B, classes: 9, f32>, <batch: B, i32> -> <batch: B, f32>
  // CHECK: axloom.linear_cross_entropy %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} model "model" classes "classes" smoothing 1.000000e-01
  // CHECK-SAME: <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>, <batch: B, i32>, <batch: B, f32> -> <f32>, <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>
  %1:3 = axloom.linear_cross_entropy %x, %w, %labels, %weights model "model" classes "classes" smoothing 0.1
    : <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>, <batch: B, i32>, <batch: B, f32> -> <f32>, <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>
  return
}
