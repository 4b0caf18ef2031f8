// What the composites refuse.
// RUN: axloom-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: !axloom.tensor<query: S, f32>) {
  // expected-error @+2 {{the operand has no axis 'key'; it has [query]}}
  // expected-error @+1 {{'axloom.softmax' op failed to infer returned types}}
  %0 = axloom.softmax %x over "key" : <query: S, f32> -> <query: S, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<key: T, f32>, %m: !axloom.tensor<key: S, i1>) {
  // expected-error @+2 {{axis 'key' has size T in the operand, S in the mask}}
  // expected-error @+1 {{'axloom.softmax' op failed to infer returned types}}
  %0 = axloom.softmax %x mask %m over "key" : <key: T, f32>, !axloom.tensor<key: S, i1> -> <key: T, f32>
  return
}

// -----

// A sum over the batch entries has no length of its own.
func.func @f(%x: !axloom.tensor<batch: B, position: S[batch], f32>) {
  // expected-error @+2 {{axis 'position' is ragged over 'batch', which would be missing from the result}}
  // expected-error @+1 {{'axloom.softmax' op failed to infer returned types}}
  %0 = axloom.softmax %x over "batch" : <batch: B, position: S[batch], f32> -> <batch: B, position: S[batch], f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, f32>) {
  // expected-error @+2 {{the operand has no axis 'model'; it has [batch]}}
  // expected-error @+1 {{'axloom.layer_norm' op failed to infer returned types}}
  %0:3 = axloom.layer_norm %x over "model" epsilon 1.0e-5 : <batch: B, f32> -> <batch: B, f32>, <f32>, <f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %s: !axloom.tensor<model: 8, f32>) {
  // expected-error @+2 {{axis 'model' has size 8 in the scale, 4 in the normalized axis}}
  // expected-error @+1 {{'axloom.layer_norm' op failed to infer returned types}}
  %0:3 = axloom.layer_norm %x scale %s over "model" epsilon 1.0e-5 : <batch: B, model: 4, f32> scale !axloom.tensor<model: 8, f32> -> <batch: B, model: 4, f32>, <batch: B, f32>, <batch: B, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %o: !axloom.tensor<batch: B, f32>) {
  // expected-error @+2 {{the normalized axis has no axis 'batch'; it has [model]}}
  // expected-error @+1 {{'axloom.layer_norm' op failed to infer returned types}}
  %0:3 = axloom.layer_norm %x offset %o over "model" epsilon 1.0e-5 : <batch: B, model: 4, f32> offset !axloom.tensor<batch: B, f32> -> <batch: B, model: 4, f32>, <batch: B, f32>, <batch: B, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>) {
  // expected-error @+2 {{the query tensor has no axis 'depth'; it has [query]}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %k depth "depth" key "key" scale 1.0 : <query: S, f32>, <depth: 4, key: T, f32>, <depth: 4, key: T, f32> -> <depth: 4, query: S, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<key: T, f32>) {
  // expected-error @+2 {{the key tensor has no axis 'depth'; it has [key]}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %k depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <key: T, f32>, <key: T, f32> -> <query: S, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 8, key: T, f32>) {
  // expected-error @+2 {{axis 'depth' has size 4 in the queries, 8 in the keys}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %k depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 8, key: T, f32>, <depth: 8, key: T, f32> -> <depth: 8, query: S, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<value: 3, f32>) {
  // expected-error @+2 {{the value tensor has no axis 'key'; it has [value]}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %v depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <value: 3, f32> -> <query: S, value: 3, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, key: T, f32>) {
  // expected-error @+2 {{the query tensor has an axis 'key' already; it has [depth, key]}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %q, %q depth "depth" key "key" scale 1.0 : <depth: 4, key: T, f32>, <depth: 4, key: T, f32>, <depth: 4, key: T, f32> -> <depth: 4, f32>, <f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %m: !axloom.tensor<batch: B, i1>) {
  // expected-error @+2 {{the score tensor has no axis 'batch'; it has [key, query]}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %k mask %m depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <depth: 4, key: T, f32> mask !axloom.tensor<batch: B, i1> -> <depth: 4, query: S, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%logits: !axloom.tensor<batch: B, model: 9, f32>, %labels: !axloom.tensor<batch: B, i32>) {
  // expected-error @+2 {{the logit tensor has no axis 'classes'; it has [batch, model]}}
  // expected-error @+1 {{'axloom.cross_entropy' op failed to infer returned types}}
  %0 = axloom.cross_entropy %logits, %labels over "classes" smoothing 0.0 : <batch: B, model: 9, f32>, <batch: B, i32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%logits: !axloom.tensor<batch: B, classes: 9, f32>, %labels: !axloom.tensor<batch: C, i32>) {
  // expected-error @+2 {{axis 'batch' has size C in the labels, B in the logit tensor}}
  // expected-error @+1 {{'axloom.cross_entropy' op failed to infer returned types}}
  %0 = axloom.cross_entropy %logits, %labels over "classes" smoothing 0.0 : <batch: B, classes: 9, f32>, <batch: C, i32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, f32>, %w: !axloom.tensor<classes: 9, model: 4, f32>, %l: !axloom.tensor<batch: B, i32>, %k: !axloom.tensor<f32>) {
  // expected-error @+2 {{the input has no axis 'model'; it has [batch]}}
  // expected-error @+1 {{'axloom.linear_cross_entropy' op failed to infer returned types}}
  %0:3 = axloom.linear_cross_entropy %x, %w, %l, %k model "model" classes "classes" smoothing 0.0 : <batch: B, f32>, <classes: 9, model: 4, f32>, <batch: B, i32>, <f32> -> <f32>, <batch: B, f32>, <classes: 9, model: 4, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %w: !axloom.tensor<model: 4, f32>, %l: !axloom.tensor<batch: B, i32>, %k: !axloom.tensor<f32>) {
  // expected-error @+2 {{the weight has no axis 'classes'; it has [model]}}
  // expected-error @+1 {{'axloom.linear_cross_entropy' op failed to infer returned types}}
  %0:3 = axloom.linear_cross_entropy %x, %w, %l, %k model "model" classes "classes" smoothing 0.0 : <batch: B, model: 4, f32>, <model: 4, f32>, <batch: B, i32>, <f32> -> <f32>, <batch: B, model: 4, f32>, <model: 4, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %w: !axloom.tensor<classes: 9, model: 4, f32>, %l: !axloom.tensor<token: B, i32>, %k: !axloom.tensor<f32>) {
  // expected-error @+2 {{the input has no axis 'token'; it has [batch]}}
  // expected-error @+1 {{'axloom.linear_cross_entropy' op failed to infer returned types}}
  %0:3 = axloom.linear_cross_entropy %x, %w, %l, %k model "model" classes "classes" smoothing 0.0 : <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>, <token: B, i32>, <f32> -> <f32>, <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %w: !axloom.tensor<classes: 9, model: 5, f32>, %l: !axloom.tensor<batch: B, i32>, %k: !axloom.tensor<f32>) {
  // expected-error @+2 {{axis 'model' has size 4 in the input, 5 in the weight}}
  // expected-error @+1 {{'axloom.linear_cross_entropy' op failed to infer returned types}}
  %0:3 = axloom.linear_cross_entropy %x, %w, %l, %k model "model" classes "classes" smoothing 0.0 : <batch: B, model: 4, f32>, <classes: 9, model: 5, f32>, <batch: B, i32>, <f32> -> <f32>, <batch: B, model: 4, f32>, <classes: 9, model: 5, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<depth: 4, key: U, f32>) {
  // expected-error @+2 {{axis 'key' has size T in the keys, U in the values}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %v depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <depth: 4, key: U, f32> -> <depth: 4, query: S, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %w: !axloom.tensor<batch: B, classes: 9, model: 4, f32>, %l: !axloom.tensor<batch: B, i32>, %k: !axloom.tensor<f32>) {
  // expected-error @+2 {{the weight is '!axloom.tensor<batch: B, classes: 9, model: 4, f32>', expected no axes but 'classes' and 'model'}}
  // expected-error @+1 {{'axloom.linear_cross_entropy' op failed to infer returned types}}
  %0:3 = axloom.linear_cross_entropy %x, %w, %l, %k model "model" classes "classes" smoothing 0.0 : <batch: B, model: 4, f32>, <batch: B, classes: 9, model: 4, f32>, <batch: B, i32>, <f32> -> <f32>, <batch: B, model: 4, f32>, <batch: B, classes: 9, model: 4, f32>
  return
}

