// RUN: axloom-opt %s --form-kernels --assign-layouts | FileCheck %s

// Rows of the activation, then columns of the weight; a gradient takes the order of its variable,
// though its operands suggest another one.
axloom.size @B max 64
axloom.size @S max 64
axloom.variable "parameter" @w : !axloom.tensor<depth: 4, heads: 2, model: 8, f32> order ["heads", "depth", "model"] init {kind = "zeros"}

// CHECK-LABEL: func.func @project
// CHECK: axloom.kernel "contraction"
// CHECK-SAME: input_layouts = [#axloom.layout<[batch, position, model]>, #axloom.layout<[heads, depth, model]>]
// CHECK-SAME: result_layouts = [#axloom.layout<[batch, position, heads, depth]>]
// CHECK: axloom.kernel "contraction"
// CHECK-SAME: result_layouts = [#axloom.layout<[heads, depth, model]>]
func.func @project(%x: !axloom.tensor<batch: B, model: 8, position: S, f32> {axloom.name = "x", axloom.order = ["batch", "position", "model"]})
    -> (!axloom.tensor<batch: B, depth: 4, heads: 2, position: S, f32> {axloom.name = "q", axloom.order = ["batch", "position", "heads", "depth"]}) {
  %w = axloom.read @w : <depth: 4, heads: 2, model: 8, f32>
  %q = axloom.contract %x, %w over ["model"] : <batch: B, model: 8, position: S, f32>, <depth: 4, heads: 2, model: 8, f32> -> <batch: B, depth: 4, heads: 2, position: S, f32>
  %dw = axloom.contract %x, %q over ["batch", "position"] : <batch: B, model: 8, position: S, f32>, <batch: B, depth: 4, heads: 2, position: S, f32> -> <depth: 4, heads: 2, model: 8, f32>
  axloom.write @w, %dw : <depth: 4, heads: 2, model: 8, f32>
  return %q : !axloom.tensor<batch: B, depth: 4, heads: 2, position: S, f32>
}

// An axis that no operand has stays outside of the rows if its size is a symbol.
// CHECK-LABEL: func.func @first_of_each
// CHECK: axloom.kernel "scatter"
// CHECK-SAME: result_layouts = [#axloom.layout<[batch, position, model]>]
func.func @first_of_each(%x: !axloom.tensor<batch: B, model: 8, f32> {axloom.name = "x", axloom.order = ["batch", "model"]})
    -> !axloom.tensor<batch: B, position: S, f32> {
  %first = axloom.constant 0 : i32 : <i32>
  %y = axloom.scatter_add %x, %first along "position" to !axloom.tensor<batch: B, model: 8, position: S, f32> : <batch: B, model: 8, f32>, <i32> -> <batch: B, model: 8, position: S, f32>
  %sum = axloom.reduce "sum" %y over ["model"] : <batch: B, model: 8, position: S, f32> -> <batch: B, position: S, f32>
  return %sum : !axloom.tensor<batch: B, position: S, f32>
}

