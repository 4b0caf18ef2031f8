// What the ops refuse that restructure axes or look across them.
// RUN: axloom-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: !axloom.tensor<batch: B, f32>, %b: !axloom.tensor<model: 4, f32>) {
  // expected-error @+2 {{the left operand has no axis 'model'; it has [batch]}}
  // expected-error @+1 {{'axloom.contract' op failed to infer returned types}}
  %0 = axloom.contract %a, %b over ["model"] : <batch: B, f32>, <model: 4, f32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<batch: B, model: 4, f32>, %b: !axloom.tensor<out: 4, f32>) {
  // expected-error @+2 {{the right operand has no axis 'model'; it has [out]}}
  // expected-error @+1 {{'axloom.contract' op failed to infer returned types}}
  %0 = axloom.contract %a, %b over ["model"] : <batch: B, model: 4, f32>, <out: 4, f32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 4, f32>, %b: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{axis 'model' has size 4 on the left, 8 on the right}}
  // expected-error @+1 {{'axloom.contract' op failed to infer returned types}}
  %0 = axloom.contract %a, %b over ["model"] : <model: 4, f32>, <model: 8, f32> -> <f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 4, f32>, %b: !axloom.tensor<model: 4, bf16>) {
  // expected-error @+2 {{element types differ: 'f32' on the left, 'bf16' on the right}}
  // expected-error @+1 {{'axloom.contract' op failed to infer returned types}}
  %0 = axloom.contract %a, %b over ["model"] : <model: 4, f32>, <model: 4, bf16> -> <f32>
  return
}

// -----

// Positions of a batch entry lose their meaning with the batch.
func.func @f(%a: !axloom.tensor<batch: B, position: S[batch], f32>) {
  // expected-error @+2 {{axis 'position' is ragged over 'batch', which would be missing from the result}}
  // expected-error @+1 {{'axloom.reduce' op failed to infer returned types}}
  %0 = axloom.reduce "sum" %a over ["batch"] : <batch: B, position: S[batch], f32> -> <f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 4, f32>) {
  // expected-error @+2 {{the operand has no axis 'key'; it has [model]}}
  // expected-error @+1 {{'axloom.reduce' op failed to infer returned types}}
  %0 = axloom.reduce "sum" %a over ["key"] : <model: 4, f32> -> <f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 4, f32>) {
  // expected-error @+1 {{'axloom.reduce' op kind is 'mean', expected sum, max or min}}
  %0 = axloom.reduce "mean" %a over ["model"] : <model: 4, f32> -> <f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 4, f32>) {
  // expected-error @+2 {{the operand has no axis 'classes'; it has [model]}}
  // expected-error @+1 {{'axloom.argmax' op failed to infer returned types}}
  %0 = axloom.argmax %a over "classes" : <model: 4, f32> -> <i32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 4, f32>) {
  // expected-error @+2 {{the broadcast shape has no axis 'model'; it has [batch]}}
  // expected-error @+1 {{'axloom.broadcast' op failed to infer returned types}}
  %0 = axloom.broadcast %a to !axloom.tensor<batch: B, f32> : <model: 4, f32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%a: !axloom.tensor<model: 4, f32>) {
  // expected-error @+2 {{axis 'model' has size 4 in the operand, 8 in the broadcast shape}}
  // expected-error @+1 {{'axloom.broadcast' op failed to infer returned types}}
  %0 = axloom.broadcast %a to !axloom.tensor<model: 8, f32> : <model: 4, f32> -> <model: 8, f32>
  return
}

// -----

func.func @f(%t: !axloom.tensor<model: 4, f32>, %i: !axloom.tensor<batch: B, i32>) {
  // expected-error @+2 {{the table has no axis 'vocab'; it has [model]}}
  // expected-error @+1 {{'axloom.gather' op failed to infer returned types}}
  %0 = axloom.gather %t, %i along "vocab" : <model: 4, f32>, <batch: B, i32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%t: !axloom.tensor<vocab: 4, f32>, %i: !axloom.tensor<vocab: 4, i32>) {
  // expected-error @+2 {{the index tensor has an axis 'vocab' already; it has [vocab]}}
  // expected-error @+1 {{'axloom.gather' op failed to infer returned types}}
  %0 = axloom.gather %t, %i along "vocab" : <vocab: 4, f32>, <vocab: 4, i32> -> <vocab: 4, f32>
  return
}

