// Of a ragged batch, a memory budget is told how many tokens there are, and how many pairs of them.
// RUN: axloom-opt %s --axloom-pipeline="memory-budget=960@total.S=40,total.T=30,total.S.T=150" | FileCheck %s
// CHECK: func.func @attend

// RUN: not axloom-opt %s --axloom-pipeline="memory-budget=959@total.S=40,total.T=30,total.S.T=150" 2>&1 | FileCheck %s --check-prefix=LEAST
// LEAST: error: 'attend' takes 960 bytes for results between kernels at total.S=40, total.S.T=150, total.T=30; the memory budget is 959, and the least that recomputation reaches is 960

// RUN: not axloom-opt %s --axloom-pipeline="memory-budget=960@B=8,S=16,T=16" 2>&1 | FileCheck %s --check-prefix=TENSOR
// TENSOR: error: a tensor of 'attend' has 4*total.T elements, which the sizes of the memory budget (B=8, S=16, T=16) do not tell; name each size after '@'

// RUN: not axloom-opt %s --axloom-pipeline="memory-budget=960@total.S=40,total.T=30" 2>&1 | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: error: a product of 'attend' has 4*total.S.T multiply-adds, which the sizes of the memory budget (total.S=40, total.T=30) do not tell; name each size after '@'

axloom.size @B max 8
axloom.size @S max 16
axloom.size @T max 16
!q = !axloom.tensor<batch: B, depth: 4, query: T[batch], f32>
!k = !axloom.tensor<batch: B, depth: 4, key: S[batch], f32>
!v = !axloom.tensor<batch: B, key: S[batch], value: 8, f32>
!y = !axloom.tensor<batch: B, query: T[batch], value: 8, f32>
!w = !axloom.tensor<model: 16, value: 8, f32>
!z = !axloom.tensor<batch: B, model: 16, query: T[batch], f32>

func.func @attend(%q: !q, %k: !k, %v: !v, %w: !w) -> !z {
  %y, %n = axloom.attention %q, %k, %v depth "depth" key "key" scale 0.5 : !q, !k, !v -> !y, !axloom.tensor<batch: B, query: T[batch], f32>
  %z = axloom.contract %y, %w over ["value"] : !y, !w -> !z
  return %z : !z
}