// -----

func.func @f(%logits: !axloom.tensor<batch: B, position: S[batch], f32>, %labels: !axloom.tensor<batch: B, i32>) {
  // expected-error @+2 {{axis 'position' has size S[batch], expected as many classes for every token}}
  // expected-error @+1 {{'axloom.cross_entropy' op failed to infer returned types}}
  %0 = axloom.cross_entropy %logits, %labels over "position" smoothing 0.0 : <batch: B, position: S[batch], f32>, <batch: B, i32> -> <batch: B, f32>
  return
}

// -----

axloom.size @B max 8
axloom.size @S max 8
func.func @raggedRows(%x: !axloom.tensor<batch: B, position: S[batch], f32>, %scale: !axloom.tensor<position: 8, f32>) {
  // expected-error @+2 {{axis 'position' has size S[batch], expected rows that are all as long where a scale or an offset goes along them}}
  // expected-error @+1 {{'axloom.layer_norm' op failed to infer returned types}}
  %0:3 = axloom.layer_norm %x scale %scale over "position" epsilon 1.0e-5 : <batch: B, position: S[batch], f32> scale !axloom.tensor<position: 8, f32> -> <batch: B, position: S[batch], f32>, <batch: B, f32>, <batch: B, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 8, key: T, f32>, %v: !axloom.tensor<key: T, value: 3, f32>, %g: !axloom.tensor<query: S, value: 3, f32>, %l: !axloom.tensor<query: S, f32>) {
  // expected-error @+2 {{axis 'depth' has size 4 in the queries, 8 in the keys}}
  // expected-error @+1 {{'axloom.attention_gradient' op failed to infer returned types}}
  %0:3 = axloom.attention_gradient %q, %k, %v output %g log2sumexp %l gradient %g depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 8, key: T, f32>, <key: T, value: 3, f32>, <query: S, value: 3, f32>, <query: S, f32>, <query: S, value: 3, f32> -> <depth: 4, query: S, f32>, <depth: 8, key: T, f32>, <key: T, value: 3, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, bf16>, %w: !axloom.tensor<classes: 9, model: 4, f32>, %l: !axloom.tensor<batch: B, i32>, %k: !axloom.tensor<f32>) {
  // expected-error @+2 {{the input has elements of type 'bf16', expected f32}}
  // expected-error @+1 {{'axloom.linear_cross_entropy' op failed to infer returned types}}
  %0:3 = axloom.linear_cross_entropy %x, %w, %l, %k model "model" classes "classes" smoothing 0.0 : <batch: B, model: 4, bf16>, <classes: 9, model: 4, f32>, <batch: B, i32>, <f32> -> <f32>, <batch: B, model: 4, bf16>, <classes: 9, model: 4, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>) {
  // expected-error@+1 {{has epsilon -1.000000e+00, expected a finite number of at least 0}}
  %0:3 = axloom.layer_norm %x over "model" epsilon -1.0 : <batch: B, model: 4, f32> -> <batch: B, model: 4, f32>, <batch: B, f32>, <batch: B, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, class: 4, f32>, %labels: !axloom.tensor<batch: B, i32>) {
  // expected-error@+1 {{has smoothing 2.000000e+00, expected a number from 0 to 1}}
  %0 = axloom.cross_entropy %x, %labels over "class" smoothing 2.0 : <batch: B, class: 4, f32>, !axloom.tensor<batch: B, i32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, class: 4, f32>, %labels: !axloom.tensor<batch: B, i32>) {
  // expected-error@+1 {{has smoothing -5.000000e-01, expected a number from 0 to 1}}
  %0 = axloom.cross_entropy %x, %labels over "class" smoothing -0.5 : <batch: B, class: 4, f32>, !axloom.tensor<batch: B, i32> -> <batch: B, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %w: !axloom.tensor<classes: 9, model: 4, f32>, %l: !axloom.tensor<batch: B, i32>, %k: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.linear_cross_entropy' op has smoothing 2.000000e+00, expected a number from 0 to 1}}
  %0:3 = axloom.linear_cross_entropy %x, %w, %l, %k model "model" classes "classes" smoothing 2.0 : <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>, <batch: B, i32>, <f32> -> <f32>, <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %w: !axloom.tensor<classes: 9, model: 4, f32>, %l: !axloom.tensor<batch: B, i32>, %k: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.linear_cross_entropy' op factors are 'f16', expected bf16}}
  %0:3 = axloom.linear_cross_entropy %x, %w, %l, %k model "model" classes "classes" smoothing 0.0 {factors = f16} : <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>, <batch: B, i32>, <f32> -> <f32>, <batch: B, model: 4, f32>, <classes: 9, model: 4, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<key: T, value: 3, f32>) {
  // expected-error @+1 {{'axloom.attention' op factors are 'f16', expected bf16}}
  %0:2 = axloom.attention %q, %k, %v depth "depth" key "key" scale 1.0 {factors = f16} : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32> -> <query: S, value: 3, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<key: T, value: 3, f32>, %g: !axloom.tensor<query: S, value: 3, f32>, %l: !axloom.tensor<query: S, f32>) {
  // expected-error @+1 {{'axloom.attention_gradient' op factors are 'f16', expected bf16}}
  %0:3 = axloom.attention_gradient %q, %k, %v output %g log2sumexp %l gradient %g depth "depth" key "key" scale 1.0 {factors = f16} : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>, <query: S, value: 3, f32>, <query: S, f32>, <query: S, value: 3, f32> -> <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, bf16>, %v: !axloom.tensor<key: T, value: 3, f32>) {
  // expected-error @+2 {{element types differ: 'f32' in the queries, 'bf16' in the keys}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %v depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, bf16>, <key: T, value: 3, f32> -> <query: S, value: 3, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<key: T, value: 3, bf16>) {
  // expected-error @+2 {{element types differ: 'f32' in the queries, 'bf16' in the values}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %v depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, bf16> -> <query: S, value: 3, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<key: T, value: 3, f32>, %b: !axloom.tensor<key: T, bf16>) {
  // expected-error @+2 {{element types differ: 'f32' in the queries, 'bf16' in the bias}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %v bias %b depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32> bias !axloom.tensor<key: T, bf16> -> <query: S, value: 3, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<key: T, value: 3, f32>, %b: !axloom.tensor<key: T, bf16>) {
  // expected-error @+2 {{element types differ: 'f32' in the queries, 'bf16' in the keep factor}}
  // expected-error @+1 {{'axloom.attention' op failed to infer returned types}}
  %0:2 = axloom.attention %q, %k, %v keep %b depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32> keep !axloom.tensor<key: T, bf16> -> <query: S, value: 3, f32>, <query: S, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<key: T, value: 3, f32>, %o: !axloom.tensor<query: S, f32>, %l: !axloom.tensor<query: S, f32>, %g: !axloom.tensor<query: S, value: 3, f32>) {
  // expected-error @+2 {{the output is '!axloom.tensor<query: S, f32>', expected '!axloom.tensor<query: S, value: 3, f32>'}}
  // expected-error @+1 {{'axloom.attention_gradient' op failed to infer returned types}}
  %0:3 = axloom.attention_gradient %q, %k, %v output %o log2sumexp %l gradient %g depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>, <query: S, f32>, <query: S, f32>, <query: S, value: 3, f32> -> <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<key: T, value: 3, f32>, %o: !axloom.tensor<query: S, value: 3, f32>, %l: !axloom.tensor<query: U, f32>, %g: !axloom.tensor<query: S, value: 3, f32>) {
  // expected-error @+2 {{the log2sumexp is '!axloom.tensor<query: U, f32>', expected '!axloom.tensor<query: S, f32>'}}
  // expected-error @+1 {{'axloom.attention_gradient' op failed to infer returned types}}
  %0:3 = axloom.attention_gradient %q, %k, %v output %o log2sumexp %l gradient %g depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>, <query: S, value: 3, f32>, <query: U, f32>, <query: S, value: 3, f32> -> <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>
  return
}