// What leaves the function takes the declared order, so that it needs no copy.
// CHECK-LABEL: func.func @declared
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: input_layouts = [#axloom.layout<[batch, position]>]
// CHECK-SAME: result_layouts = [#axloom.layout<[position, batch]>]
func.func @declared(%x: !axloom.tensor<batch: B, position: S, f32> {axloom.name = "x", axloom.order = ["batch", "position"]})
    -> (!axloom.tensor<batch: B, position: S, f32> {axloom.name = "y", axloom.order = ["position", "batch"]}) {
  %y = axloom.exp %x : <batch: B, position: S, f32> -> <batch: B, position: S, f32>
  return %y : !axloom.tensor<batch: B, position: S, f32>
}

// The axes of a ragged pair come first, whatever the operands suggest: they are one dimension.
// CHECK-LABEL: func.func @ragged
// CHECK: axloom.kernel "contraction"
// CHECK-SAME: result_layouts = [#axloom.layout<[batch, position, heads]>]
func.func @ragged(%w: !axloom.tensor<heads: 2, model: 8, f32> {axloom.name = "w", axloom.order = ["heads", "model"]},
                  %x: !axloom.tensor<batch: B, model: 8, position: S[batch], f32> {axloom.name = "x", axloom.order = ["batch", "position", "model"]})
    -> (!axloom.tensor<batch: B, heads: 2, position: S[batch], f32>) {
  %y = axloom.contract %w, %x over ["model"] : <heads: 2, model: 8, f32>, <batch: B, model: 8, position: S[batch], f32> -> <batch: B, heads: 2, position: S[batch], f32>
  return %y : !axloom.tensor<batch: B, heads: 2, position: S[batch], f32>
}

// A gradient takes the order of the table that it meets, where another one has the same axes, also in
// a kernel that scatters to that table.
axloom.variable "parameter" @model_first : !axloom.tensor<model: 8, rows: 9, f32> order ["model", "rows"] init {kind = "zeros"}
axloom.variable "parameter" @rows_first : !axloom.tensor<model: 8, rows: 9, f32> order ["rows", "model"] init {kind = "zeros"}

// CHECK-LABEL: func.func @meets
// CHECK: axloom.kernel "reduction"
// CHECK-SAME: result_layouts = [#axloom.layout<[rows, model]>]
// CHECK: axloom.kernel "scatter"
func.func @meets(%x: !axloom.tensor<batch: B, model: 8, f32> {axloom.name = "x", axloom.order = ["batch", "model"]},
                 %y: !axloom.tensor<model: 8, rows: 9, f32> {axloom.name = "y", axloom.order = ["model", "rows"]},
                 %at: !axloom.tensor<batch: B, i32> {axloom.name = "at", axloom.order = ["batch"]}) {
  %old = axloom.read @rows_first : <model: 8, rows: 9, f32>
  %d = axloom.softmax %y over "model" : <model: 8, rows: 9, f32> -> <model: 8, rows: 9, f32>
  %g = axloom.scatter_add %x, %at along "rows" to !axloom.tensor<model: 8, rows: 9, f32> : <batch: B, model: 8, f32>, <batch: B, i32> -> <model: 8, rows: 9, f32>
  %sum = axloom.add %d, %g : <model: 8, rows: 9, f32>, <model: 8, rows: 9, f32> -> <model: 8, rows: 9, f32>
  %new = axloom.sub %old, %sum : <model: 8, rows: 9, f32>, <model: 8, rows: 9, f32> -> <model: 8, rows: 9, f32>
  axloom.write @rows_first, %new : <model: 8, rows: 9, f32>
  return
}

// What is written to a table takes its order, too.
// CHECK-LABEL: func.func @written
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: result_layouts = [#axloom.layout<[rows, model]>]
func.func @written(%x: !axloom.tensor<model: 8, rows: 9, f32> {axloom.name = "x", axloom.order = ["model", "rows"]}) {
  %new = axloom.exp %x : <model: 8, rows: 9, f32> -> <model: 8, rows: 9, f32>
  axloom.write @rows_first, %new : <model: 8, rows: 9, f32>
  return
}

// What meets neither of them lies as its operands do.
// CHECK-LABEL: func.func @ambiguous
// CHECK: axloom.kernel "reduction"
// CHECK-SAME: result_layouts = [#axloom.layout<[rows, model]>]
// CHECK: axloom.kernel "reduction"
func.func @ambiguous(%x: !axloom.tensor<model: 8, rows: 9, f32> {axloom.name = "x", axloom.order = ["rows", "model"]}) -> !axloom.tensor<model: 8, rows: 9, f32> {
  %p = axloom.softmax %x over "model" : <model: 8, rows: 9, f32> -> <model: 8, rows: 9, f32>
  %q = axloom.softmax %p over "rows" : <model: 8, rows: 9, f32> -> <model: 8, rows: 9, f32>
  return %q : !axloom.tensor<model: 8, rows: 9, f32>
}

// What has the axes of a session variable is an activation like any other.
axloom.variable "session" @seen : !axloom.tensor<batch: B, position: S, f32> order ["position", "batch"] init {kind = "zeros"}
// CHECK-LABEL: func.func @session
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: result_layouts = [#axloom.layout<[batch, position]>]
// CHECK: axloom.kernel "reduction"
func.func @session(%x: !axloom.tensor<batch: B, position: S, f32> {axloom.name = "x", axloom.order = ["batch", "position"]}) -> !axloom.tensor<batch: B, position: S, f32> {
  %e = axloom.exp %x : <batch: B, position: S, f32> -> <batch: B, position: S, f32>
  %p = axloom.softmax %e over "position" : <batch: B, position: S, f32> -> <batch: B, position: S, f32>
  return %p : !axloom.tensor<batch: B, position: S, f32>
}

// Keys that heads of a group share stay rows where they are repeated, and so do their adjoints.
!q = !axloom.tensor<batch: B, depth: 8, heads: 2, member: 4, query: S, f32>
!k = !axloom.tensor<batch: B, depth: 8, heads: 2, key: S, f32>
!each = !axloom.tensor<batch: B, depth: 8, heads: 2, key: S, member: 4, f32>
// CHECK-LABEL: func.func @groups
// CHECK: axloom.kernel "attention_gradient"
// CHECK-SAME: result_layouts = [#axloom.layout<[batch, key, heads, member, depth]>]
func.func @groups(%q: !q {axloom.name = "q", axloom.order = ["batch", "query", "heads", "member", "depth"]},
                  %k: !k {axloom.name = "k", axloom.order = ["batch", "key", "heads", "depth"]},
                  %l: !axloom.tensor<batch: B, heads: 2, member: 4, query: S, f32>) -> !k {
  %each = axloom.broadcast %k to !each : !k -> !each
  %dq, %dk, %dv = axloom.attention_gradient %q, %each, %each output %q log2sumexp %l gradient %q depth "depth" key "key" scale 1.0 : !q, !each, !each, !q, !axloom.tensor<batch: B, heads: 2, member: 4, query: S, f32>, !q -> !q, !each, !each
  %sum = axloom.reduce "sum" %dk over ["member"] : !each -> !k
  return %sum : !k
}

// Of an outer product, the rows that a call decides stay outside, whatever comes first.
// CHECK-LABEL: func.func @outer
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: result_layouts = [#axloom.layout<[batch, position, model]>, #axloom.layout<[batch, position, model]>]
func.func @outer(%g: !axloom.tensor<batch: B, model: 8, f32> {axloom.name = "g", axloom.order = ["batch", "model"]},
                 %w: !axloom.tensor<batch: B, position: S, f32> {axloom.name = "w", axloom.order = ["batch", "position"]},
                 %v: !axloom.tensor<hidden: 16, model: 8, f32> {axloom.name = "v", axloom.order = ["hidden", "model"]})
    -> (!axloom.tensor<batch: B, hidden: 16, f32>, !axloom.tensor<batch: B, hidden: 16, position: S, f32>) {
  %y = axloom.mul %g, %w : <batch: B, model: 8, f32>, <batch: B, position: S, f32> -> <batch: B, model: 8, position: S, f32>
  %z = axloom.contract %y, %v over ["model"] : <batch: B, model: 8, position: S, f32>, <hidden: 16, model: 8, f32> -> <batch: B, hidden: 16, position: S, f32>
  %e = axloom.exp %y : <batch: B, model: 8, position: S, f32> -> <batch: B, model: 8, position: S, f32>
  %u = axloom.contract %e, %v over ["model"] : <batch: B, model: 8, position: S, f32>, <hidden: 16, model: 8, f32> -> <batch: B, hidden: 16, position: S, f32>
  %s = axloom.reduce "max" %u over ["position"] : <batch: B, hidden: 16, position: S, f32> -> <batch: B, hidden: 16, f32>
  return %s, %z : !axloom.tensor<batch: B, hidden: 16, f32>, !axloom.tensor<batch: B, hidden: 16, position: S, f32>
}
