// RUN: axloom-opt %s --axloom-pipeline | FileCheck %s
// RUN: axloom-opt %s --axloom-pipeline --remarks-filter-missed=group-updates -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=Missed
// RUN: axloom-opt %s --axloom-pipeline="disable=group-updates" | FileCheck %s --check-prefix=OFF
// RUN: axloom-opt %s --axloom-pipeline="disable=in-place-updates" | FileCheck %s --check-prefix=SLOTS
// RUN: axloom-opt %s --axloom-pipeline="disable=in-place-updates,group-updates" | FileCheck %s --check-prefix=OFFSLOTS

// OFF-NOT: group =

axloom.variable "parameter" @matrix : !axloom.tensor<column: 4, row: 6, f32> order ["row", "column"] init {kind = "zeros"}
axloom.variable "parameter" @bias : !axloom.tensor<model: 8, f32> order ["model"] init {kind = "zeros"}
axloom.variable "parameter" @cube : !axloom.tensor<heads: 2, model: 8, position: 3, f32> order ["heads", "model", "position"] init {kind = "zeros"}
axloom.variable "state" @count : !axloom.tensor<f32> order [] init {kind = "zeros"}
axloom.variable "parameter" @kept : !axloom.tensor<model: 8, f32> order ["model"] init {kind = "zeros"}
axloom.variable "parameter" @source : !axloom.tensor<model: 8, f32> order ["model"] init {kind = "zeros"}
axloom.variable "parameter" @keys : !axloom.tensor<key: 9, f32> order ["key"] init {kind = "zeros"}
axloom.variable "parameter" @other : !axloom.tensor<column: 4, row: 6, f32> order ["row", "column"] init {kind = "zeros"}

// Shapes differ, what is done does not. Updates that subtract the other way round are another group.
// CHECK-LABEL: func.func @step
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: group = 0 : i64, in_place = array<i64: 2>
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: group = 1 : i64
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: group = 0 : i64, in_place = array<i64: 2>
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: group = 1 : i64
func.func @step(%rate: !axloom.tensor<f32> {axloom.name = "rate", axloom.order = []},
                %dm: !axloom.tensor<column: 4, row: 6, f32> {axloom.name = "dm", axloom.order = ["row", "column"]},
                %db: !axloom.tensor<model: 8, f32> {axloom.name = "db", axloom.order = ["model"]},
                %dc: !axloom.tensor<heads: 2, model: 8, position: 3, f32> {axloom.name = "dc", axloom.order = ["heads", "model", "position"]},
                %dk: !axloom.tensor<key: 9, f32> {axloom.name = "dk", axloom.order = ["key"]}) {
  %matrix = axloom.read @matrix : <column: 4, row: 6, f32>
  %bias = axloom.read @bias : <model: 8, f32>
  %cube = axloom.read @cube : <heads: 2, model: 8, position: 3, f32>
  %keys = axloom.read @keys : <key: 9, f32>
  %sm = axloom.mul %rate, %dm : <f32>, <column: 4, row: 6, f32> -> <column: 4, row: 6, f32>
  %m = axloom.sub %matrix, %sm : <column: 4, row: 6, f32>, <column: 4, row: 6, f32> -> <column: 4, row: 6, f32>
  %sb = axloom.mul %rate, %db : <f32>, <model: 8, f32> -> <model: 8, f32>
  %b = axloom.sub %sb, %bias : <model: 8, f32>, <model: 8, f32> -> <model: 8, f32>
  %sc = axloom.mul %rate, %dc : <f32>, <heads: 2, model: 8, position: 3, f32> -> <heads: 2, model: 8, position: 3, f32>
  %c = axloom.sub %cube, %sc : <heads: 2, model: 8, position: 3, f32>, <heads: 2, model: 8, position: 3, f32> -> <heads: 2, model: 8, position: 3, f32>
  %sk = axloom.mul %rate, %dk : <f32>, <key: 9, f32> -> <key: 9, f32>
  %k = axloom.sub %sk, %keys : <key: 9, f32>, <key: 9, f32> -> <key: 9, f32>
  axloom.write @matrix, %m : <column: 4, row: 6, f32>
  axloom.write @bias, %b : <model: 8, f32>
  axloom.write @cube, %c : <heads: 2, model: 8, position: 3, f32>
  axloom.write @keys, %k : <key: 9, f32>
  return
}

// What runs together lives together: the second update may not take the memory that the first one
// still reads.
// SLOTS-LABEL: func.func @lives
// SLOTS-SAME: axloom.slots = [#axloom.size<32>, #axloom.size<32>, #axloom.size<32>, #axloom.size<32>]
// OFFSLOTS-LABEL: func.func @lives
// OFFSLOTS-SAME: axloom.slots = [#axloom.size<32>, #axloom.size<32>, #axloom.size<32>]
func.func @lives(%x: !axloom.tensor<model: 8, f32> {axloom.name = "x", axloom.order = ["model"]},
                 %y: !axloom.tensor<model: 8, f32> {axloom.name = "y", axloom.order = ["model"]},
                 %at: !axloom.tensor<i32> {axloom.name = "at", axloom.order = []},
                 %with: !axloom.tensor<f32> {axloom.name = "with", axloom.order = []}) {
  %bias = axloom.read @bias : <model: 8, f32>
  %kept = axloom.read @kept : <model: 8, f32>
  %db = axloom.update %x at %at with %with along "model" : <model: 8, f32>, <i32>, <f32> -> <model: 8, f32>
  %dk = axloom.update %y at %at with %with along "model" : <model: 8, f32>, <i32>, <f32> -> <model: 8, f32>
  %b = axloom.sub %bias, %db : <model: 8, f32>, <model: 8, f32> -> <model: 8, f32>
  %k = axloom.sub %kept, %dk : <model: 8, f32>, <model: 8, f32> -> <model: 8, f32>
  axloom.write @bias, %b : <model: 8, f32>
  axloom.write @kept, %k : <model: 8, f32>
  return
}

