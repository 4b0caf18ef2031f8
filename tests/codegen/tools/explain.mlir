// The tool explains a graph: all of it, one line of it, with sizes and without.
// RUN: axloom explain %s --cache %t.cache | FileCheck %s --check-prefix=ALL
// RUN: axloom --emit=explain %s --cache %t.cache | FileCheck %s --check-prefix=ALL
// RUN: axloom explain --cache %t.cache --line explain.mlir:21 --peak 100 --bandwidth 10 --sizes B=8,S=16 %s | FileCheck %s --check-prefix=LINE
// RUN: axloom explain %s --cache %t.cache --disable recognize-attention | FileCheck %s --check-prefix=OFF
// RUN: not axloom explain %s --sizes B=8 2>&1 | FileCheck %s --check-prefix=MISSING --strict-whitespace --match-full-lines

!q = !axloom.tensor<batch: B, depth: 64, heads: 8, query: S, f32>
!k = !axloom.tensor<batch: B, depth: 64, heads: 8, key: S, f32>
!w = !axloom.tensor<depth: 64, heads: 8, model: 4, f32>
!scores = !axloom.tensor<batch: B, heads: 8, key: S, query: S, f32>
!out = !axloom.tensor<batch: B, model: 4, query: S, f32>
axloom.size @B max 8
axloom.size @S max 64
func.func @f(%q: !q {axloom.order = ["batch", "query", "heads", "depth"]},
             %k: !k {axloom.order = ["batch", "key", "heads", "depth"]},
             %v: !k {axloom.order = ["batch", "key", "heads", "depth"]},
             %w: !w {axloom.order = ["heads", "depth", "model"]})
    -> (!out {axloom.order = ["batch", "query", "model"]}) {
  %scores = axloom.contract %q, %k over ["depth"] : !q, !k -> !scores
  %weights = axloom.softmax %scores over "key" : !scores -> !scores
  %y = axloom.contract %weights, %v over ["key"] : !scores, !k -> !q
  %out = axloom.contract %y, %w over ["depth", "heads"] : !q, !w -> !out
  return %out : !out
}

// An attention has the lines of all that it was made of, and is a kernel of its own.
// ALL: function f: {{[0-9]+}} launches, arena {{.*}} MB with all sizes at their maxima
// ALL-NEXT: f.0.attention, {{attention|blocks}}
// ALL-NEXT: multiply-adds: 1024*B*S*S
// ALL: explain.mlir:20 attention
// ALL-NEXT: explain.mlir:21 attention
// ALL-NEXT: explain.mlir:22 attention
// ALL-NEXT: - explain.mlir:22: attention was made of scores, softmax and their product with values
// ALL: f.1.contraction, contraction
// ALL: - explain.mlir:23: contract is not part of f.0.attention: a contraction joins that of another one alone, as a feed-forward block

// 2 * 1024 * 8 * 16 * 16 operations at 100 GFLOP/s.
// LINE: at B=8, S=16; the machine: 100 GFLOP/s, 10 GB/s
// LINE: function f: 1 launch of explain.mlir:21
// LINE: 0.004194 {{.*}} f.0.attention
// LINE-NOT: f.1

// OFF: off: recognize-attention (--disable=recognize-attention)
//MISSING:error: --sizes lacks 'S'; the sizes are B, S
