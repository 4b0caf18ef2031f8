// One message that names the place, and the exit code 1.
// RUN: not axloom %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING --strict-whitespace --match-full-lines
// RUN: not axloom %s 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not axloom /dev/null --output %t.none 2>&1 | FileCheck %s --check-prefix=EMPTY --strict-whitespace --match-full-lines
// RUN: echo 'func.func private @f(%%x: !axloom.tensor<b: 4, f32> {axloom.name = "x"})' > %t.declared
// RUN: not axloom %t.declared 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: echo 'func.func @f(%%x: i32) -> i32 { return %%x : i32 }' > %t.number
// RUN: not axloom %t.number 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not axloom --functions=f,g %t.number 2>&1 | FileCheck %s --check-prefix=FUNCTIONS --strict-whitespace --match-full-lines
// RUN: echo 'axloom.size @U max 9 func.func @f() -> !axloom.tensor<f32> { %%i = axloom.iota "b" size <U> : <b: U, i32> %%x = axloom.cast %%i to f32 : <b: U, i32> -> <b: U, f32> %%y = axloom.reduce "sum" %%x over ["b"] : <b: U, f32> -> <f32> return %%y : !axloom.tensor<f32> }' > %t.untold
// RUN: not axloom %t.untold 2>&1 | FileCheck %s --check-prefix=UNTOLD
// RUN: echo 'axloom.size @U max 9 func.func @f(%%x: !axloom.tensor<f32>) -> !axloom.tensor<f32> { %%n = axloom.size_of <U> : <f32> %%y = axloom.mul %%x, %%n : <f32>, <f32> -> <f32> return %%y : !axloom.tensor<f32> }' > %t.number_untold
// RUN: not axloom %t.number_untold 2>&1 | FileCheck %s --check-prefix=NUMBER-UNTOLD
// RUN: echo 'axloom.size @U max 9 func.func @f(%%x: !axloom.tensor<f32>) -> !axloom.tensor<f32> { %%y = axloom.broadcast %%x to !axloom.tensor<b: U, f32> : <f32> -> <b: ?, f32> %%z = axloom.reduce "sum" %%y over ["b"] : <b: ?, f32> -> <f32> return %%z : !axloom.tensor<f32> }' > %t.open
// RUN: not axloom %t.open 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not axloom --jobs=many %s 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not axloom --tune %s 2>&1 | FileCheck %s --check-prefix=TUNE
// RUN: echo 'axloom.size @T max 9 func.func @f(%%x: !axloom.tensor<b: 2, t: T[b], f32>) -> !axloom.tensor<b: 2, f32> { %%s = axloom.reduce "sum" %%x over ["t"] : <b: 2, t: T[b], f32> -> <b: 2, f32> %%n = axloom.size_of <T> : <f32> %%y = axloom.div %%s, %%n : <b: 2, f32>, <f32> -> <b: 2, f32> return %%y : !axloom.tensor<b: 2, f32> }' > %t.padded
// RUN: not axloom %t.padded 2>&1 | FileCheck %s --check-prefix=PADDED
// RUN: echo 'func.func @f(%%x: !axloom.tensor<b: B, f32>) -> !axloom.tensor<b: B, f32> { %%s = axloom.reduce "sum" %%x over ["b"] : <b: B, f32> -> <f32> %%y = axloom.gradient %%s wrt (%%x) : !axloom.tensor<f32>, !axloom.tensor<b: B, f32> -> !axloom.tensor<b: B, f32> return %%y : !axloom.tensor<b: B, f32> }' > %t.undeclared
// RUN: not axloom --check-gradients %t.undeclared 2>&1 | FileCheck %s --check-prefix=UNDECLARED

//MISSING:error: cannot read '{{.*}}.missing': No such file or directory
//EMPTY:error: the program has no function, so there is nothing to compile
//FUNCTIONS:error: --functions names 'g', expected some of f
// DECLARED: 1:1: error: function 'f' has no body
// NUMBER: error: argument 0 has type 'i32', expected an axloom tensor
// UNTOLD: 1:{{[0-9]+}}: error: size 'U' of axis 'b' cannot be told by a call of function 'f'; expected an argument, a result or a session variable with an axis of size U
// OPEN: 1:{{[0-9]+}}: error: size 'U' of axis 'b' cannot be told by a call of function 'f'
// NUMBER-UNTOLD: 1:{{[0-9]+}}: error: size 'U' cannot be told by a call of function 'f'; expected an argument
// SIZES: errors.mlir:[[#@LINE+10]]:{{[0-9]+}}: error: {{.*}}axis 'model' has size 4 {{.*}}, 5
// SIZES-NOT: error:
// FLAG: error: {{.*}}--jobs = many
// FLAG-NOT: error:
// TUNE: error: --tune: '{{.*}}errors.mlir' has no values of sizes, as in B=32,S=64; where there are none, write --tune= or put it last
// PADDED: 1:{{[0-9]+}}: error: size 'T' cannot be told by a call of function 'f'; expected an argument
// UNDECLARED: 1:14: error: size symbol 'B' of axis 'b' of argument 0 is not declared

func.func @f(%a: !axloom.tensor<model: 4, f32>, %b: !axloom.tensor<model: 5, f32>) -> !axloom.tensor<model: 4, f32> {
  // The graph's author sees the op's own line.
  %y = axloom.add %a, %b : !axloom.tensor<model: 4, f32>, !axloom.tensor<model: 5, f32> -> !axloom.tensor<model: 4, f32>
  return %y : !axloom.tensor<model: 4, f32>
}
