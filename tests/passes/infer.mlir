// RUN: axloom-opt %s --infer --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @fill
// CHECK-SAME: -> !axloom.tensor<batch: B, hidden: 8, f32>
axloom.size @B max 64
func.func @fill(%x: !axloom.tensor<batch: B, model: 4, f32>, %w: !axloom.tensor<hidden: 8, model: 4, f32>)
    -> !axloom.tensor<batch: ?, hidden: ?, f32> {
  // CHECK: axloom.contract {{.*}} -> <batch: B, hidden: 8, f32>
  %h = axloom.contract %x, %w over ["model"] : <batch: B, model: 4, f32>, <hidden: 8, model: 4, f32> -> <batch: ?, hidden: 8, f32>
  // CHECK: axloom.exp {{.*}} : <batch: B, hidden: 8, f32> -> <batch: B, hidden: 8, f32>
  %y = axloom.exp %h : <batch: ?, hidden: 8, f32> -> <batch: ?, hidden: ?, f32>
  return %y : !axloom.tensor<batch: ?, hidden: ?, f32>
}

// -----

// expected-error@+1 {{size symbol 'B' of axis 'batch' of argument 'x' is not declared; expected `axloom.size @B max ...` in the module}}
func.func @undeclared(%x: !axloom.tensor<batch: B, f32> {axloom.name = "x"}) {
  return
}

// -----

// expected-error@+1 {{the size of axis 'batch' of argument 0 is not known; give it in the type}}
func.func @open(%x: !axloom.tensor<batch: ?, f32>) {
  return
}

// -----

// expected-error@+1 {{variable 'w' has 9 axes, expected at most 8}}
axloom.variable "state" @w : !axloom.tensor<a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, f32> order ["a", "b", "c", "d", "e", "f", "g", "h", "i"] init {kind = "zeros"}

// -----

// A mistake that only complete sizes show.
func.func @conflict(%x: !axloom.tensor<model: 4, f32>, %w: !axloom.tensor<model: 5, f32>) {
  %open = axloom.exp %x : <model: 4, f32> -> <model: ?, f32>
  // expected-error@+1 {{axis 'model' has size 4 on the left, 5 on the right}}
  %y = axloom.add %open, %w : <model: ?, f32>, <model: 5, f32> -> <model: 5, f32>
  return
}

// -----

func.func @declared(%x: !axloom.tensor<model: 4, f32>) {
  %open = axloom.exp %x : <model: 4, f32> -> <model: ?, f32>
  // expected-error@+1 {{'axloom.exp' is declared to give '!axloom.tensor<model: 5, f32>', but gives '!axloom.tensor<model: 4, f32>'}}
  %y = axloom.exp %open : <model: ?, f32> -> <model: 5, f32>
  return
}

// -----

axloom.size @S max 17
func.func @positions(%table: !axloom.tensor<model: 4, place: 16, f32>) {
  %position = axloom.iota "position" size <S> : <position: S, i32>
  %other = axloom.rename %position "position" to "key" : <position: S, i32> -> <key: S, i32>
  // expected-error@+1 {{axis 'position' has up to 17 positions, but axis 'place' of the table has size 16; lower the maximum of the positions, or give the table a row for each}}
  %y = axloom.gather %table, %other along "place" : !axloom.tensor<model: 4, place: 16, f32>, !axloom.tensor<key: S, i32> -> !axloom.tensor<key: S, model: 4, f32>
  return
}

// -----

// A row for each.
axloom.size @S max 16
func.func @enough(%table: !axloom.tensor<model: 4, place: 16, f32>) -> !axloom.tensor<model: 4, position: S, f32> {
  %position = axloom.iota "position" size <S> : <position: S, i32>
  %y = axloom.gather %table, %position along "place" : !axloom.tensor<model: 4, place: 16, f32>, !axloom.tensor<position: S, i32> -> !axloom.tensor<model: 4, position: S, f32>
  return %y : !axloom.tensor<model: 4, position: S, f32>
}

// -----

// expected-error@+1 {{function 'elsewhere' has no body; expected its ops here, since modules are compiled whole}}
func.func private @elsewhere(%x: !axloom.tensor<model: 4, f32>) -> !axloom.tensor<model: 4, f32>

