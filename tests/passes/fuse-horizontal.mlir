// RUN: axloom-opt %s --fuse-horizontal | FileCheck %s
// RUN: axloom-opt %s --fuse-horizontal --remarks-filter-passed=fuse-horizontal -o /dev/null 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: axloom-opt %s --fuse-horizontal --remarks-filter-missed=fuse-horizontal -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=Missed

!x = !axloom.tensor<batch: B, model: 16, position: S, f32>
!renamed = !axloom.tensor<batch: B, key: S, model: 16, f32>
!wq = !axloom.tensor<depth: 4, heads: 2, model: 16, f32>
!wv = !axloom.tensor<heads: 2, model: 16, value: 3, f32>
!q = !axloom.tensor<batch: B, depth: 4, heads: 2, position: S, f32>
!k = !axloom.tensor<batch: B, depth: 4, heads: 2, key: S, f32>
!v = !axloom.tensor<batch: B, heads: 2, key: S, value: 3, f32>
axloom.size @B max 8
axloom.size @S max 64
axloom.variable "parameter" @query : !wq order ["heads", "depth", "model"] init {kind = "zeros"}
axloom.variable "parameter" @key : !wq order ["heads", "depth", "model"] init {kind = "zeros"}
axloom.variable "parameter" @value : !wv order ["heads", "value", "model"] init {kind = "zeros"}
axloom.variable "parameter" @first : !axloom.tensor<depth: 4, fused_: 2, model: 16, f32> order ["fused_", "depth", "model"] init {kind = "zeros"}
axloom.variable "parameter" @second : !axloom.tensor<depth: 4, fused_: 2, model: 16, f32> order ["fused_", "depth", "model"] init {kind = "zeros"}
axloom.variable "session" @mix : !axloom.tensor<batch: B, model: 16, f32> order ["batch", "model"] init {kind = "zeros"}

// The projections of self-attention: keys and values see the input under another name; values are not as deep as keys.
// CHECK-LABEL: func.func @selfAttention
func.func @selfAttention(%x: !x) -> (!k, !v, !q) {
  // CHECK-DAG: %[[K:.*]] = axloom.rename %{{.*}} "depth" to "fused" : {{.*}} -> <fused: 4, heads: 2, model: 16, f32>
  // CHECK-DAG: %[[V:.*]] = axloom.rename %{{.*}} "value" to "fused" : {{.*}} -> <fused: 3, heads: 2, model: 16, f32>
  // CHECK-DAG: %[[Q:.*]] = axloom.rename %{{.*}} "depth" to "fused"
  // CHECK: %[[W:.*]] = axloom.concat %[[K]], %[[V]], %[[Q]] along "fused" : {{.*}} -> <fused: 11, heads: 2, model: 16, f32>
  // CHECK: %[[Y:.*]] = axloom.contract %arg0, %[[W]] over ["model"] : {{.*}} -> <batch: B, fused: 11, heads: 2, position: S, f32>
  // CHECK: %[[K0:.*]] = axloom.slice %[[Y]] "fused" from 0 size 4
  // CHECK: %[[K1:.*]] = axloom.rename %[[K0]] "fused" to "depth"
  // CHECK: %[[K2:.*]] = axloom.rename %[[K1]] "position" to "key"
  // CHECK: %[[V0:.*]] = axloom.slice %[[Y]] "fused" from 4 size 3
  // CHECK: %[[V1:.*]] = axloom.rename %[[V0]] "fused" to "value"
  // CHECK: %[[V2:.*]] = axloom.rename %[[V1]] "position" to "key"
  // CHECK: %[[Q0:.*]] = axloom.slice %[[Y]] "fused" from 7 size 4
  // CHECK: %[[Q1:.*]] = axloom.rename %[[Q0]] "fused" to "depth"
  // CHECK-NOT: axloom.contract
  // CHECK: return %[[K2]], %[[V2]], %[[Q1]]
  %renamed = axloom.rename %x "position" to "key" : !x -> !renamed
  %wk = axloom.read @key : !wq
  // DONE: :[[#@LINE+1]]:{{.*}}Remark="contract takes 3 weights side by side"
  %k = axloom.contract %renamed, %wk over ["model"] : !renamed, !wq -> !k
  %wv = axloom.read @value : !wv
  %v = axloom.contract %wv, %renamed over ["model"] : !wv, !renamed -> !v
  %wq = axloom.read @query : !wq
  %q = axloom.contract %x, %wq over ["model"] : !x, !wq -> !q
  return %k, %v, %q : !k, !v, !q
}