// -----

func.func @f(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: T, f32>, %v: !axloom.tensor<key: T, value: 3, f32>, %o: !axloom.tensor<query: S, value: 3, f32>, %l: !axloom.tensor<query: S, f32>, %g: !axloom.tensor<query: S, value: 3, f64>) {
  // expected-error @+2 {{the gradient is '!axloom.tensor<query: S, value: 3, f64>', expected '!axloom.tensor<query: S, value: 3, f32>'}}
  // expected-error @+1 {{'axloom.attention_gradient' op failed to infer returned types}}
  %0:3 = axloom.attention_gradient %q, %k, %v output %o log2sumexp %l gradient %g depth "depth" key "key" scale 1.0 : <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>, <query: S, value: 3, f32>, <query: S, f32>, <query: S, value: 3, f64> -> <depth: 4, query: S, f32>, <depth: 4, key: T, f32>, <key: T, value: 3, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %a: !axloom.tensor<model: 4, bf16>) {
  // expected-error @+2 {{element types differ: 'f32' in the operand, 'bf16' in the scale}}
  // expected-error @+1 {{'axloom.layer_norm' op failed to infer returned types}}
  %0:3 = axloom.layer_norm %x scale %a over "model" epsilon 1.0e-5 : <batch: B, model: 4, f32> scale !axloom.tensor<model: 4, bf16> -> <batch: B, model: 4, f32>, <batch: B, f32>, <batch: B, f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>, %a: !axloom.tensor<model: 4, bf16>) {
  // expected-error @+2 {{element types differ: 'f32' in the operand, 'bf16' in the offset}}
  // expected-error @+1 {{'axloom.layer_norm' op failed to infer returned types}}
  %0:3 = axloom.layer_norm %x offset %a over "model" epsilon 1.0e-5 : <batch: B, model: 4, f32> offset !axloom.tensor<model: 4, bf16> -> <batch: B, model: 4, f32>, <batch: B, f32>, <batch: B, f32>
  return
}
