// RUN: axloom-opt %s --axloom-pipeline="disable=simplify,fuse-ffn" | FileCheck %s
// RUN: axloom-opt %s --axloom-pipeline="disable=simplify,fuse-ffn" --remarks-filter-missed=plan-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=Missed
// RUN: axloom-opt %s --axloom-pipeline="disable=in-place-updates" --remarks-filter-missed=plan-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF

axloom.size @B max 64
axloom.variable "state" @count : !axloom.tensor<model: 4, f32> order ["model"] init {kind = "zeros"}
axloom.variable "session" @cache : !axloom.tensor<batch: B, key: 16, model: 4, f32> order ["batch", "key", "model"] init {kind = "zeros"}
axloom.variable "state" @other : !axloom.tensor<model: 4, f32> order ["model"] init {kind = "zeros"}
axloom.variable "state" @square : !axloom.tensor<column: 4, row: 4, f32> order ["row", "column"] init {kind = "zeros"}
axloom.variable "state" @turned : !axloom.tensor<column: 4, row: 4, f32> order ["column", "row"] init {kind = "zeros"}

// Three reductions in a row: the first and the third share a slot; the last one is computed in the
// caller's memory.
// CHECK-LABEL: func.func @reuse
// CHECK-SAME: axloom.below = [array<i64>, array<i64: 0>]
// CHECK-SAME: axloom.slots = [#axloom.size<16*B>, #axloom.size<16*B>]
// CHECK: placements = [#axloom.placement<slot 0>]
// CHECK: placements = [#axloom.placement<slot 1>]
// CHECK: placements = [#axloom.placement<slot 0>]
// CHECK: placements = [#axloom.placement<result 0>]
func.func @reuse(%x: !axloom.tensor<batch: B, model: 4, f32> {axloom.name = "x", axloom.order = ["batch", "model"]},
                 %w: !axloom.tensor<inner: 4, model: 4, f32> {axloom.name = "w", axloom.order = ["inner", "model"]})
    -> (!axloom.tensor<batch: B, model: 4, f32> {axloom.name = "y", axloom.order = ["batch", "model"]}) {
  %a = axloom.contract %x, %w over ["model"] : <batch: B, model: 4, f32>, <inner: 4, model: 4, f32> -> <batch: B, inner: 4, f32>
  %b = axloom.contract %a, %w over ["inner"] : <batch: B, inner: 4, f32>, <inner: 4, model: 4, f32> -> <batch: B, model: 4, f32>
  %c = axloom.contract %b, %w over ["model"] : <batch: B, model: 4, f32>, <inner: 4, model: 4, f32> -> <batch: B, inner: 4, f32>
  %d = axloom.contract %c, %w over ["inner"] : <batch: B, inner: 4, f32>, <inner: 4, model: 4, f32> -> <batch: B, model: 4, f32>
  return %d : !axloom.tensor<batch: B, model: 4, f32>
}

// A count that is read and written element by element needs no memory of its own.
// CHECK-LABEL: func.func @increment
// CHECK-SAME: axloom.slots = []
// CHECK: in_place = array<i64: 0>
// CHECK-SAME: placements = [#axloom.placement<variable @count>]
func.func @increment() {
  %one = axloom.constant 1.0 : f32 : <f32>
  %old = axloom.read @count : <model: 4, f32>
  %new = axloom.add %old, %one : <model: 4, f32>, <f32> -> <model: 4, f32>
  // OFF: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'count' is copied at the end: in-place-updates is off"
  axloom.write @count, %new : <model: 4, f32>
  return
}

// So does a table, with what is scattered to it; not where that comes of the table as well.
axloom.variable "parameter" @table : !axloom.tensor<model: 4, rows: 9, f32> order ["rows", "model"] init {kind = "zeros"}
// CHECK-LABEL: func.func @look_up
// CHECK: axloom.kernel "scatter"
// CHECK-SAME: in_place = array<i64: 2>
// CHECK-SAME: placements = [#axloom.placement<variable @table>]
func.func @look_up(%x: !axloom.tensor<batch: B, model: 4, f32> {axloom.name = "x", axloom.order = ["batch", "model"]},
                   %at: !axloom.tensor<batch: B, i32> {axloom.name = "at", axloom.order = ["batch"]}) {
  %old = axloom.read @table : <model: 4, rows: 9, f32>
  %g = axloom.scatter_add %x, %at along "rows" to !axloom.tensor<model: 4, rows: 9, f32> : <batch: B, model: 4, f32>, <batch: B, i32> -> <model: 4, rows: 9, f32>
  %new = axloom.sub %old, %g : <model: 4, rows: 9, f32>, <model: 4, rows: 9, f32> -> <model: 4, rows: 9, f32>
  // OFF: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'table' is copied at the end: in-place-updates is off"
  axloom.write @table, %new : <model: 4, rows: 9, f32>
  return
}

