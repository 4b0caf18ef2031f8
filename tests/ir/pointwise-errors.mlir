// What pointwise ops refuse: messages name both sides.
// RUN: axloom-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: !axloom.tensor<model: 512, f32>, %b: !axloom.tensor<model: 256, f32>) {
  // expected-error @+2 {{axis 'model' has size 512 on the left, 256 on the right}}
  // expected-error @+1 {{'axloom.add' op failed to infer returned types}}
  %0 = axloom.add %a, %b : <model: 512, f32>, <model: 256, f32> -> <model: 512, f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<batch: B, f32>, %b: !axloom.tensor<batch: C, f32>) {
  // expected-error @+2 {{axis 'batch' has size B on the left, C on the right}}
  // expected-error @+1 {{'axloom.mul' op failed to infer returned types}}
  %0 = axloom.mul %a, %b : <batch: B, f32>, <batch: C, f32> -> <batch: B, f32>
  return
}

// -----

// A ragged axis is not its padded self.
func.func @f(%a: !axloom.tensor<batch: B, position: S, f32>, %b: !axloom.tensor<batch: B, position: S[batch], f32>) {
  // expected-error @+2 {{axis 'position' has size S on the left, S[batch] on the right}}
  // expected-error @+1 {{'axloom.sub' op failed to infer returned types}}
  %0 = axloom.sub %a, %b : <batch: B, position: S, f32>, <batch: B, position: S[batch], f32> -> <batch: B, position: S, f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<f32>, %b: !axloom.tensor<i32>) {
  // expected-error @+2 {{element types differ: 'f32' on the left, 'i32' on the right}}
  // expected-error @+1 {{'axloom.add' op failed to infer returned types}}
  %0 = axloom.add %a, %b : <f32>, <i32> -> <f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<f32>, %b: !axloom.tensor<i32>) {
  // expected-error @+2 {{element types differ: 'f32' on the left, 'i32' on the right}}
  // expected-error @+1 {{'axloom.compare' op failed to infer returned types}}
  %0 = axloom.compare "eq" %a, %b : <f32>, <i32> -> <i1>
  return
}

// -----

func.func @f(%a: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.compare' op predicate is 'above', expected eq, ne, lt, le, gt or ge}}
  %0 = axloom.compare "above" %a, %a : <f32>, <f32> -> <i1>
  return
}

// -----

func.func @f(%m: !axloom.tensor<key: S, i1>, %a: !axloom.tensor<key: T, f32>, %b: !axloom.tensor<f32>) {
  // expected-error @+2 {{axis 'key' has size S in the mask, T in the first choice}}
  // expected-error @+1 {{'axloom.select' op failed to infer returned types}}
  %0 = axloom.select %m, %a, %b : <key: S, i1>, <key: T, f32>, <f32> -> <key: S, f32>
  return
}

// -----

func.func @f(%m: !axloom.tensor<i1>, %a: !axloom.tensor<f32>, %b: !axloom.tensor<i32>) {
  // expected-error @+2 {{element types differ: 'f32' on the left, 'i32' on the right}}
  // expected-error @+1 {{'axloom.select' op failed to infer returned types}}
  %0 = axloom.select %m, %a, %b : <i1>, <f32>, <i32> -> <f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<i32>) {
  // expected-error @+1 {{'axloom.exp' op operand #0 must be tensor of floating-point numbers, but got '!axloom.tensor<i32>'}}
  %0 = axloom.exp %a : <i32> -> <i32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.not' op operand #0 must be tensor of i1, but got '!axloom.tensor<f32>'}}
  %0 = axloom.not %a : <f32> -> <f32>
  return
}

// -----

func.func @f(%seed: !axloom.tensor<batch: B, i32>, %step: !axloom.tensor<i32>) {
  // expected-error @+2 {{seed, step and site of random must be scalars, found '!axloom.tensor<batch: B, i32>'}}
  // expected-error @+1 {{'axloom.random' op failed to infer returned types}}
  %0 = axloom.random %seed, %step, %step : <batch: B, i32>, <i32>, <i32> -> !axloom.tensor<f32> <f32>
  return
}

// -----