// What a gradient is asked for of stays on the way to the keys, under its own name.
// CHECK-LABEL: func.func @gradientOfKeys
func.func @gradientOfKeys(%x: !x) -> (!v, !q, !renamed) {
  // CHECK: %[[RENAMED:.*]] = axloom.rename %arg0 "position" to "key"
  // CHECK: axloom.contract %[[RENAMED]], %{{.*}} over ["model"]
  // CHECK: %[[W:.*]] = axloom.concat %{{.*}}, %{{.*}} along "fused" : {{.*}} -> <fused: 7, heads: 2, model: 16, f32>
  // CHECK: axloom.contract %arg0, %[[W]] over ["model"]
  %renamed = axloom.rename %x "position" to "key" : !x -> !renamed
  %wk = axloom.read @key : !wq
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="contract is not put together with others of its input: no other weight differs from its own in one axis alone"
  %k = axloom.contract %renamed, %wk over ["model"] : !renamed, !wq -> !k
  %other = axloom.rename %x "position" to "key" : !x -> !renamed
  %wv = axloom.read @value : !wv
  %v = axloom.contract %other, %wv over ["model"] : !renamed, !wv -> !v
  %wq = axloom.read @query : !wq
  %q = axloom.contract %x, %wq over ["model"] : !x, !wq -> !q
  %loss = axloom.reduce "sum" %k over ["batch", "depth", "heads", "key"] : !k -> !axloom.tensor<f32>
  %d = axloom.gradient %loss wrt(%renamed) : !axloom.tensor<f32>, !renamed -> !renamed
  return %v, %q, %d : !v, !q, !renamed
}

// The axis that weights share has a name that neither they nor the input have.
// CHECK-LABEL: func.func @names
func.func @names(%x: !axloom.tensor<fused: S, model: 16, f32>) -> (!axloom.tensor<depth: 4, fused: S, fused_: 2, f32>, !axloom.tensor<depth: 4, fused: S, fused_: 2, f32>) {
  // CHECK: axloom.concat %{{.*}}, %{{.*}} along "fused__"
  %w = axloom.read @first : !axloom.tensor<depth: 4, fused_: 2, model: 16, f32>
  %y = axloom.contract %x, %w over ["model"] : !axloom.tensor<fused: S, model: 16, f32>, !axloom.tensor<depth: 4, fused_: 2, model: 16, f32> -> !axloom.tensor<depth: 4, fused: S, fused_: 2, f32>
  %u = axloom.read @second : !axloom.tensor<depth: 4, fused_: 2, model: 16, f32>
  %z = axloom.contract %x, %u over ["model"] : !axloom.tensor<fused: S, model: 16, f32>, !axloom.tensor<depth: 4, fused_: 2, model: 16, f32> -> !axloom.tensor<depth: 4, fused: S, fused_: 2, f32>
  return %y, %z : !axloom.tensor<depth: 4, fused: S, fused_: 2, f32>, !axloom.tensor<depth: 4, fused: S, fused_: 2, f32>
}

// The second layer projects the memory when the first one's keys have been used: nothing is computed earlier than needed.
// CHECK-LABEL: func.func @layers
// CHECK-NOT: axloom.concat
func.func @layers(%x: !x) -> (!q, !q) {
  %wk = axloom.read @key : !wq
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="contract is not put together with others of its input: no other weight differs from its own in one axis alone"
  %k = axloom.contract %x, %wk over ["model"] : !x, !wq -> !q
  %used = axloom.exp %k : !q -> !q
  %wq = axloom.read @query : !wq
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="contract is not put together with others of its input: a result of contract of fuse-horizontal.mlir:[[#@LINE-3]] is used before"
  %q = axloom.contract %x, %wq over ["model"] : !x, !wq -> !q
  return %used, %q : !q, !q
}

