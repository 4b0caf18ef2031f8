// Tensor types: axes sorted, every form of size, names that must be quoted.
// RUN: axloom-opt %s --split-input-file --verify-diagnostics | axloom-opt --split-input-file | FileCheck %s

// CHECK: @sorted(%{{.*}}: !axloom.tensor<batch: B, heads: 8, query: S, f32>)
func.func @sorted(%x: !axloom.tensor<query: S, batch: B, heads: 8, f32>) { return }

// -----

// CHECK: @scalars(%{{.*}}: !axloom.tensor<f32>, %{{.*}}: !axloom.tensor<bf16>, %{{.*}}: !axloom.tensor<f64>, %{{.*}}: !axloom.tensor<i32>, %{{.*}}: !axloom.tensor<i1>)
func.func @scalars(%a: !axloom.tensor<f32>, %b: !axloom.tensor<bf16>, %c: !axloom.tensor<f64>, %d: !axloom.tensor<i32>, %e: !axloom.tensor<i1>) { return }

// -----

// A monomial's symbols are sorted; a factor of 1 is left out.
// CHECK: @sizes(%{{.*}}: !axloom.tensor<a: 7, b: B, c: 2*B*S, d: B*S, e: ?, f32>)
func.func @sizes(%x: !axloom.tensor<a: 7, b: 1*B, c: 2*S*B, d: S*B, e: ?, f32>) { return }

// -----

// CHECK: @ragged(%{{.*}}: !axloom.tensor<batch: B, position: S[batch], f32>)
func.func @ragged(%x: !axloom.tensor<batch: B, position: S[batch], f32>) { return }

// -----

// CHECK: @quoted(%{{.*}}: !axloom.tensor<"a b": 2, "f32": 3, "i1": 4, "index": 5, f32>)
func.func @quoted(%x: !axloom.tensor<"a b": 2, "f32": 3, "i1": 4, "index": 5, f32>) { return }

// -----

// CHECK: @quotedSizes(%{{.*}}: !axloom.tensor<"a b": 2*B*"most rows", position: "most words"["a b"], f32>)
func.func @quotedSizes(%x: !axloom.tensor<"a b": 2*"most rows"*B, position: "most words"["a b"], f32>) { return }

// -----

// expected-error @+1 {{axis 'batch' appears twice in one tensor}}
func.func @twice(%x: !axloom.tensor<batch: B, batch: C, f32>) { return }

// -----

// expected-error @+1 {{axis 'position' is ragged over 'batch', which the tensor does not have}}
func.func @alone(%x: !axloom.tensor<position: S[batch], f32>) { return }

// -----

// expected-error @+1 {{axis 'model' has size 3000000000, expected at most 2147483647}}
func.func @long(%x: !axloom.tensor<model: 3000000000, f32>) { return }

// -----

// expected-error @+1 {{element type is 'f16', expected f32, bf16, f64, i32 or i1}}
func.func @half(%x: !axloom.tensor<batch: B, f16>) { return }

// -----

// expected-error @+1 {{a size is at least 1}}
func.func @negative(%x: !axloom.tensor<batch: -3, f32>) { return }

// -----

// expected-error @+1 {{a size is at least 1}}
func.func @empty(%x: !axloom.tensor<batch: 0, f32>) { return }
