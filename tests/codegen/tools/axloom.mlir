// The tool prints every stage, of a file or of standard input.
// RUN: axloom --emit=graph %s | FileCheck %s --check-prefix=GRAPH
// RUN: axloom --emit=graph < %s | FileCheck %s --check-prefix=GRAPH
// RUN: axloom --emit=fused %s | FileCheck %s --check-prefix=FUSED
// RUN: axloom --emit=planned %s | FileCheck %s --check-prefix=PLANNED
// RUN: axloom --emit=kernels --cache %t.cache %s | FileCheck %s --check-prefix=KERNELS
// RUN: axloom --emit=llvm --cache %t.cache --name tiny %s | FileCheck %s --check-prefix=LLVM
// RUN: axloom --emit=graph --disable simplify %s | FileCheck %s --check-prefix=GRAPH
// RUN: axloom --stop-after=infer %s | FileCheck %s --check-prefix=GRAPH
// RUN: axloom --cache %t.cache --name tiny --output %t.bundle %s && FileCheck %s --check-prefix=REPORT --input-file %t.bundle/tiny.txt

// GRAPH: axloom.neg
// GRAPH-NOT: axloom.kernel
// FUSED: axloom.kernel "pointwise"
// FUSED-NOT: placements
// PLANNED: placements = [#axloom.placement<result 0>]
// KERNELS: // kernel
// KERNELS: //   reads {{.*}}: [B] f32
// KERNELS: //   writes {{.*}}: [B] f32
// KERNELS: //   launched as f.0.pointwise
// KERNELS: call @axl_launch
// LLVM: @tiny_model = constant
// LLVM: define internal i32 @tiny_f_entry
// REPORT: model tiny for
// REPORT: function f: 1 kernels
// REPORT: f.0.pointwise {{.*}}axloom.mlir:30

axloom.size @B max 8
func.func @f(%x: !axloom.tensor<batch: B, f32> {axloom.name = "x"}) -> (!axloom.tensor<batch: B, f32> {axloom.name = "y"}) {
  %y = axloom.neg %x : !axloom.tensor<batch: B, f32> -> !axloom.tensor<batch: B, f32>
  return %y : !axloom.tensor<batch: B, f32>
}