// A value that another update reads must not be gone before it has.
// CHECK-LABEL: func.func @exchange
// CHECK-NOT: group =
func.func @exchange() {
  %half = axloom.constant 0.5 : f32 : <f32>
  %bias = axloom.read @bias : <model: 8, f32>
  %kept = axloom.read @kept : <model: 8, f32>
  %b = axloom.mul %kept, %half : <model: 8, f32>, <f32> -> <model: 8, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the update is a launch of its own: it reads variable 'bias', which another one writes"
  %k = axloom.mul %bias, %half : <model: 8, f32>, <f32> -> <model: 8, f32>
  axloom.write @bias, %b : <model: 8, f32>
  axloom.write @kept, %k : <model: 8, f32>
  return
}

// Nor may it where the update that reads comes first: a group runs where its last update stands.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: group =
func.func @chain() {
  %half = axloom.constant 0.5 : f32 : <f32>
  %bias = axloom.read @bias : <model: 8, f32>
  %source = axloom.read @source : <model: 8, f32>
  %k = axloom.mul %bias, %half : <model: 8, f32>, <f32> -> <model: 8, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the update is a launch of its own: it writes variable 'bias', which another one reads"
  %b = axloom.mul %source, %half : <model: 8, f32>, <f32> -> <model: 8, f32>
  axloom.write @kept, %k : <model: 8, f32>
  axloom.write @bias, %b : <model: 8, f32>
  return
}

// What is no arithmetic on elements of one shape in one order stays alone.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: group =
func.func @alone(%row: !axloom.tensor<row: 6, f32> {axloom.name = "row", axloom.order = ["row"]},
                 %turned: !axloom.tensor<column: 4, row: 6, f32> {axloom.name = "turned", axloom.order = ["column", "row"]},
                 %seed: !axloom.tensor<i32> {axloom.name = "seed", axloom.order = []}) {
  %matrix = axloom.read @matrix : <column: 4, row: 6, f32>
  %other = axloom.read @other : <column: 4, row: 6, f32>
  %bias = axloom.read @bias : <model: 8, f32>
  %keys = axloom.read @keys : <key: 9, f32>
  %count = axloom.read @count : <f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the update is a launch of its own: its tensors differ in their axes"
  %m = axloom.mul %matrix, %row : <column: 4, row: 6, f32>, <row: 6, f32> -> <column: 4, row: 6, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the update is a launch of its own: its tensors lie in different orders"
  %o = axloom.mul %other, %turned : <column: 4, row: 6, f32>, <column: 4, row: 6, f32> -> <column: 4, row: 6, f32>
  %site = axloom.constant 1 : i32 : <i32>
  %noise = axloom.random %seed, %seed, %site : <i32>, <i32>, <i32> -> !axloom.tensor<model: 8, f32> <model: 8, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the update is a launch of its own: it does more than arithmetic on elements"
  %b = axloom.add %bias, %noise : <model: 8, f32>, <model: 8, f32> -> <model: 8, f32>
  // WHY: :[[#@LINE+1]]:{{.*}}Remark="the update is a launch of its own: it computes a scalar"
  %n = axloom.add %count, %count : <f32>, <f32> -> <f32>
  axloom.write @matrix, %m : <column: 4, row: 6, f32>
  axloom.write @other, %o : <column: 4, row: 6, f32>
  axloom.write @bias, %b : <model: 8, f32>
  axloom.write @count, %n : <f32>
  return
}

// A result that goes elsewhere too is no update; one update alone is no group.
// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT: group =
func.func @elsewhere() -> (!axloom.tensor<model: 8, f32> {axloom.name = "y", axloom.order = ["model"]}) {
  %bias = axloom.read @bias : <model: 8, f32>
  %keys = axloom.read @keys : <key: 9, f32>
  %b = axloom.exp %bias : <model: 8, f32> -> <model: 8, f32>
  %k = axloom.exp %keys : <key: 9, f32> -> <key: 9, f32>
  axloom.write @bias, %b : <model: 8, f32>
  axloom.write @keys, %k : <key: 9, f32>
  return %b : !axloom.tensor<model: 8, f32>
}

// Old values that other variables keep are copied together, before they are overwritten.
// CHECK-LABEL: func.func @copies
// CHECK: axloom.kernel "copy"
// CHECK-SAME: group = [[COPIES:[0-9]+]] : i64{{.*}}variable @other
// CHECK: axloom.kernel "copy"
// CHECK-SAME: group = [[COPIES]] : i64{{.*}}variable @kept
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: in_place
// CHECK: axloom.kernel "pointwise"
// CHECK-SAME: in_place
func.func @copies() {
  %matrix = axloom.read @matrix : <column: 4, row: 6, f32>
  %bias = axloom.read @bias : <model: 8, f32>
  %m = axloom.exp %matrix : <column: 4, row: 6, f32> -> <column: 4, row: 6, f32>
  %b = axloom.exp %bias : <model: 8, f32> -> <model: 8, f32>
  axloom.write @matrix, %m : <column: 4, row: 6, f32>
  axloom.write @bias, %b : <model: 8, f32>
  axloom.write @other, %matrix : <column: 4, row: 6, f32>
  axloom.write @kept, %bias : <model: 8, f32>
  return
}
