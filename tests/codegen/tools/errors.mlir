// One message that names the place, and the exit code 1.
// RUN: not axloom %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING --strict-whitespace --match-full-lines
// RUN: not axloom %s 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not axloom /dev/null --output %t.none 2>&1 | FileCheck %s --check-prefix=EMPTY --strict-whitespace --match-full-lines
// RUN: not axloom --jobs=many %s 2>&1 | FileCheck %s --check-prefix=FLAG

//MISSING:error: cannot read '{{.*}}.missing': No such file or directory
//EMPTY:error: the graph '/dev/null' has no function
// SIZES: errors.mlir:[[#@LINE+7]]:{{[0-9]+}}: error: {{.*}}axis 'model' has size 4 {{.*}}, 5
// SIZES-NOT: error:
// FLAG: error: {{.*}}--jobs = many
// FLAG-NOT: error:

func.func @f(%a: !axloom.tensor<model: 4, f32>, %b: !axloom.tensor<model: 5, f32>) -> !axloom.tensor<model: 4, f32> {
  // The graph's author sees the op's own line.
  %y = axloom.add %a, %b : !axloom.tensor<model: 4, f32>, !axloom.tensor<model: 5, f32> -> !axloom.tensor<model: 4, f32>
  return %y : !axloom.tensor<model: 4, f32>
}
