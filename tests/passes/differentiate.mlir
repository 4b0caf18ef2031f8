// RUN: axloom-opt %s --differentiate --split-input-file --verify-diagnostics --mlir-print-debuginfo | FileCheck %s

// A variable is read twice: both uses count. The adjoint of a broadcast operand is summed.
// CHECK-LABEL: func.func @step
axloom.size @B max 64
axloom.variable "parameter" @w : !axloom.tensor<hidden: 8, model: 4, f32> order ["hidden", "model"] init {kind = "zeros"}
func.func @step(%x: !axloom.tensor<batch: B, model: 4, f32>, %bias: !axloom.tensor<hidden: 8, f32>)
    -> (!axloom.tensor<hidden: 8, model: 4, f32>, !axloom.tensor<hidden: 8, f32>) {
  // CHECK: %[[W:.*]] = axloom.read @w
  // CHECK-NOT: axloom.read
  %w = axloom.read @w : <hidden: 8, model: 4, f32>
  %again = axloom.read @w : <hidden: 8, model: 4, f32>
  // CHECK: %[[DOUBLED:.*]] = axloom.add %[[W]], %[[W]]
  %doubled = axloom.add %w, %again : <hidden: 8, model: 4, f32>, <hidden: 8, model: 4, f32> -> <hidden: 8, model: 4, f32>
  %h = axloom.contract %x, %doubled over ["model"] : <batch: B, model: 4, f32>, <hidden: 8, model: 4, f32> -> <batch: B, hidden: 8, f32>
  %biased = axloom.add %h, %bias : <batch: B, hidden: 8, f32>, <hidden: 8, f32> -> <batch: B, hidden: 8, f32>
  // CHECK: %[[Y:.*]] = axloom.tanh
  %y = axloom.tanh %biased : <batch: B, hidden: 8, f32> -> <batch: B, hidden: 8, f32>
  %loss = axloom.reduce "sum" %y over ["batch", "hidden"] : <batch: B, hidden: 8, f32> -> <f32>
  // CHECK: axloom.broadcast
  // CHECK: %[[SQUARE:.*]] = axloom.mul %[[Y]], %[[Y]]
  // CHECK: %[[G:.*]] = axloom.mul
  // CHECK: %[[DBIAS:.*]] = axloom.reduce "sum" %[[G]] over ["batch"]
  // CHECK: %[[DDOUBLED:.*]] = axloom.contract %[[G]], %arg0 over ["batch"]
  // CHECK: %[[DW:.*]] = axloom.add %[[DDOUBLED]], %[[DDOUBLED]]
  // CHECK-NOT: axloom.gradient
  %dw, %dbias = axloom.gradient %loss wrt(%w, %bias) : <f32>, !axloom.tensor<hidden: 8, model: 4, f32>, !axloom.tensor<hidden: 8, f32> -> !axloom.tensor<hidden: 8, model: 4, f32>, !axloom.tensor<hidden: 8, f32>
  // CHECK: return %[[DW]], %[[DBIAS]]
  return %dw, %dbias : !axloom.tensor<hidden: 8, model: 4, f32>, !axloom.tensor<hidden: 8, f32>
}

// -----