// Different inputs, and products of two variables, are left alone.
// CHECK-LABEL: func.func @unrelated
// CHECK-NOT: axloom.concat
func.func @unrelated(%x: !x, %other: !x) -> (!q, !q, !axloom.tensor<depth: 4, heads: 2, value: 3, f32>) {
  %wq = axloom.read @query : !wq
  %wv = axloom.read @value : !wv
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="contract is not put together with others of its input: no other weight differs from its own in one axis alone"
  %a = axloom.contract %x, %wq over ["model"] : !x, !wq -> !q
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="contract is not put together with others of its input: no other weight differs from its own in one axis alone"
  %b = axloom.contract %other, %wq over ["model"] : !x, !wq -> !q
  %c = axloom.contract %wq, %wv over ["model"] : !wq, !wv -> !axloom.tensor<depth: 4, heads: 2, value: 3, f32>
  return %a, %b, %c : !q, !q, !axloom.tensor<depth: 4, heads: 2, value: 3, f32>
}

// So are weights of other heads, and contractions over other axes.
// CHECK-LABEL: func.func @otherAxes
// CHECK-NOT: axloom.concat
func.func @otherAxes(%x: !x, %z: !axloom.tensor<batch: B, heads: 2, model: 16, f32>) -> (!axloom.tensor<batch: B, depth: 4, f32>, !axloom.tensor<batch: B, depth: 4, heads: 2, f32>) {
  %wk = axloom.read @key : !wq
  %wq = axloom.read @query : !wq
  %a = axloom.contract %z, %wk over ["heads", "model"] : !axloom.tensor<batch: B, heads: 2, model: 16, f32>, !wq -> !axloom.tensor<batch: B, depth: 4, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="contract is not put together with others of its input: its weight shares axis 'heads' with the input"
  %b = axloom.contract %z, %wq over ["model"] : !axloom.tensor<batch: B, heads: 2, model: 16, f32>, !wq -> !axloom.tensor<batch: B, depth: 4, heads: 2, f32>
  // WHY: :[[#@LINE-3]]:{{.*}}Remark="contract is not put together with others of its input: no other weight differs from its own in one axis alone"
  return %a, %b : !axloom.tensor<batch: B, depth: 4, f32>, !axloom.tensor<batch: B, depth: 4, heads: 2, f32>
}

// So are an input whose contracted axis is renamed, and a weight without a fixed axis of its own.
// CHECK-LABEL: func.func @noFixedAxis
// CHECK-NOT: axloom.concat
func.func @noFixedAxis(%x: !axloom.tensor<other: 16, position: S, f32>) -> (!axloom.tensor<depth: 4, heads: 2, position: S, f32>, !axloom.tensor<batch: B, position: S, f32>) {
  %model = axloom.rename %x "other" to "model" : !axloom.tensor<other: 16, position: S, f32> -> !axloom.tensor<model: 16, position: S, f32>
  %wq = axloom.read @query : !wq
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="contract is not put together with others of its input: the axis that it sums over has another name there"
  %a = axloom.contract %model, %wq over ["model"] : !axloom.tensor<model: 16, position: S, f32>, !wq -> !axloom.tensor<depth: 4, heads: 2, position: S, f32>
  %twice = axloom.add %model, %model : !axloom.tensor<model: 16, position: S, f32>, !axloom.tensor<model: 16, position: S, f32> -> !axloom.tensor<model: 16, position: S, f32>
  %mix = axloom.read @mix : !axloom.tensor<batch: B, model: 16, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="contract is not put together with others of its input: its weight has no axis of fixed size that stays"
  %b = axloom.contract %twice, %mix over ["model"] : !axloom.tensor<model: 16, position: S, f32>, !axloom.tensor<batch: B, model: 16, f32> -> !axloom.tensor<batch: B, position: S, f32>
  return %a, %b : !axloom.tensor<depth: 4, heads: 2, position: S, f32>, !axloom.tensor<batch: B, position: S, f32>
}
