// RUN: axloom-opt %s --recompute-activations | FileCheck %s
// RUN: axloom-opt %s --recompute-activations --remarks-filter=recompute-activations -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: axloom-opt %s --recompute-activations --form-kernels | FileCheck %s --check-prefix=KERNELS

!in = !axloom.tensor<batch: B, model: 32, f32>
!h = !axloom.tensor<batch: B, hidden: 64, f32>
!w = !axloom.tensor<hidden: 64, model: 32, f32>
axloom.size @B max 128

// Of two factors and a slope, the later kernel needs none from memory but what they come of.
// CHECK-LABEL: func.func @activation
// CHECK: %[[H:.*]] = axloom.contract
// CHECK-NEXT: axloom.tanh %[[H]]
// CHECK-NOT: axloom.sub
// CHECK: axloom.contract
// CHECK: axloom.contract
// CHECK: %[[T:.*]] = axloom.tanh %[[H]] {axloom.recomputed = {{.*}}}
// CHECK-DAG: axloom.mul %[[H]], %{{.*}} {axloom.recomputed = {{.*}}}
// CHECK-DAG: %[[SQUARE:.*]] = axloom.mul %[[T]], %[[T]] {axloom.recomputed = {{.*}}}
// CHECK-DAG: axloom.sub %{{.*}}, %[[SQUARE]] {axloom.recomputed = {{.*}}}
// CHECK: return
// SAID: [Passed] recompute-activations {{.*}}Remark="tanh is computed again where it is read, which takes less time than to keep it"
func.func @activation(%x: !in, %w1: !w, %w2: !w, %g: !in) -> (!in, !h) {
  %one = axloom.constant 1.0 : f32 : !axloom.tensor<f32>
  %half = axloom.constant 0.5 : f32 : !axloom.tensor<f32>
  %h = axloom.contract %x, %w1 over ["model"] : !in, !w -> !h
  %t = axloom.tanh %h : !h -> !h
  %u = axloom.add %t, %one : !h, !axloom.tensor<f32> -> !h
  %v = axloom.mul %h, %half : !h, !axloom.tensor<f32> -> !h
  %y = axloom.mul %v, %u : !h, !h -> !h
  %square = axloom.mul %t, %t : !h, !h -> !h
  %slope = axloom.sub %one, %square : !axloom.tensor<f32>, !h -> !h
  %out = axloom.contract %y, %w2 over ["hidden"] : !h, !w -> !in
  %dy = axloom.contract %g, %w2 over ["model"] : !in, !w -> !h
  %dv = axloom.mul %dy, %u : !h, !h -> !h
  %du = axloom.mul %dy, %v : !h, !h -> !h
  %dt = axloom.mul %du, %slope : !h, !h -> !h
  %dh = axloom.add %dv, %dt : !h, !h -> !h
  return %out, %dh : !in, !h
}

// What a contraction reads is in memory anyway, and read from there.
// CHECK-LABEL: func.func @stored
// CHECK-NOT: axloom.recomputed
// CHECK: return
func.func @stored(%x: !in, %w1: !w, %w2: !w, %g: !in) -> (!in, !h) {
  %h = axloom.contract %x, %w1 over ["model"] : !in, !w -> !h
  %e = axloom.exp %h : !h -> !h
  %y = axloom.mul %e, %h : !h, !h -> !h
  %out = axloom.contract %y, %w2 over ["hidden"] : !h, !w -> !in
  %dy = axloom.contract %g, %w2 over ["model"] : !in, !w -> !h
  %r = axloom.mul %dy, %y : !h, !h -> !h
  return %out, %r : !in, !h
}

// Each later kernel computes for itself, a mask of the value, too.
// CHECK-LABEL: func.func @twoReaders
// CHECK: %[[H:.*]] = axloom.contract
// CHECK: axloom.exp %[[H]] :
// CHECK: axloom.contract
// CHECK: axloom.exp %[[H]] {axloom.recomputed = {{.*}}}
// CHECK: axloom.contract
// CHECK: axloom.exp %[[H]] {axloom.recomputed = {{.*}}}
// CHECK: axloom.compare "lt" {{.*}} {axloom.recomputed = {{.*}}}
// CHECK: return
func.func @twoReaders(%x: !in, %w1: !w, %w2: !w, %g: !in) -> (!in, !h, !h) {
  %h = axloom.contract %x, %w1 over ["model"] : !in, !w -> !h
  %e = axloom.exp %h : !h -> !h
  %u = axloom.add %e, %h : !h, !h -> !h
  %y = axloom.mul %u, %u : !h, !h -> !h
  %out = axloom.contract %y, %w2 over ["hidden"] : !h, !w -> !in
  %small = axloom.compare "lt" %u, %e : !h, !h -> !axloom.tensor<batch: B, hidden: 64, i1>
  %p = axloom.contract %g, %w2 over ["model"] : !in, !w -> !h
  %a = axloom.mul %p, %e : !h, !h -> !h
  %q = axloom.contract %g, %w1 over ["model"] : !in, !w -> !h
  %b = axloom.mul %q, %u : !h, !h -> !h
  %c = axloom.select %small, %b, %q : !axloom.tensor<batch: B, hidden: 64, i1>, !h, !h -> !h
  return %out, %a, %c : !in, !h, !h
}