// -----

func.func @undeclaredNumber(%x: !axloom.tensor<f32>) -> !axloom.tensor<f32> {
  // expected-error@+1 {{size symbol 'B' of 'axloom.size_of' is not declared; expected `axloom.size @B max ...` in the module}}
  %size = axloom.size_of <B> : <f32>
  %y = axloom.mul %x, %size : <f32>, <f32> -> <f32>
  return %y : !axloom.tensor<f32>
}

// -----

func.func @other() { return }
func.func @calling() {
  // expected-error@+1 {{'func.call' is not an op of axloom; expected ops of that dialect alone}}
  func.call @other() : () -> ()
  return
}

// -----

axloom.variable "state" @v : !axloom.tensor<model: 4, f32> order ["model"] init {kind = "zeros"}
func.func @overwriting(%x: !axloom.tensor<model: 4, f32>) {
  axloom.write @v, %x : <model: 4, f32>
  // expected-error@+1 {{variable 'v' is written twice in a function; expected one new value}}
  axloom.write @v, %x : <model: 4, f32>
  return
}

// -----

func.func @unknownNumber(%x: !axloom.tensor<f32>) -> !axloom.tensor<f32> {
  // expected-error@+2 {{'axloom.size_of' op failed to infer returned types}}
  // expected-error@+1 {{the size is not known; name it}}
  %size = axloom.size_of <?> : <f32>
  %y = axloom.mul %x, %size : <f32>, <f32> -> <f32>
  return %y : !axloom.tensor<f32>
}

// -----

func.func @countless(%x: !axloom.tensor<a: 65536, b: 65536, f32>, %y: !axloom.tensor<c: 65536, d: 65536, f32>) -> !axloom.tensor<f32> {
  // expected-error@+1 {{the result of 'axloom.mul' has type '!axloom.tensor<a: 65536, b: 65536, c: 65536, d: 65536, f32>', more elements than can be counted; expected fewer}}
  %z = axloom.mul %x, %y : !axloom.tensor<a: 65536, b: 65536, f32>, !axloom.tensor<c: 65536, d: 65536, f32> -> !axloom.tensor<a: 65536, b: 65536, c: 65536, d: 65536, f32>
  %s = axloom.reduce "max" %z over ["a", "b", "c", "d"] : !axloom.tensor<a: 65536, b: 65536, c: 65536, d: 65536, f32> -> !axloom.tensor<f32>
  return %s : !axloom.tensor<f32>
}

// -----

axloom.size @B max 65536
axloom.size @S max 65536
func.func @largeNumber(%x: !axloom.tensor<i32>) -> (!axloom.tensor<i32>, !axloom.tensor<f32>) {
  %all = axloom.size_of <B*S> : <f32>
  %tokens = axloom.size_of <32767*B> to i32 : <i32>
  // expected-error@+1 {{the size may be up to 4294967296, more than an i32 holds; lower the maxima of its symbols, or use it as f64}}
  %size = axloom.size_of <B*S> to i32 : <i32>
  %y = axloom.mul %x, %size : <i32>, <i32> -> <i32>
  return %y, %all : !axloom.tensor<i32>, !axloom.tensor<f32>
}

// -----

// expected-error@+1 {{function 'twice' has two arguments with the name 'a'; give each a name of its own}}
func.func @twice(%a: !axloom.tensor<f32> {axloom.name = "a"}, %b: !axloom.tensor<f32> {axloom.name = "a"}) {
  return
}

// -----

// expected-error@+1 {{function 'twice' has two results with the name 'y'; give each a name of its own}}
func.func @twice(%a: !axloom.tensor<f32>) -> (!axloom.tensor<f32> {axloom.name = "y"}, !axloom.tensor<f32> {axloom.name = "y"}) {
  return %a, %a : !axloom.tensor<f32>, !axloom.tensor<f32>
}

// -----