// -----

func.func @f(%t: !axloom.tensor<batch: B, vocab: 4, f32>, %i: !axloom.tensor<batch: C, i32>) {
  // expected-error @+2 {{axis 'batch' has size B in the table, C in the indices}}
  // expected-error @+1 {{'axloom.gather' op failed to infer returned types}}
  %0 = axloom.gather %t, %i along "vocab" : <batch: B, vocab: 4, f32>, <batch: C, i32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, f32>, %i: !axloom.tensor<batch: B, i32>) {
  // expected-error @+2 {{the target shape has no axis 'vocab'; it has [model]}}
  // expected-error @+1 {{'axloom.scatter_add' op failed to infer returned types}}
  %0 = axloom.scatter_add %x, %i along "vocab" to !axloom.tensor<model: 4, f32> : <batch: B, f32>, <batch: B, i32> -> <model: 4, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 4, f32>, %i: !axloom.tensor<batch: B, i32>) {
  // expected-error @+2 {{the operand has no axis 'batch'; it has [model]}}
  // expected-error @+1 {{'axloom.scatter_add' op failed to infer returned types}}
  %0 = axloom.scatter_add %x, %i along "vocab" to !axloom.tensor<model: 4, vocab: 9, f32> : <model: 4, f32>, <batch: B, i32> -> <model: 4, vocab: 9, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, vocab: 9, f32>, %i: !axloom.tensor<batch: B, i32>) {
  // expected-error @+2 {{the operand has an axis 'vocab' already; it has [batch, vocab]}}
  // expected-error @+1 {{'axloom.scatter_add' op failed to infer returned types}}
  %0 = axloom.scatter_add %x, %i along "vocab" to !axloom.tensor<vocab: 9, f32> : <batch: B, vocab: 9, f32>, <batch: B, i32> -> <vocab: 9, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, f32>) {
  // expected-error @+2 {{the operand has no axis 'query'; it has [batch]}}
  // expected-error @+1 {{'axloom.rename' op failed to infer returned types}}
  %0 = axloom.rename %x "query" to "key" : <batch: B, f32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<key: T, query: S, f32>) {
  // expected-error @+2 {{the operand has an axis 'key' already; it has [key, query]}}
  // expected-error @+1 {{'axloom.rename' op failed to infer returned types}}
  %0 = axloom.rename %x "query" to "key" : <key: T, query: S, f32> -> <key: S, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 512, f32>) {
  // expected-error @+2 {{axis 'model' of size 512 cannot be split into parts of 60}}
  // expected-error @+1 {{'axloom.split' op failed to infer returned types}}
  %0 = axloom.split %x "model" into ["heads", "depth"] inner <60> : <model: 512, f32> -> <depth: 60, heads: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 512, f32>) {
  // expected-error @+2 {{axis 'model' of size 512 cannot be split into parts of B}}
  // expected-error @+1 {{'axloom.split' op failed to infer returned types}}
  %0 = axloom.split %x "model" into ["heads", "depth"] inner <B> : <model: 512, f32> -> <depth: B, heads: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 512, f32>) {
  // expected-error @+2 {{split makes two axes, found 3}}
  // expected-error @+1 {{'axloom.split' op failed to infer returned types}}
  %0 = axloom.split %x "model" into ["a", "b", "c"] inner <64> : <model: 512, f32> -> <a: 8, b: 64, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<heads: 2, model: 512, f32>) {
  // expected-error @+2 {{axis 'heads' would appear twice in the result}}
  // expected-error @+1 {{'axloom.split' op failed to infer returned types}}
  %0 = axloom.split %x "model" into ["heads", "depth"] inner <64> : <heads: 2, model: 512, f32> -> <depth: 64, heads: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<heads: 2, model: 512, f32>) {
  // expected-error @+2 {{merge takes two axes, found 1}}
  // expected-error @+1 {{'axloom.merge' op failed to infer returned types}}
  %0 = axloom.merge %x ["heads"] into "all" : <heads: 2, model: 512, f32> -> <all: 1024, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<heads: 2, f32>) {
  // expected-error @+2 {{axis 'heads' is named twice}}
  // expected-error @+1 {{'axloom.merge' op failed to infer returned types}}
  %0 = axloom.merge %x ["heads", "heads"] into "all" : <heads: 2, f32> -> <all: 4, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, position: S[batch], f32>) {
  // expected-error @+2 {{axes of sizes B and S[batch] cannot be merged}}
  // expected-error @+1 {{'axloom.merge' op failed to infer returned types}}
  %0 = axloom.merge %x ["batch", "position"] into "token" : <batch: B, position: S[batch], f32> -> <token: B*S, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{slice of 4 elements from 5 leaves axis 'model' of size 8}}
  // expected-error @+1 {{'axloom.slice' op failed to infer returned types}}
  %0 = axloom.slice %x "model" from 5 size 4 : <model: 8, f32> -> <model: 4, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{slice of 2 elements from 9223372036854775807 leaves axis 'model' of size 8}}
  // expected-error @+1 {{'axloom.slice' op failed to infer returned types}}
  %0 = axloom.slice %x "model" from 9223372036854775807 size 2 : <model: 8, f32> -> <model: 2, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{slice of 2 elements from -1 leaves axis 'model' of size 8}}
  // expected-error @+1 {{'axloom.slice' op failed to infer returned types}}
  %0 = axloom.slice %x "model" from -1 size 2 : <model: 8, f32> -> <model: 2, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{slice of 0 elements, expected one at least}}
  // expected-error @+1 {{'axloom.slice' op failed to infer returned types}}
  %0 = axloom.slice %x "model" from 3 size 0 : <model: 8, f32> -> <model: ?, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{axis 'model' is named twice}}
  // expected-error @+1 {{'axloom.reduce' op failed to infer returned types}}
  %0 = axloom.reduce "sum" %x over ["model", "model"] : <model: 8, f32> -> <f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{axis 'model' is named twice}}
  // expected-error @+1 {{'axloom.contract' op failed to infer returned types}}
  %0 = axloom.contract %x, %x over ["model", "model"] : <model: 8, f32>, <model: 8, f32> -> <f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{pad by 9223372036854775807 and 9223372036854775807 makes axis 'model' of size 8 longer than 2147483647}}
  // expected-error @+1 {{'axloom.pad' op failed to infer returned types}}
  %0 = axloom.pad %x "model" low 9223372036854775807 high 9223372036854775807 with 0.0 : <model: 8, f32> -> <model: 6, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<key: 65536, query: 65536, f32>) {
  // expected-error @+2 {{axis 'both' of the result would have size 4294967296, expected at most 2147483647}}
  // expected-error @+1 {{'axloom.merge' op failed to infer returned types}}
  %0 = axloom.merge %x ["query", "key"] into "both" : <key: 65536, query: 65536, f32> -> <both: 1, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 2000000000, f32>) {
  // expected-error @+2 {{axis 'model' of the result would have size 4000000000, expected at most 2147483647}}
  // expected-error @+1 {{'axloom.concat' op failed to infer returned types}}
  %0 = axloom.concat %x, %x along "model" : !axloom.tensor<model: 2000000000, f32>, !axloom.tensor<model: 2000000000, f32> -> <model: 1, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<position: S, f32>) {
  // expected-error @+2 {{axis 'position' has size S, expected a fixed number}}
  // expected-error @+1 {{'axloom.slice' op failed to infer returned types}}
  %0 = axloom.slice %x "position" from 0 size 4 : <position: S, f32> -> <position: 4, f32>
  return
}

