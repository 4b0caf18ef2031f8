// The order of the passes, and what switches do to it.

// RUN: axloom-opt %s --axloom-pipeline="wide-contractions=true report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: {{^}}infer: {{unchanged|changed}}
// ORDER: {{^}}simplify: {{unchanged|changed}}
// ORDER: {{^}}recognize-attention: {{unchanged|changed}}
// ORDER: {{^}}recognize-linear-cross-entropy: {{unchanged|changed}}
// ORDER: {{^}}fuse-horizontal: {{unchanged|changed}}
// ORDER: {{^}}differentiate: {{unchanged|changed}}
// ORDER: {{^}}simplify: {{unchanged|changed}}
// ORDER: {{^}}widen-sums: {{unchanged|changed}}
// ORDER: {{^}}lower-precision: {{unchanged|changed}}
// ORDER: {{^}}number-tokens: {{unchanged|changed}}
// ORDER: {{^}}recompute-activations: {{unchanged|changed}}
// ORDER: {{^}}form-kernels: {{unchanged|changed}}
// ORDER: {{^}}narrow-results: {{unchanged|changed}}
// ORDER: {{^}}assign-layouts: {{unchanged|changed}}
// ORDER: {{^}}group-updates: {{unchanged|changed}}
// ORDER: {{^}}plan-memory: {{unchanged|changed}}

// RUN: axloom-opt %s --axloom-pipeline="stop-after=simplify report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSES --implicit-check-not=widen-sums --implicit-check-not=form-kernels
// PASSES: {{^}}differentiate: changed
// PASSES: {{^}}simplify: changed

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