// CHECK-LABEL: func.func @scatter_itself
// CHECK: axloom.kernel "scatter"
// CHECK-NOT: in_place
// CHECK: return
func.func @scatter_itself(%at: !axloom.tensor<place: 9, i32> {axloom.name = "at", axloom.order = ["place"]}) {
  %old = axloom.read @table : <model: 4, rows: 9, f32>
  %x = axloom.rename %old "rows" to "place" : <model: 4, rows: 9, f32> -> <model: 4, place: 9, f32>
  %g = axloom.scatter_add %x, %at along "rows" to !axloom.tensor<model: 4, rows: 9, f32> : <model: 4, place: 9, f32>, <place: 9, i32> -> <model: 4, rows: 9, f32>
  %new = axloom.sub %old, %g : <model: 4, rows: 9, f32>, <model: 4, rows: 9, f32> -> <model: 4, rows: 9, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'table' is copied at the end: its kernel reads more of the old value than the element that it writes"
  axloom.write @table, %new : <model: 4, rows: 9, f32>
  return
}

// A cache is updated in place, but not where a later kernel still reads its old value.
// CHECK-LABEL: func.func @put
// CHECK: axloom.kernel "update"
// CHECK-SAME: in_place = array<i64: 0>
// CHECK-SAME: placements = [#axloom.placement<variable @cache>]
func.func @put(%at: !axloom.tensor<i32> {axloom.name = "at", axloom.order = []},
               %row: !axloom.tensor<batch: B, model: 4, f32> {axloom.name = "row", axloom.order = ["batch", "model"]}) {
  %old = axloom.read @cache : <batch: B, key: 16, model: 4, f32>
  %new = axloom.update %old at %at with %row along "key" : <batch: B, key: 16, model: 4, f32>, <i32>, <batch: B, model: 4, f32> -> <batch: B, key: 16, model: 4, f32>
  axloom.write @cache, %new : <batch: B, key: 16, model: 4, f32>
  return
}

// CHECK-LABEL: func.func @put_and_read
// CHECK: axloom.kernel "update"
// CHECK-NOT: in_place
// CHECK: placements = [#axloom.placement<slot 0>]
func.func @put_and_read(%at: !axloom.tensor<i32> {axloom.name = "at", axloom.order = []},
                        %row: !axloom.tensor<batch: B, model: 4, f32> {axloom.name = "row", axloom.order = ["batch", "model"]})
    -> (!axloom.tensor<batch: B, model: 4, f32> {axloom.name = "sum", axloom.order = ["batch", "model"]}) {
  %old = axloom.read @cache : <batch: B, key: 16, model: 4, f32>
  %new = axloom.update %old at %at with %row along "key" : <batch: B, key: 16, model: 4, f32>, <i32>, <batch: B, model: 4, f32> -> <batch: B, key: 16, model: 4, f32>
  %sum = axloom.reduce "sum" %new over ["key"] : <batch: B, key: 16, model: 4, f32> -> <batch: B, model: 4, f32>
  %before = axloom.reduce "sum" %old over ["key"] : <batch: B, key: 16, model: 4, f32> -> <batch: B, model: 4, f32>
  %both = axloom.add %sum, %before : <batch: B, model: 4, f32>, <batch: B, model: 4, f32> -> <batch: B, model: 4, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'cache' is copied at the end: the old value is read later, by put_and_read.2.reduction"
  axloom.write @cache, %new : <batch: B, key: 16, model: 4, f32>
  return %both : !axloom.tensor<batch: B, model: 4, f32>
}