func.func @f(%seed: !axloom.tensor<i32>, %c: !axloom.tensor<batch: B, i32>) {
  // expected-error @+2 {{counters have axis 'batch', which the shape lacks or has in another size}}
  // expected-error @+1 {{'axloom.random' op failed to infer returned types}}
  %0 = axloom.random %seed, %seed, %seed from %c numbers [0] : <i32>, <i32>, <i32>, !axloom.tensor<batch: B, i32> -> !axloom.tensor<key: S, f32> <key: S, f32>
  return
}

// -----

func.func @f(%seed: !axloom.tensor<i32>, %c: !axloom.tensor<batch: B, i32>) {
  // expected-error @+2 {{there are 2 numbers of factors for 1 axes}}
  // expected-error @+1 {{'axloom.random' op failed to infer returned types}}
  %0 = axloom.random %seed, %seed, %seed from %c numbers [0, 1] : <i32>, <i32>, <i32>, !axloom.tensor<batch: B, i32> -> !axloom.tensor<batch: B, key: S, f32> <batch: B, key: S, f32>
  return
}

// -----

func.func @f(%seed: !axloom.tensor<i32>, %c: !axloom.tensor<batch: S, i32>) {
  // expected-error @+2 {{counters have axis 'batch', which the shape lacks or has in another size}}
  // expected-error @+1 {{'axloom.random' op failed to infer returned types}}
  %0 = axloom.random %seed, %seed, %seed from %c numbers [0] : <i32>, <i32>, <i32>, !axloom.tensor<batch: S, i32> -> !axloom.tensor<batch: B, key: S, f32> <batch: B, key: S, f32>
  return
}

// -----

func.func @f(%seed: !axloom.tensor<i32>) {
  // expected-error @+2 {{counters come with the numbers of the other axes' factors}}
  // expected-error @+1 {{'axloom.random' op failed to infer returned types}}
  %0 = "axloom.random"(%seed, %seed, %seed) <{shape = !axloom.tensor<batch: B, f32>, numbers = array<i64: 0>}> : (!axloom.tensor<i32>, !axloom.tensor<i32>, !axloom.tensor<i32>) -> !axloom.tensor<batch: B, f32>
  return
}

// -----

func.func @f(%seed: !axloom.tensor<i32>, %c: !axloom.tensor<batch: B, i32>) {
  // expected-error @+2 {{counters come with the numbers of the other axes' factors}}
  // expected-error @+1 {{'axloom.random' op failed to infer returned types}}
  %0 = "axloom.random"(%seed, %seed, %seed, %c) <{shape = !axloom.tensor<batch: B, f32>}> : (!axloom.tensor<i32>, !axloom.tensor<i32>, !axloom.tensor<i32>, !axloom.tensor<batch: B, i32>) -> !axloom.tensor<batch: B, f32>
  return
}

// -----

func.func @f() {
  // expected-error @+2 {{the number of a factor is -1, expected 0 to 7}}
  // expected-error @+1 {{'axloom.counters' op failed to infer returned types}}
  %0 = axloom.counters [-1] : !axloom.tensor<batch: B, i32> <batch: B, i32>
  return
}

// -----

func.func @f() {
  // expected-error @+2 {{the number of a factor is 8, expected 0 to 7}}
  // expected-error @+1 {{'axloom.counters' op failed to infer returned types}}
  %0 = axloom.counters [8] : !axloom.tensor<batch: B, i32> <batch: B, i32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<f32>) {
  // expected-error @+1 {{custom op 'axloom.cast' element type is 'f16', expected f32, bf16, f64, i32 or i1}}
  %0 = axloom.cast %a to f16 : <f32> -> <f16>
  return
}

// -----