// -----

func.func @f() {
  // expected-error @+2 {{concat needs at least one tensor}}
  // expected-error @+1 {{'axloom.concat' op failed to infer returned types}}
  %0 = "axloom.concat"() {axis = "model"} : () -> !axloom.tensor<model: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<position: S, f32>) {
  // expected-error @+2 {{axis 'position' has size S, expected a fixed number}}
  // expected-error @+1 {{'axloom.concat' op failed to infer returned types}}
  %0 = axloom.concat %x, %x along "position" : !axloom.tensor<position: S, f32>, !axloom.tensor<position: S, f32> -> <position: 2*S, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: 2, model: 8, f32>, %y: !axloom.tensor<batch: 3, model: 8, f32>) {
  // expected-error @+2 {{tensors that are put one behind the other differ beside axis 'model': '!axloom.tensor<batch: 2, model: 8, f32>' and '!axloom.tensor<batch: 3, model: 8, f32>'}}
  // expected-error @+1 {{'axloom.concat' op failed to infer returned types}}
  %0 = axloom.concat %x, %y along "model" : !axloom.tensor<batch: 2, model: 8, f32>, !axloom.tensor<batch: 3, model: 8, f32> -> <batch: 2, model: 16, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{pad by -1 and 0, expected no negative number}}
  // expected-error @+1 {{'axloom.pad' op failed to infer returned types}}
  %0 = axloom.pad %x "model" low -1 high 0 with 0.0 : <model: 8, f32> -> <model: 7, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{pad by 0 and -1, expected no negative number}}
  // expected-error @+1 {{'axloom.pad' op failed to infer returned types}}
  %0 = axloom.pad %x "model" low 0 high -1 with 0.0 : <model: 8, f32> -> <model: 7, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{shift by -4294967296, expected at most 2147483647 places}}
  // expected-error @+1 {{'axloom.shift' op failed to infer returned types}}
  %0 = axloom.shift %x "model" by -4294967296 with 0.0 : <model: 8, f32> -> <model: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{shift by 4294967296, expected at most 2147483647 places}}
  // expected-error @+1 {{'axloom.shift' op failed to infer returned types}}
  %0 = axloom.shift %x "model" by 4294967296 with 0.0 : <model: 8, f32> -> <model: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{the operand has no axis 'position'; it has [model]}}
  // expected-error @+1 {{'axloom.shift' op failed to infer returned types}}
  %0 = axloom.shift %x "position" by 1 with 0.0 : <model: 8, f32> -> <model: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, capacity: 8, f32>, %i: !axloom.tensor<i32>, %v: !axloom.tensor<f32>) {
  // expected-error @+2 {{the new value has no axis 'batch'; it has []}}
  // expected-error @+1 {{'axloom.update' op failed to infer returned types}}
  %0 = axloom.update %x at %i with %v along "capacity" : <batch: B, capacity: 8, f32>, <i32>, <f32> -> <batch: B, capacity: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<capacity: 8, f32>, %i: !axloom.tensor<i32>, %v: !axloom.tensor<capacity: 8, f32>) {
  // expected-error @+2 {{the new value has an axis 'capacity' already; it has [capacity]}}
  // expected-error @+1 {{'axloom.update' op failed to infer returned types}}
  %0 = axloom.update %x at %i with %v along "capacity" : <capacity: 8, f32>, <i32>, <capacity: 8, f32> -> <capacity: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<capacity: 8, f32>, %i: !axloom.tensor<key: T, i32>, %v: !axloom.tensor<f32>) {
  // expected-error @+2 {{the updated tensor has no axis 'key'; it has []}}
  // expected-error @+1 {{'axloom.update' op failed to infer returned types}}
  %0 = axloom.update %x at %i with %v along "capacity" : <capacity: 8, f32>, <key: T, i32>, <f32> -> <capacity: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<capacity: 8, f32>, %i: !axloom.tensor<i32>, %v: !axloom.tensor<i32>) {
  // expected-error @+2 {{element types differ: 'f32' in the updated tensor, 'i32' in the new value}}
  // expected-error @+1 {{'axloom.update' op failed to infer returned types}}
  %0 = axloom.update %x at %i with %v along "capacity" : <capacity: 8, f32>, <i32>, <i32> -> <capacity: 8, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<a: 3, k: 8, f32>, %w: !axloom.tensor<b: 4, k: 8, f32>) {
  // expected-error @+1 {{factors are 'f16', expected bf16}}
  %0 = axloom.contract %x, %w over ["k"] {factors = f16} : <a: 3, k: 8, f32>, <b: 4, k: 8, f32> -> <a: 3, b: 4, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<a: 3, k: 8, f64>, %w: !axloom.tensor<b: 4, k: 8, f64>) {
  // expected-error @+1 {{factors of 'f64' are rounded to bf16, expected f32}}
  %0 = axloom.contract %x, %w over ["k"] {factors = bf16} : <a: 3, k: 8, f64>, <b: 4, k: 8, f64> -> <a: 3, b: 4, f64>
  return
}