// A ragged batch takes memory for its tokens, not for the longest sentence times the batch.
axloom.size @S max 64
// CHECK-LABEL: func.func @ragged
// CHECK-SAME: axloom.slots = [#axloom.size<16*total.S>]
func.func @ragged(%x: !axloom.tensor<batch: B, model: 4, position: S[batch], f32> {axloom.name = "x", axloom.order = ["batch", "position", "model"]},
                  %w: !axloom.tensor<inner: 4, model: 4, f32> {axloom.name = "w", axloom.order = ["inner", "model"]})
    -> (!axloom.tensor<batch: B, model: 4, position: S[batch], f32> {axloom.name = "y", axloom.order = ["batch", "position", "model"]}) {
  %a = axloom.contract %x, %w over ["model"] : <batch: B, model: 4, position: S[batch], f32>, <inner: 4, model: 4, f32> -> <batch: B, inner: 4, position: S[batch], f32>
  %b = axloom.contract %a, %w over ["inner"] : <batch: B, inner: 4, position: S[batch], f32>, <inner: 4, model: 4, f32> -> <batch: B, model: 4, position: S[batch], f32>
  return %b : !axloom.tensor<batch: B, model: 4, position: S[batch], f32>
}

// It is packed as the memory of a thousand tokens: below what is large, but of fixed size.
!tokens = !axloom.tensor<batch: B, model: 4, position: S[batch], f32>
!outer = !axloom.tensor<column: 64, row: 32, f32>
// CHECK-LABEL: func.func @ragged_beside_fixed
// CHECK-SAME: axloom.slots = [#axloom.size<16*total.S>, #axloom.size<8192>]
func.func @ragged_beside_fixed(%x: !tokens, %w: !axloom.tensor<inner: 4, model: 4, f32>, %u: !axloom.tensor<inner: 4, row: 32, f32>,
                               %v: !axloom.tensor<column: 64, inner: 4, f32>) -> (!tokens, !axloom.tensor<column: 64, inner: 4, f32>) {
  %a = axloom.contract %x, %w over ["model"] : !tokens, <inner: 4, model: 4, f32> -> <batch: B, inner: 4, position: S[batch], f32>
  %b = axloom.contract %v, %u over ["inner"] : <column: 64, inner: 4, f32>, <inner: 4, row: 32, f32> -> !outer
  %y = axloom.contract %a, %w over ["inner"] : <batch: B, inner: 4, position: S[batch], f32>, <inner: 4, model: 4, f32> -> !tokens
  %z = axloom.contract %b, %u over ["row"] : !outer, <inner: 4, row: 32, f32> -> <column: 64, inner: 4, f32>
  return %y, %z : !tokens, !axloom.tensor<column: 64, inner: 4, f32>
}

// What is returned of the old value is copied before anything runs.
// CHECK-LABEL: func.func @exchange
// CHECK: in_place = array<i64: 0>
// CHECK-SAME: placements = [#axloom.placement<variable @count>]
func.func @exchange() -> (!axloom.tensor<model: 4, f32> {axloom.name = "before", axloom.order = ["model"]}) {
  %old = axloom.read @count : <model: 4, f32>
  %new = axloom.exp %old : <model: 4, f32> -> <model: 4, f32>
  // OFF: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'count' is copied at the end: in-place-updates is off"
  axloom.write @count, %new : <model: 4, f32>
  return %old : !axloom.tensor<model: 4, f32>
}

// Copied at the end: what is no kernel's, what two variables take, in one order or
// in two, what reads more than its element.
// CHECK-LABEL: func.func @copies
func.func @copies(%given: !axloom.tensor<model: 4, f32> {axloom.name = "given", axloom.order = ["model"]}) {
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'count' is copied at the end: no kernel computes it"
  axloom.write @count, %given : <model: 4, f32>
  return
}

// CHECK-LABEL: func.func @both
func.func @both() {
  %old = axloom.read @count : <model: 4, f32>
  %new = axloom.exp %old : <model: 4, f32> -> <model: 4, f32>
  axloom.write @count, %new : <model: 4, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'other' is copied at the end: it lies in variable 'count' already"
  axloom.write @other, %new : <model: 4, f32>
  return
}

// CHECK-LABEL: func.func @other_order
func.func @other_order(%x: !axloom.tensor<column: 4, row: 4, f32> {axloom.name = "x", axloom.order = ["row", "column"]})
    -> (!axloom.tensor<row: 4, f32> {axloom.name = "sum", axloom.order = ["row"]}) {
  %old = axloom.read @square : <column: 4, row: 4, f32>
  %new = axloom.exp %x : <column: 4, row: 4, f32> -> <column: 4, row: 4, f32>
  %sum = axloom.reduce "sum" %old over ["column"] : <column: 4, row: 4, f32> -> <row: 4, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'square' is copied at the end: the old value is read later, by other_order.1.reduction"
  axloom.write @square, %new : <column: 4, row: 4, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'turned' is copied at the end: it has its axes in another order than the variable"
  axloom.write @turned, %new : <column: 4, row: 4, f32>
  return %sum : !axloom.tensor<row: 4, f32>
}