// The declared result is checked against the inferred one.
func.func @f(%a: !axloom.tensor<batch: B, f32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'axloom.exp' op inferred type(s) '!axloom.tensor<batch: B, f32>' are incompatible with return type(s) of operation '!axloom.tensor<f32>'}}
  %0 = axloom.exp %a : <batch: B, f32> -> <f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 512, f32>, %b: !axloom.tensor<model: 256, f32>) {
  // expected-error @+2 {{axis 'model' has size 512 in operand 1, 256 in operand 2}}
  // expected-error @+1 {{'axloom.custom' op failed to infer returned types}}
  %0 = axloom.custom @gate(%a, %b) : (!axloom.tensor<model: 512, f32>, !axloom.tensor<model: 256, f32>) -> !axloom.tensor<model: 512, f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 512, f32>, %b: !axloom.tensor<model: 512, bf16>) {
  // expected-error @+2 {{element types differ: 'f32' and 'bf16' in operand 2}}
  // expected-error @+1 {{'axloom.custom' op failed to infer returned types}}
  %0 = axloom.custom @gate(%a, %b) : (!axloom.tensor<model: 512, f32>, !axloom.tensor<model: 512, bf16>) -> !axloom.tensor<model: 512, f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 512, i1>) {
  // expected-error @+2 {{op 'gate' has no floating-point operand, expected one or more}}
  // expected-error @+1 {{'axloom.custom' op failed to infer returned types}}
  %0 = axloom.custom @gate(%a) : (!axloom.tensor<model: 512, i1>) -> !axloom.tensor<model: 512, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<b: 4, i32>, %n: !axloom.tensor<i32>) {
  // expected-error @+2 {{power of 'i32', expected floating-point numbers}}
  // expected-error @+1 {{'axloom.pow' op failed to infer returned types}}
  %0 = axloom.pow %x, %n : <b: 4, i32>, <i32> -> <b: 4, i32>
  return
}

// -----

func.func @f(%n: !axloom.tensor<i32>) {
  // expected-error @+2 {{random numbers along 9 axes, expected at most 8}}
  // expected-error @+1 {{'axloom.random' op failed to infer returned types}}
  %0 = axloom.random %n, %n, %n : <i32>, <i32>, <i32> -> !axloom.tensor<a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, f32> <a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<key: S, i1>, %b: !axloom.tensor<i1>) {
  // expected-error @+2 {{arithmetic on 'i1', expected numbers; use `and`, `or`, or a cast}}
  // expected-error @+1 {{'axloom.add' op failed to infer returned types}}
  %0 = axloom.add %a, %b : <key: S, i1>, <i1> -> <key: S, i1>
  return
}

// -----

func.func @f(%a: !axloom.tensor<key: S, i1>, %b: !axloom.tensor<i1>) {
  // expected-error @+2 {{arithmetic on 'i1', expected numbers; use `and`, `or`, or a cast}}
  // expected-error @+1 {{'axloom.sub' op failed to infer returned types}}
  %0 = axloom.sub %a, %b : <key: S, i1>, <i1> -> <key: S, i1>
  return
}

// -----

func.func @f(%a: !axloom.tensor<key: S, i1>, %b: !axloom.tensor<i1>) {
  // expected-error @+2 {{arithmetic on 'i1', expected numbers; use `and`, `or`, or a cast}}
  // expected-error @+1 {{'axloom.mul' op failed to infer returned types}}
  %0 = axloom.mul %a, %b : <key: S, i1>, <i1> -> <key: S, i1>
  return
}

// -----

func.func @f(%a: !axloom.tensor<key: S, i1>, %b: !axloom.tensor<i1>) {
  // expected-error @+2 {{arithmetic on 'i1', expected numbers; use `and`, `or`, or a cast}}
  // expected-error @+1 {{'axloom.div' op failed to infer returned types}}
  %0 = axloom.div %a, %b : <key: S, i1>, <i1> -> <key: S, i1>
  return
}

// -----

func.func @f(%a: !axloom.tensor<key: S, i1>, %b: !axloom.tensor<i1>) {
  // expected-error @+2 {{arithmetic on 'i1', expected numbers; use `and`, `or`, or a cast}}
  // expected-error @+1 {{'axloom.rem' op failed to infer returned types}}
  %0 = axloom.rem %a, %b : <key: S, i1>, <i1> -> <key: S, i1>
  return
}

// -----

func.func @f(%a: !axloom.tensor<key: S, i1>, %b: !axloom.tensor<i1>) {
  // expected-error @+2 {{arithmetic on 'i1', expected numbers; use `and`, `or`, or a cast}}
  // expected-error @+1 {{'axloom.maximum' op failed to infer returned types}}
  %0 = axloom.maximum %a, %b : <key: S, i1>, <i1> -> <key: S, i1>
  return
}

// -----

func.func @f(%a: !axloom.tensor<key: S, i1>, %b: !axloom.tensor<i1>) {
  // expected-error @+2 {{arithmetic on 'i1', expected numbers; use `and`, `or`, or a cast}}
  // expected-error @+1 {{'axloom.minimum' op failed to infer returned types}}
  %0 = axloom.minimum %a, %b : <key: S, i1>, <i1> -> <key: S, i1>
  return
}
