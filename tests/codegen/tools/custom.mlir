// A printed graph does not bring along what its custom ops mean: passes take it, and the backend
// says at the op's own line why it cannot compile it.
// RUN: axloom --emit=planned %s | FileCheck %s --check-prefix=PLANNED
// RUN: not axloom --cache %t.cache --output %t.bundle %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not axloom --check-gradients %s 2>&1 | FileCheck %s --check-prefix=GRADIENTS

// PLANNED: axloom.custom @gate
// REFUSED: custom.mlir:[[#@LINE+7]]:{{[0-9]+}}: error: op 'gate' is not defined here: what it means is C++ in the program that its author wrote, so run that program and not its printed graph
// REFUSED-NOT: error:
// GRADIENTS: error: no function of the program asks for a gradient

axloom.size @B max 64
func.func @f(%x: !axloom.tensor<batch: B, f32> {axloom.name = "x", axloom.order = ["batch"]})
    -> (!axloom.tensor<batch: B, f32> {axloom.name = "y", axloom.order = ["batch"]}) {
  %y = axloom.custom @gate(%x) : (!axloom.tensor<batch: B, f32>) -> !axloom.tensor<batch: B, f32>
  return %y : !axloom.tensor<batch: B, f32>
}