axloom.size @S max 4
func.func @beyond(%x: !axloom.tensor<position: S, f32>) -> !axloom.tensor<f32> {
  %at = axloom.constant 4 : i32 : !axloom.tensor<i32>
  // expected-error@+1 {{index 4 is outside of axis 'position', which has at most 4 elements; they count from 0}}
  %y = axloom.gather %x, %at along "position" : !axloom.tensor<position: S, f32>, !axloom.tensor<i32> -> !axloom.tensor<f32>
  return %y : !axloom.tensor<f32>
}

// -----

func.func @before(%x: !axloom.tensor<position: 4, f32>, %y: !axloom.tensor<f32>) -> !axloom.tensor<position: 4, f32> {
  %at = axloom.constant -1 : i32 : !axloom.tensor<i32>
  // expected-error@+1 {{index -1 is outside of axis 'position', which has at most 4 elements; they count from 0}}
  %z = axloom.update %x at %at with %y along "position" : !axloom.tensor<position: 4, f32>, !axloom.tensor<i32>, !axloom.tensor<f32> -> !axloom.tensor<position: 4, f32>
  return %z : !axloom.tensor<position: 4, f32>
}

// -----

func.func @noClass(%x: !axloom.tensor<batch: 2, class: 4, f32>) -> !axloom.tensor<batch: 2, f32> {
  %seven = axloom.constant 7 : i32 : !axloom.tensor<i32>
  %labels = axloom.broadcast %seven to !axloom.tensor<batch: 2, i32> : !axloom.tensor<i32> -> !axloom.tensor<batch: 2, i32>
  // expected-error@+1 {{index 7 is outside of axis 'class', which has at most 4 elements; they count from 0}}
  %y = axloom.cross_entropy %x, %labels over "class" smoothing 0.0 : !axloom.tensor<batch: 2, class: 4, f32>, !axloom.tensor<batch: 2, i32> -> !axloom.tensor<batch: 2, f32>
  return %y : !axloom.tensor<batch: 2, f32>
}

// -----

func.func @noRow(%x: !axloom.tensor<model: 4, f32>) -> !axloom.tensor<model: 4, row: 9, f32> {
  %at = axloom.constant 9 : i32 : !axloom.tensor<i32>
  // expected-error@+1 {{index 9 is outside of axis 'row', which has at most 9 elements; they count from 0}}
  %y = axloom.scatter_add %x, %at along "row" to !axloom.tensor<model: 4, row: 9, f32> : !axloom.tensor<model: 4, f32>, !axloom.tensor<i32> -> !axloom.tensor<model: 4, row: 9, f32>
  return %y : !axloom.tensor<model: 4, row: 9, f32>
}

// -----

func.func @noClassOfWeight(%x: !axloom.tensor<batch: 2, model: 8, f32>, %w: !axloom.tensor<class: 4, model: 8, f32>, %weights: !axloom.tensor<batch: 2, f32>) -> !axloom.tensor<f32> {
  %label = axloom.constant 4 : i32 : !axloom.tensor<i32>
  // expected-error@+1 {{index 4 is outside of axis 'class', which has at most 4 elements; they count from 0}}
  %y:3 = axloom.linear_cross_entropy %x, %w, %label, %weights model "model" classes "class" smoothing 0.0 : !axloom.tensor<batch: 2, model: 8, f32>, !axloom.tensor<class: 4, model: 8, f32>, !axloom.tensor<i32>, !axloom.tensor<batch: 2, f32> -> !axloom.tensor<f32>, !axloom.tensor<batch: 2, model: 8, f32>, !axloom.tensor<class: 4, model: 8, f32>
  return %y#0 : !axloom.tensor<f32>
}

// -----

func.func @undeclared(%x: !axloom.tensor<f32>, %at: !axloom.tensor<i32>) -> !axloom.tensor<f32> {
  // expected-error@+1 {{size symbol 'Q' of axis 'word' of the result of 'axloom.scatter_add' is not declared; expected `axloom.size @Q max ...` in the module}}
  %y = axloom.scatter_add %x, %at along "word" to !axloom.tensor<word: Q, f32> : !axloom.tensor<f32>, !axloom.tensor<i32> -> !axloom.tensor<word: Q, f32>
  %z = axloom.reduce "sum" %y over ["word"] : !axloom.tensor<word: Q, f32> -> !axloom.tensor<f32>
  return %z : !axloom.tensor<f32>
}
