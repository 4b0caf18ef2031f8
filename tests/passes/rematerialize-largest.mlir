// What the largest elements were taken from is computed again only together with them: the gradient
// looks for the element that equals the largest one, to the last bit.
// RUN: axloom-opt %s --axloom-pipeline="memory-budget=80K@B=64 stop-after=rematerialize" | FileCheck %s
// CHECK: func.func @step
// CHECK: axloom.reduce "max" %[[B:.*]] over ["batch"] :
// CHECK: %[[AGAIN:.*]], %{{.*}}, %{{.*}} = axloom.layer_norm %{{.*}} over "inner" epsilon 1.000000e-05 {axloom.recomputed}
// CHECK: %[[LARGEST:.*]] = axloom.reduce "max" %[[AGAIN]] over ["batch"] {axloom.recomputed}
// CHECK: axloom.compare "eq" %[[AGAIN]], %[[LARGEST]]

axloom.size @B max 64
!x = !axloom.tensor<batch: B, model: 32, f32>
!r = !axloom.tensor<batch: B, f32>
!w = !axloom.tensor<inner: 32, model: 32, f32>
!y = !axloom.tensor<batch: B, inner: 32, f32>
!m = !axloom.tensor<inner: 32, f32>

func.func @step(%x: !x, %w: !w, %v: !w) -> (!w, !w) {
  %a = axloom.contract %x, %w over ["model"] : !x, !w -> !y
  %b, %ma, %ra = axloom.layer_norm %a over "inner" epsilon 1.0e-5 : !y -> !y, !r, !r
  %largest = axloom.reduce "max" %b over ["batch"] : !y -> !m
  %c = axloom.contract %b, %v over ["inner"] : !y, !w -> !x
  %d, %mc, %rc = axloom.layer_norm %c over "model" epsilon 1.0e-5 : !x -> !x, !r, !r
  %e = axloom.contract %d, %w over ["model"] : !x, !w -> !y
  %f, %me, %re = axloom.layer_norm %e over "inner" epsilon 1.0e-5 : !y -> !y, !r, !r
  %g = axloom.contract %f, %v over ["inner"] : !y, !w -> !x
  %h, %mg, %rg = axloom.layer_norm %g over "model" epsilon 1.0e-5 : !x -> !x, !r, !r
  %i = axloom.contract %h, %w over ["model"] : !x, !w -> !y
  %scaled = axloom.mul %i, %largest : !y, !m -> !y
  %t = axloom.tanh %scaled : !y -> !y
  %loss = axloom.reduce "sum" %t over ["batch", "inner"] : !y -> <f32>
  %dw, %dv = axloom.gradient %loss wrt(%w, %v) : <f32>, !w, !w -> !w, !w
  return %dw, %dv : !w, !w
}