// So it is if ops that each kernel computes for itself stand between.
// CHECK-LABEL: func.func @storedNegated
// CHECK-NOT: axloom.recomputed
// CHECK: return
func.func @storedNegated(%x: !in, %w1: !w, %w2: !w, %g: !in) -> (!in, !h) {
  %h = axloom.contract %x, %w1 over ["model"] : !in, !w -> !h
  %e = axloom.exp %h : !h -> !h
  %y = axloom.mul %e, %h : !h, !h -> !h
  %n = axloom.neg %y : !h -> !h
  %out = axloom.contract %n, %w2 over ["hidden"] : !h, !w -> !in
  %dy = axloom.contract %g, %w2 over ["model"] : !in, !w -> !h
  %r = axloom.mul %dy, %y : !h, !h -> !h
  %s = axloom.mul %r, %h : !h, !h -> !h
  return %out, %s : !in, !h
}

// What a maximum was taken from is compared with it as it was.
// CHECK-LABEL: func.func @largest
// CHECK-NOT: axloom.recomputed
// CHECK: return
func.func @largest(%a: !axloom.tensor<batch: B, f32>, %c: !axloom.tensor<hidden: 64, f32>, %g: !in, %w: !w) -> !h {
  %v = axloom.mul %a, %c : !axloom.tensor<batch: B, f32>, !axloom.tensor<hidden: 64, f32> -> !h
  %m = axloom.reduce "max" %v over ["batch"] : !h -> !axloom.tensor<hidden: 64, f32>
  %dy = axloom.contract %g, %w over ["model"] : !in, !w -> !h
  %is = axloom.compare "eq" %v, %m : !h, !axloom.tensor<hidden: 64, f32> -> !axloom.tensor<batch: B, hidden: 64, i1>
  %zero = axloom.constant 0.0 : f32 : !axloom.tensor<f32>
  %r = axloom.select %is, %dy, %zero : !axloom.tensor<batch: B, hidden: 64, i1>, !h, !axloom.tensor<f32> -> !h
  return %r : !h
}

// Twice over, as where gradients of two batches are added: what the second one computes again joins
// neither its own kernel, though that stands behind clones, nor what the first one does.
// KERNELS-LABEL: func.func @twice
// KERNELS: axloom.contract
// KERNELS: axloom.kernel "pointwise"
// KERNELS: axloom.exp
// KERNELS: axloom.yield %{{[^,]*}} :
// KERNELS: axloom.contract
// KERNELS: axloom.kernel "contraction"
// KERNELS: axloom.exp
// KERNELS: axloom.kernel "pointwise"
// KERNELS: axloom.exp
// KERNELS: axloom.yield %{{[^,]*}} :
// KERNELS: axloom.kernel "contraction"
// KERNELS: axloom.exp
// KERNELS-NOT: axloom.exp
// KERNELS: return
func.func @twice(%x: !in, %w1: !w, %w2: !w, %g: !in) -> (!in, !h, !in, !h) {
  %h = axloom.contract %x, %w1 over ["model"] : !in, !w -> !h
  %e = axloom.exp %h : !h -> !h
  %y = axloom.mul %e, %h : !h, !h -> !h
  %out = axloom.contract %y, %w2 over ["hidden"] : !h, !w -> !in
  %dy = axloom.contract %g, %w2 over ["model"] : !in, !w -> !h
  %r = axloom.mul %dy, %e : !h, !h -> !h
  %e2 = axloom.exp %r : !h -> !h
  %y2 = axloom.mul %e2, %r : !h, !h -> !h
  %out2 = axloom.contract %y2, %w2 over ["hidden"] : !h, !w -> !in
  %dy2 = axloom.contract %out2, %w2 over ["model"] : !in, !w -> !h
  %r2 = axloom.mul %dy2, %e2 : !h, !h -> !h
  return %out, %r, %out2, %r2 : !in, !h, !in, !h
}