// CHECK-LABEL: func.func @product
func.func @product(%x: !axloom.tensor<inner: 4, row: 4, f32> {axloom.name = "x", axloom.order = ["inner", "row"]}) {
  %old = axloom.read @square : <column: 4, row: 4, f32>
  %inner = axloom.rename %old "row" to "inner" : <column: 4, row: 4, f32> -> <column: 4, inner: 4, f32>
  %new = axloom.contract %inner, %x over ["inner"] : <column: 4, inner: 4, f32>, <inner: 4, row: 4, f32> -> <column: 4, row: 4, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'square' is copied at the end: its kernel reads more of the old value than the element that it writes"
  axloom.write @square, %new : <column: 4, row: 4, f32>
  return
}

// Results are stored one after the other: what comes of the old value would find the new one. What
// comes of the new value alone may.
// CHECK-LABEL: func.func @change
func.func @change(%x: !axloom.tensor<model: 4, f32> {axloom.name = "x", axloom.order = ["model"]})
    -> (!axloom.tensor<model: 4, f32> {axloom.name = "change", axloom.order = ["model"]}) {
  %old = axloom.read @count : <model: 4, f32>
  %place = axloom.iota "model" size <4> : <model: 4, i32>
  %number = axloom.cast %place to f32 : <model: 4, i32> -> <model: 4, f32>
  %step = axloom.mul %x, %number : <model: 4, f32>, <model: 4, f32> -> <model: 4, f32>
  %new = axloom.add %old, %step : <model: 4, f32>, <model: 4, f32> -> <model: 4, f32>
  %change = axloom.sub %new, %old : <model: 4, f32>, <model: 4, f32> -> <model: 4, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'count' is copied at the end: another result of its kernel comes of the old value"
  axloom.write @count, %new : <model: 4, f32>
  return %change : !axloom.tensor<model: 4, f32>
}

// CHECK-LABEL: func.func @momentum
// CHECK: in_place = array<i64: 0, 2>
func.func @momentum(%x: !axloom.tensor<model: 4, f32> {axloom.name = "x", axloom.order = ["model"]}) {
  %moment = axloom.read @count : <model: 4, f32>
  %old = axloom.read @other : <model: 4, f32>
  %sum = axloom.add %moment, %x : <model: 4, f32>, <model: 4, f32> -> <model: 4, f32>
  %new = axloom.sub %old, %sum : <model: 4, f32>, <model: 4, f32> -> <model: 4, f32>
  axloom.write @count, %sum : <model: 4, f32>
  axloom.write @other, %new : <model: 4, f32>
  return
}

// What is computed of an element may be moved afterwards, in the same kernel.
// CHECK-LABEL: func.func @shifted
func.func @shifted() {
  %old = axloom.read @count : <model: 4, f32>
  %new = axloom.exp %old : <model: 4, f32> -> <model: 4, f32>
  %moved = axloom.shift %new "model" by 1 with 0.0 : <model: 4, f32> -> <model: 4, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'count' is copied at the end: its kernel reads more of the old value than the element that it writes"
  axloom.write @count, %moved : <model: 4, f32>
  return
}

// CHECK-LABEL: func.func @transposed
func.func @transposed() {
  %old = axloom.read @square : <column: 4, row: 4, f32>
  %new = axloom.exp %old : <column: 4, row: 4, f32> -> <column: 4, row: 4, f32>
  %a = axloom.rename %new "row" to "place" : <column: 4, row: 4, f32> -> <column: 4, place: 4, f32>
  %b = axloom.rename %a "column" to "row" : <column: 4, place: 4, f32> -> <place: 4, row: 4, f32>
  %c = axloom.rename %b "place" to "column" : <place: 4, row: 4, f32> -> <column: 4, row: 4, f32>
  %sum = axloom.add %new, %c : <column: 4, row: 4, f32>, <column: 4, row: 4, f32> -> <column: 4, row: 4, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the new value of variable 'square' is copied at the end: its kernel reads more of the old value than the element that it writes"
  axloom.write @square, %sum : <column: 4, row: 4, f32>
  return
}