// What the loss does not depend on gets zeros; nothing else is built.
// CHECK-LABEL: func.func @independent
func.func @independent(%x: !axloom.tensor<a: 3, f32>, %y: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, f32> {
  %loss = axloom.reduce "sum" %x over ["a"] : <a: 3, f32> -> <f32>
  // CHECK: %[[ZERO:.*]] = axloom.constant 0.0
  // CHECK-NEXT: %[[ZEROS:.*]] = axloom.broadcast %[[ZERO]] to !axloom.tensor<a: 3, f32>
  // CHECK-NEXT: return %[[ZEROS]]
  %dy = axloom.gradient %loss wrt(%y) : <f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>
  return %dy : !axloom.tensor<a: 3, f32>
}

// -----

// An intermediate value: the walk ends there.
// CHECK-LABEL: func.func @intermediate
func.func @intermediate(%x: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, f32> {
  // CHECK: %[[Y:.*]] = axloom.exp
  %y = axloom.exp %x : <a: 3, f32> -> <a: 3, f32>
  // CHECK: %[[Z:.*]] = axloom.sin %[[Y]]
  %z = axloom.sin %y : <a: 3, f32> -> <a: 3, f32>
  %loss = axloom.reduce "sum" %z over ["a"] : <a: 3, f32> -> <f32>
  // CHECK: %[[COS:.*]] = axloom.cos %[[Y]]
  // CHECK-NEXT: %[[DY:.*]] = axloom.mul %{{.*}}, %[[COS]]
  // CHECK-NEXT: return %[[DY]]
  %dy = axloom.gradient %loss wrt(%y) : <f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>
  return %dy : !axloom.tensor<a: 3, f32>
}

// -----

// Nothing goes through stop_gradient, not even to ops without an adjoint; then it is gone.
// CHECK-LABEL: func.func @straight_through
func.func @straight_through(%x: !axloom.tensor<a: 3, f32>) -> (!axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>) {
  // CHECK: %[[FLOOR:.*]] = axloom.floor %arg0
  %floor = axloom.floor %x : <a: 3, f32> -> <a: 3, f32>
  // CHECK-NEXT: %[[ERROR:.*]] = axloom.sub %[[FLOOR]], %arg0
  %error = axloom.sub %floor, %x : <a: 3, f32>, <a: 3, f32> -> <a: 3, f32>
  // CHECK-NOT: stop_gradient
  %stopped = axloom.stop_gradient %error : <a: 3, f32> -> <a: 3, f32>
  // CHECK-NEXT: %[[Y:.*]] = axloom.add %arg0, %[[ERROR]]
  %y = axloom.add %x, %stopped : <a: 3, f32>, <a: 3, f32> -> <a: 3, f32>
  // CHECK: axloom.sin %[[Y]]
  %sine = axloom.sin %y : <a: 3, f32> -> <a: 3, f32>
  %loss = axloom.reduce "sum" %sine over ["a"] : <a: 3, f32> -> <f32>
  // CHECK: %[[COS:.*]] = axloom.cos %[[Y]]
  // CHECK-NEXT: %[[DX:.*]] = axloom.mul %{{.*}}, %[[COS]]
  %dx, %dstopped = axloom.gradient %loss wrt(%x, %stopped) : <f32>, !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>
  // CHECK-NEXT: return %[[DX]], %[[DX]]
  return %dx, %dstopped : !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>
}

// -----

// Adjoint ops carry the forward op's line.
// CHECK-LABEL: func.func @locations
func.func @locations(%x: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, f32> {
  %y = axloom.log %x : <a: 3, f32> -> <a: 3, f32> loc("model.cpp":12:3)
  %loss = axloom.reduce "sum" %y over ["a"] : <a: 3, f32> -> <f32>
  // CHECK: axloom.div {{.*}} loc(#[[LINE:.*]])
  // CHECK: #[[LINE]] = loc("model.cpp":12:3)
  %dx = axloom.gradient %loss wrt(%x) : <f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>
  return %dx : !axloom.tensor<a: 3, f32>
}

// -----

func.func @noAdjoint(%x: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, f32> {
  // expected-error@+1 {{'axloom.floor' has no adjoint, but a gradient is asked for through it}}
  %y = axloom.floor %x : <a: 3, f32> -> <a: 3, f32>
  %loss = axloom.reduce "sum" %y over ["a"] : <a: 3, f32> -> <f32>
  // expected-remark@+1 {{the gradient was asked for here}}
  %dx = axloom.gradient %loss wrt(%x) : <f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>
  return %dx : !axloom.tensor<a: 3, f32>
}

// -----

// Off the path to the loss, it is no mistake.
func.func @noAdjointNeeded(%x: !axloom.tensor<a: 3, f32>) -> (!axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>) {
  %y = axloom.floor %x : <a: 3, f32> -> <a: 3, f32>
  %loss = axloom.reduce "sum" %x over ["a"] : <a: 3, f32> -> <f32>
  %dx = axloom.gradient %loss wrt(%x) : <f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>
  return %dx, %y : !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>
}

// -----

// The scores of a bias' gradient are those of the forward pass, which rounds none of them.
// CHECK-LABEL: func.func @learned_bias
func.func @learned_bias(%q: !axloom.tensor<depth: 4, query: 3, bf16>, %k: !axloom.tensor<depth: 4, key: 3, bf16>,
                        %v: !axloom.tensor<key: 3, value: 8, bf16>, %bias: !axloom.tensor<key: 3, query: 3, bf16>)
    -> !axloom.tensor<key: 3, query: 3, bf16> {
  %y, %n = axloom.attention %q, %k, %v bias %bias depth "depth" key "key" scale 0.5 : !axloom.tensor<depth: 4, query: 3, bf16>, !axloom.tensor<depth: 4, key: 3, bf16>, !axloom.tensor<key: 3, value: 8, bf16> bias !axloom.tensor<key: 3, query: 3, bf16> -> !axloom.tensor<query: 3, value: 8, bf16>, !axloom.tensor<query: 3, f32>
  %loss = axloom.reduce "sum" %y over ["query", "value"] : <query: 3, value: 8, bf16> -> <bf16>
  // CHECK: axloom.contract {{.*}} over ["depth"] : <depth: 4, query: 3, f32>, <depth: 4, key: 3, f32> -> <key: 3, query: 3, f32>
  // CHECK: axloom.exp {{.*}} : <key: 3, query: 3, f32>
  // CHECK: %[[BIAS:.*]] = axloom.cast {{.*}} to bf16 : <key: 3, query: 3, f32>
  // CHECK: return %[[BIAS]]
  %db = axloom.gradient %loss wrt(%bias) : <bf16>, !axloom.tensor<key: 3, query: 3, bf16> -> !axloom.tensor<key: 3, query: 3, bf16>
  return %db : !axloom.tensor<key: 3, query: 3, bf16>
}
