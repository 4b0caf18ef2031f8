// The order of the passes, and what switches do to it.

// RUN: axloom-opt %s --axloom-pipeline="stop-after=simplify" --mlir-timing --mlir-timing-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES-DAG: Infer
// PASSES-DAG: Differentiate
// PASSES-NOT: FormKernels

// RUN: axloom-opt %s --axloom-pipeline="stop-after=differentiate" | FileCheck %s --check-prefix=STOPPED
// STOPPED: axloom.cos
// STOPPED-NOT: axloom.kernel

// RUN: axloom-opt %s --axloom-pipeline="disable=simplify stop-after=differentiate" | FileCheck %s --check-prefix=DISABLED
// DISABLED: axloom.exp
// DISABLED: axloom.exp

// RUN: not axloom-opt %s --axloom-pipeline="disable=infer" 2>&1 | FileCheck %s --check-prefix=MANDATORY
// MANDATORY: cannot disable 'infer'; the optimizations are simplify, recognize-attention,

// RUN: not axloom-opt %s --axloom-pipeline="stop-after=nothing" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: cannot stop after 'nothing'; the passes are infer,

// RUN: not axloom-opt %s --axloom-pipeline="stop-after=fuse-horizontal" 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: cannot stop after 'fuse-horizontal', which is off

func.func @step(%x: !axloom.tensor<a: 3, f32>) -> (!axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>) {
  %y = axloom.sin %x : <a: 3, f32> -> <a: 3, f32>
  %unused = axloom.exp %x : <a: 3, f32> -> <a: 3, f32>
  %twice = axloom.exp %x : <a: 3, f32> -> <a: 3, f32>
  %loss = axloom.reduce "sum" %y over ["a"] : <a: 3, f32> -> <f32>
  %dx = axloom.gradient %loss wrt(%x) : <f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>
  return %dx, %twice : !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>
}
