// Every op that restructures axes or looks across them, printed as it was written.
// RUN: axloom-opt %s | axloom-opt | FileCheck %s

// CHECK-LABEL: func.func @across
func.func @across(%q: !axloom.tensor<batch: B, depth: 64, query: S, f32>, %k: !axloom.tensor<batch: B, depth: 64, key: T, f32>,
                  %ids: !axloom.tensor<batch: B, i32>, %table: !axloom.tensor<model: 4, vocab: 9, f32>) {
  // CHECK: axloom.contract %{{.*}}, %{{.*}} over ["depth"] : <batch: B, depth: 64, query: S, f32>, <batch: B, depth: 64, key: T, f32> -> <batch: B, key: T, query: S, f32>
  %0 = axloom.contract %q, %k over ["depth"] : <batch: B, depth: 64, query: S, f32>, <batch: B, depth: 64, key: T, f32> -> <batch: B, key: T, query: S, f32>
  // CHECK: axloom.reduce "max" %{{.*}} over ["depth", "query"] : <batch: B, depth: 64, query: S, f32> -> <batch: B, f32>
  %1 = axloom.reduce "max" %q over ["depth", "query"] : <batch: B, depth: 64, query: S, f32> -> <batch: B, f32>
  // CHECK: axloom.argmax %{{.*}} over "vocab" : <model: 4, vocab: 9, f32> -> <model: 4, i32>
  %2 = axloom.argmax %table over "vocab" : <model: 4, vocab: 9, f32> -> <model: 4, i32>
  // CHECK: axloom.broadcast %{{.*}} to !axloom.tensor<batch: B, model: 4, f32> : <batch: B, f32> -> <batch: B, model: 4, f32>
  %3 = axloom.broadcast %1 to !axloom.tensor<batch: B, model: 4, f32> : <batch: B, f32> -> <batch: B, model: 4, f32>
  // CHECK: axloom.gather %{{.*}}, %{{.*}} along "vocab" : <model: 4, vocab: 9, f32>, <batch: B, i32> -> <batch: B, model: 4, f32>
  %4 = axloom.gather %table, %ids along "vocab" : <model: 4, vocab: 9, f32>, <batch: B, i32> -> <batch: B, model: 4, f32>
  // CHECK: axloom.scatter_add %{{.*}}, %{{.*}} along "vocab" to !axloom.tensor<model: 4, vocab: 9, f32> : <batch: B, model: 4, f32>, <batch: B, i32> -> <model: 4, vocab: 9, f32>
  %5 = axloom.scatter_add %4, %ids along "vocab" to !axloom.tensor<model: 4, vocab: 9, f32> : <batch: B, model: 4, f32>, <batch: B, i32> -> <model: 4, vocab: 9, f32>
  return
}

// CHECK-LABEL: func.func @axes
func.func @axes(%x: !axloom.tensor<batch: B, model: 512, f32>, %i: !axloom.tensor<i32>, %row: !axloom.tensor<batch: B, f32>) {
  // CHECK: axloom.rename %{{.*}} "batch" to "token" : <batch: B, model: 512, f32> -> <model: 512, token: B, f32>
  %0 = axloom.rename %x "batch" to "token" : <batch: B, model: 512, f32> -> <model: 512, token: B, f32>
  // CHECK: axloom.split %{{.*}} "model" into ["heads", "depth"] inner <64> : <batch: B, model: 512, f32> -> <batch: B, depth: 64, heads: 8, f32>
  %1 = axloom.split %x "model" into ["heads", "depth"] inner <64> : <batch: B, model: 512, f32> -> <batch: B, depth: 64, heads: 8, f32>
  // CHECK: axloom.merge %{{.*}} ["heads", "depth"] into "model" : <batch: B, depth: 64, heads: 8, f32> -> <batch: B, model: 512, f32>
  %2 = axloom.merge %1 ["heads", "depth"] into "model" : <batch: B, depth: 64, heads: 8, f32> -> <batch: B, model: 512, f32>
  // CHECK: axloom.merge %{{.*}} ["batch", "model"] into "all" : <batch: B, model: 512, f32> -> <all: 512*B, f32>
  %3 = axloom.merge %x ["batch", "model"] into "all" : <batch: B, model: 512, f32> -> <all: 512*B, f32>
  // CHECK: axloom.slice %{{.*}} "model" from 3 size 10 : <batch: B, model: 512, f32> -> <batch: B, model: 10, f32>
  %4 = axloom.slice %x "model" from 3 size 10 : <batch: B, model: 512, f32> -> <batch: B, model: 10, f32>
  // CHECK: axloom.concat %{{.*}}, %{{.*}} along "model" : !axloom.tensor<batch: B, model: 10, f32>, !axloom.tensor<batch: B, model: 512, f32> -> <batch: B, model: 522, f32>
  %joined = axloom.concat %4, %x along "model" : !axloom.tensor<batch: B, model: 10, f32>, !axloom.tensor<batch: B, model: 512, f32> -> <batch: B, model: 522, f32>
  // CHECK: axloom.pad %{{.*}} "model" low 1 high 2 with 0.000000e+00 : <batch: B, model: 10, f32> -> <batch: B, model: 13, f32>
  %5 = axloom.pad %4 "model" low 1 high 2 with 0.0 : <batch: B, model: 10, f32> -> <batch: B, model: 13, f32>
  // CHECK: axloom.shift %{{.*}} "batch" by -1 with 1.000000e+00 : <batch: B, model: 512, f32> -> <batch: B, model: 512, f32>
  %6 = axloom.shift %x "batch" by -1 with 1.0 : <batch: B, model: 512, f32> -> <batch: B, model: 512, f32>
  // CHECK: axloom.update %{{.*}} at %{{.*}} with %{{.*}} along "model" : <batch: B, model: 512, f32>, <i32>, <batch: B, f32> -> <batch: B, model: 512, f32>
  %7 = axloom.update %x at %i with %row along "model" : <batch: B, model: 512, f32>, <i32>, <batch: B, f32> -> <batch: B, model: 512, f32>
  return
}

// CHECK-LABEL: func.func @sources
func.func @sources() {
  // CHECK: axloom.iota "position" size <S> : <position: S, i32>
  %0 = axloom.iota "position" size <S> : <position: S, i32>
  // CHECK: axloom.constant 1.500000e+00 : f32 : <f32>
  %1 = axloom.constant 1.5 : f32 : <f32>
  // CHECK: axloom.constant -3 : i32 : <i32>
  %2 = axloom.constant -3 : i32 : <i32>
  // CHECK: axloom.size_of <2*B*S> : <f32>
  %3 = axloom.size_of <2*B*S> : <f32>
  // CHECK: axloom.size_of <S> to i32 : <i32>
  %4 = axloom.size_of <S> to i32 : <i32>
  return
}