// -----

func.func @f() {
  // expected-error @+2 {{'axloom.constant' op failed to infer returned types}}
  // expected-error @+1 {{constant: element type is 'f16', expected f32, bf16, f64, i32 or i1}}
  %0 = axloom.constant 1.0 : f16 : <f32>
  return
}

// -----

func.func @f() {
  // expected-error @+2 {{'axloom.size_of' op failed to infer returned types}}
  // expected-error @+1 {{a size is no truth value; make it a number}}
  %0 = axloom.size_of <B> to i1 : <i1>
  return
}

// -----

func.func @f() {
  // expected-error @+2 {{'axloom.size_of' op failed to infer returned types}}
  // expected-error @+1 {{size S[batch] has a value for each entry; how many there are is missing}}
  %0 = axloom.size_of <S[batch]> : <f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, i32>) {
  // expected-error @+2 {{the value is 5.000000e-01, expected a finite number that 'i32' has}}
  // expected-error @+1 {{'axloom.pad' op failed to infer returned types}}
  %0 = axloom.pad %x "model" low 1 high 0 with 0.5 : <model: 8, i32> -> <model: 9, i32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, i32>) {
  // expected-error @+2 {{the value is 2.147484e+09, expected a finite number that 'i32' has}}
  // expected-error @+1 {{'axloom.pad' op failed to infer returned types}}
  %0 = axloom.pad %x "model" low 1 high 0 with 2147483648.0 : <model: 8, i32> -> <model: 9, i32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, i1>) {
  // expected-error @+2 {{the value is 2.000000e+00, expected a finite number that 'i1' has}}
  // expected-error @+1 {{'axloom.pad' op failed to infer returned types}}
  %0 = axloom.pad %x "model" low 1 high 0 with 2.0 : <model: 8, i1> -> <model: 9, i1>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, i1>) {
  %0 = axloom.pad %x "model" low 1 high 0 with 1.0 : <model: 8, i1> -> <model: 9, i1>
  // expected-error @+2 {{the value is -1.000000e+00, expected a finite number that 'i1' has}}
  // expected-error @+1 {{'axloom.pad' op failed to infer returned types}}
  %1 = axloom.pad %x "model" low 1 high 0 with -1.0 : <model: 8, i1> -> <model: 9, i1>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{the value is 1.000000e+39, expected a finite number that 'f32' has}}
  // expected-error @+1 {{'axloom.pad' op failed to infer returned types}}
  %0 = axloom.pad %x "model" low 1 high 0 with 1.0e+39 : <model: 8, f32> -> <model: 9, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<model: 8, i32>) {
  // expected-error @+2 {{the value is 5.000000e-01, expected a finite number that 'i32' has}}
  // expected-error @+1 {{'axloom.shift' op failed to infer returned types}}
  %0 = axloom.shift %x "model" by 1 with 0.5 : <model: 8, i32> -> <model: 8, i32>
  return
}

// -----

func.func @f() {
  // expected-error @+2 {{'axloom.constant' op failed to infer returned types}}
  // expected-error @+1 {{constant: value is "x" : f32, expected a number or a truth value}}
  %0 = axloom.constant "x" : f32 : <f32>
  return
}
