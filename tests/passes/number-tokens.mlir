// RUN: axloom-opt %s --number-tokens | FileCheck %s
// RUN: axloom-opt %s --axloom-pipeline="stop-after=form-kernels" | FileCheck %s --check-prefix=FUSED

axloom.size @B max 64
axloom.size @S max 32
axloom.size @T max 32

!seed = !axloom.tensor<i32>
!number = !axloom.tensor<f32>
!x = !axloom.tensor<batch: B, model: 8, source: S[batch], f32>
!h = !axloom.tensor<batch: B, hidden: 16, source: S[batch], f32>
!hm = !axloom.tensor<batch: B, hidden: 16, source: S[batch], i1>
!w = !axloom.tensor<hidden: 16, model: 8, f32>
!y = !axloom.tensor<batch: B, model: 8, target: T[batch], f32>
!first = !axloom.tensor<aa: 2, batch: B, source: S[batch], f32>
!tokens = !axloom.tensor<batch: B, source: S[batch], f32>
!counters = !axloom.tensor<batch: B, source: S[batch], i32>
!masks = !axloom.tensor<batch: B, key: S[batch], query: S[batch], f32>
!plain = !axloom.tensor<batch: B, model: 8, f32>

// Dropout behind a product is part of its kernel, and no mask goes to memory.
// CHECK-LABEL: func.func @dropout(
// CHECK: %[[C:.*]] = axloom.counters [0, 2] : !axloom.tensor<batch: B, source: S[batch], i32>
// CHECK: axloom.random %arg2, %arg2, %arg2 from %[[C]] numbers [1] :
// FUSED-LABEL: func.func @dropout(
// FUSED: %[[C:.*]] = axloom.kernel "counters"()
// FUSED-NEXT: axloom.counters
// FUSED: axloom.kernel "contraction"({{.*}}%[[C]]
// FUSED: axloom.contract
// FUSED: axloom.random
// FUSED: axloom.compare
// FUSED: axloom.select
// FUSED: axloom.mul
// FUSED-NEXT: axloom.yield
// FUSED-NOT: axloom.kernel
// FUSED: return
func.func @dropout(%x: !x, %w: !w, %seed: !seed) -> !h {
  %rate = axloom.constant 0.1 : f32 : !number
  %scale = axloom.constant 1.1 : f32 : !number
  %zero = axloom.constant 0.0 : f32 : !number
  %h = axloom.contract %x, %w over ["model"] : !x, !w -> !h
  %u = axloom.random %seed, %seed, %seed : !seed, !seed, !seed -> !h !h
  %kept = axloom.compare "ge" %u, %rate : !h, !number -> !hm
  %keep = axloom.select %kept, %scale, %zero : !hm, !number, !number -> !h
  %y = axloom.mul %h, %keep : !h, !h -> !h
  return %y : !h
}

// Tokens of one kind share their counters, unless their axes have other numbers; each draw numbers
// the axes that are its own.
// CHECK-LABEL: func.func @several(
// CHECK-DAG: %[[SOURCE:.*]] = axloom.counters [0, 2] : !axloom.tensor<batch: B, source: S[batch], i32>
// CHECK-DAG: %[[TARGET:.*]] = axloom.counters [0, 2] : !axloom.tensor<batch: B, target: T[batch], i32>
// CHECK-DAG: %[[SECOND:.*]] = axloom.counters [1, 2] : !axloom.tensor<batch: B, source: S[batch], i32>
// CHECK-NOT: axloom.counters
// CHECK: axloom.random %arg0, %arg0, %arg0 from %[[SOURCE]] numbers [1]
// CHECK: axloom.random %arg0, %arg0, %arg0 from %[[SOURCE]] numbers [1]
// CHECK: axloom.random %arg0, %arg0, %arg0 from %[[TARGET]] numbers [1]
// CHECK: axloom.random %arg0, %arg0, %arg0 from %[[SECOND]] numbers [0]
func.func @several(%seed: !seed) -> (!x, !h, !y, !first) {
  %x = axloom.random %seed, %seed, %seed : !seed, !seed, !seed -> !x !x
  %h = axloom.random %seed, %seed, %seed : !seed, !seed, !seed -> !h !h
  %y = axloom.random %seed, %seed, %seed : !seed, !seed, !seed -> !y !y
  %first = axloom.random %seed, %seed, %seed : !seed, !seed, !seed -> !first !first
  return %x, %h, %y, %first : !x, !h, !y, !first
}

// A number for each token: its counters are no part of the kernel that multiplies, which would
// have to tell entries apart.
// CHECK-LABEL: func.func @tokens(
// CHECK: axloom.random %arg2, %arg2, %arg2 from %{{.*}} numbers [] :
// FUSED-LABEL: func.func @tokens(
// FUSED: axloom.kernel "counters"
// FUSED: axloom.kernel "contraction"
// FUSED-NOT: axloom.counters
// FUSED: return
func.func @tokens(%x: !x, %w: !axloom.tensor<model: 8, f32>, %seed: !seed) -> !tokens {
  %y = axloom.contract %x, %w over ["model"] : !x, !axloom.tensor<model: 8, f32> -> !tokens
  %u = axloom.random %seed, %seed, %seed : !seed, !seed, !seed -> !tokens !tokens
  %z = axloom.mul %y, %u : !tokens, !tokens -> !tokens
  return %z : !tokens
}

// Without raggedness coordinates are known everywhere; attention goes through the entries anyway;
// and what has counters keeps them.
// CHECK-LABEL: func.func @left(
// CHECK-NOT: axloom.counters
// CHECK: from %arg1 numbers [1]
func.func @left(%seed: !seed, %counters: !counters) -> (!plain, !masks, !x) {
  %a = axloom.random %seed, %seed, %seed : !seed, !seed, !seed -> !plain !plain
  %b = axloom.random %seed, %seed, %seed : !seed, !seed, !seed -> !masks !masks
  %c = axloom.random %seed, %seed, %seed from %counters numbers [1] : !seed, !seed, !seed, !counters -> !x !x
  return %a, %b, %c : !plain, !masks, !x
}
