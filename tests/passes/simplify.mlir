// RUN: axloom-opt %s --simplify --split-input-file | FileCheck %s

// Scalars fold; a division stays one.
// CHECK-LABEL: func.func @scalars
func.func @scalars(%x: !axloom.tensor<model: 64, f32>) -> (!axloom.tensor<model: 64, f32>, !axloom.tensor<f32>) {
  // CHECK-DAG: %[[EIGHT:.*]] = axloom.constant 8.0
  // CHECK-DAG: %[[E:.*]] = axloom.constant 1.0{{.*}}
  %size = axloom.size_of <64> : <f32>
  %root = axloom.sqrt %size : <f32> -> <f32>
  // CHECK: axloom.div %arg0, %[[EIGHT]]
  %y = axloom.div %x, %root : <model: 64, f32>, <f32> -> <model: 64, f32>
  %zero = axloom.constant 0.0 : f32 : <f32>
  %one = axloom.exp %zero : <f32> -> <f32>
  return %y, %one : !axloom.tensor<model: 64, f32>, !axloom.tensor<f32>
}

// -----

// What is not finite is not folded: log(0) stays an op.
// CHECK-LABEL: func.func @infinite
func.func @infinite() -> !axloom.tensor<f32> {
  %zero = axloom.constant 0.0 : f32 : <f32>
  // CHECK: axloom.log
  %y = axloom.log %zero : <f32> -> <f32>
  return %y : !axloom.tensor<f32>
}

// -----

// CHECK-LABEL: func.func @identities
func.func @identities(%x: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, f32> {
  %zero = axloom.constant 0.0 : f32 : <f32>
  %one = axloom.constant 1.0 : f32 : <f32>
  %1 = axloom.add %zero, %x : <f32>, <a: 3, f32> -> <a: 3, f32>
  %2 = axloom.sub %1, %zero : <a: 3, f32>, <f32> -> <a: 3, f32>
  %3 = axloom.mul %one, %2 : <f32>, <a: 3, f32> -> <a: 3, f32>
  %4 = axloom.div %3, %one : <a: 3, f32>, <f32> -> <a: 3, f32>
  %5 = axloom.pow %4, %one : <a: 3, f32>, <f32> -> <a: 3, f32>
  %6 = axloom.neg %5 : <a: 3, f32> -> <a: 3, f32>
  %7 = axloom.neg %6 : <a: 3, f32> -> <a: 3, f32>
  // CHECK-NEXT: return %arg0
  return %7 : !axloom.tensor<a: 3, f32>
}

// -----

// What is true counts as one.
// CHECK-LABEL: func.func @truth
func.func @truth() -> !axloom.tensor<f32> {
  %true = axloom.constant true : <i1>
  // CHECK: %[[ONE:.*]] = axloom.constant 1.0
  %y = axloom.cast %true to f32 : <i1> -> <f32>
  // CHECK: return %[[ONE]]
  return %y : !axloom.tensor<f32>
}

// -----

// Adding zeros that bring in an axis is no identity.
// CHECK-LABEL: func.func @notIdentity
func.func @notIdentity(%x: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, b: 2, f32> {
  %zero = axloom.constant 0.0 : f32 : <f32>
  // CHECK: axloom.broadcast
  %zeros = axloom.broadcast %zero to !axloom.tensor<b: 2, f32> : <f32> -> <b: 2, f32>
  // CHECK: axloom.add
  %y = axloom.add %x, %zeros : <a: 3, f32>, <b: 2, f32> -> <a: 3, b: 2, f32>
  return %y : !axloom.tensor<a: 3, b: 2, f32>
}

// -----

// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%x: !axloom.tensor<a: 3, f32>, %y: !axloom.tensor<a: 3, f32>) -> (!axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>) {
  // CHECK-DAG: %[[SIX:.*]] = axloom.constant 6.0
  %two = axloom.constant 2.0 : f32 : <f32>
  %three = axloom.constant 3.0 : f32 : <f32>
  // CHECK-DAG: %[[SQUARE:.*]] = axloom.mul %arg0, %arg0
  %square = axloom.pow %x, %two : <a: 3, f32>, <f32> -> <a: 3, f32>
  // CHECK-DAG: %[[SCALED:.*]] = axloom.mul %arg0, %[[SIX]]
  %1 = axloom.mul %two, %x : <f32>, <a: 3, f32> -> <a: 3, f32>
  %2 = axloom.mul %1, %three : <a: 3, f32>, <f32> -> <a: 3, f32>
  // CHECK-DAG: %[[DIFFERENCE:.*]] = axloom.sub %arg0, %arg1
  %negated = axloom.neg %y : <a: 3, f32> -> <a: 3, f32>
  %difference = axloom.add %negated, %x : <a: 3, f32>, <a: 3, f32> -> <a: 3, f32>
  // CHECK: return %[[SQUARE]], %[[SCALED]], %[[DIFFERENCE]]
  return %square, %2, %difference : !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>
}

// -----

// CHECK-LABEL: func.func @chosenConstants
func.func @chosenConstants(%m: !axloom.tensor<a: 3, i1>) -> !axloom.tensor<a: 3, f32> {
  // CHECK-DAG: %[[EIGHT:.*]] = axloom.constant 8.0
  // CHECK-DAG: %[[TWELVE:.*]] = axloom.constant 1.200000e+01
  %two = axloom.constant 2.0 : f32 : <f32>
  %three = axloom.constant 3.0 : f32 : <f32>
  %four = axloom.constant 4.0 : f32 : <f32>
  // CHECK: %[[CHOSEN:.*]] = axloom.select %arg0, %[[EIGHT]], %[[TWELVE]]
  %chosen = axloom.select %m, %two, %three : <a: 3, i1>, <f32>, <f32> -> <a: 3, f32>
  %y = axloom.mul %chosen, %four : <a: 3, f32>, <f32> -> <a: 3, f32>
  // CHECK-NEXT: return %[[CHOSEN]]
  return %y : !axloom.tensor<a: 3, f32>
}

// -----

// Integers have no negation.
// CHECK-LABEL: func.func @differences
func.func @differences(%x: !axloom.tensor<a: 3, f32>, %y: !axloom.tensor<a: 3, f32>, %i: !axloom.tensor<a: 3, i32>) -> (!axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, i32>, !axloom.tensor<a: 3, f32>) {
  // CHECK-DAG: %[[ZERO:.*]] = axloom.constant 0 : i32
  %zero = axloom.constant 0.0 : f32 : <f32>
  %none = axloom.constant 0 : i32 : <i32>
  // CHECK-DAG: %[[NEGATED:.*]] = axloom.neg %arg0
  %negated = axloom.sub %zero, %x : <f32>, <a: 3, f32> -> <a: 3, f32>
  // CHECK-DAG: %[[INTEGERS:.*]] = axloom.sub %[[ZERO]], %arg2
  %integers = axloom.sub %none, %i : <i32>, <a: 3, i32> -> <a: 3, i32>
  // CHECK-DAG: %[[SUM:.*]] = axloom.add %arg0, %arg1
  %opposite = axloom.neg %y : <a: 3, f32> -> <a: 3, f32>
  %sum = axloom.sub %x, %opposite : <a: 3, f32>, <a: 3, f32> -> <a: 3, f32>
  // CHECK: return %[[NEGATED]], %[[INTEGERS]], %[[SUM]]
  return %negated, %integers, %sum : !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, i32>, !axloom.tensor<a: 3, f32>
}

// -----

// Pointwise ops broadcast by themselves; a sum over a repeated axis is a product.
// CHECK-LABEL: func.func @broadcasts
axloom.size @B max 64
func.func @broadcasts(%x: !axloom.tensor<a: B, f32>, %y: !axloom.tensor<b: 2, f32>) -> (!axloom.tensor<a: B, b: 2, f32>, !axloom.tensor<b: 2, f32>) {
  // CHECK-DAG: %[[SUM:.*]] = axloom.add %arg0, %arg1
  %wide = axloom.broadcast %x to !axloom.tensor<a: B, b: 2, f32> : <a: B, f32> -> <a: B, b: 2, f32>
  %1 = axloom.add %wide, %y : <a: B, b: 2, f32>, <b: 2, f32> -> <a: B, b: 2, f32>
  // Of an infinite number, nothing is 0.
  // CHECK-DAG: %[[SIZE:.*]] = axloom.size_of <B>
  // CHECK-DAG: %[[PRODUCT:.*]] = axloom.mul %arg1, %[[SIZE]]
  // CHECK-DAG: %[[ANY:.*]] = axloom.compare "gt" %[[SIZE]]
  // CHECK-DAG: %[[CHOSEN:.*]] = axloom.select %[[ANY]], %[[PRODUCT]]
  %tall = axloom.broadcast %y to !axloom.tensor<a: B, b: 2, f32> : <b: 2, f32> -> <a: B, b: 2, f32>
  %2 = axloom.reduce "sum" %tall over ["a"] : <a: B, b: 2, f32> -> <b: 2, f32>
  // CHECK: return %[[SUM]], %[[CHOSEN]]
  return %1, %2 : !axloom.tensor<a: B, b: 2, f32>, !axloom.tensor<b: 2, f32>
}

// -----

// A product of what is repeated is computed once; summed over what repeats it, with the sum of the
// other factor, and nothing is summed where there is nothing.
// CHECK-LABEL: func.func @products
axloom.size @B max 64
func.func @products(%x: !axloom.tensor<a: 2, k: 3, f32>, %w: !axloom.tensor<b: 5, k: 3, f32>, %t: !axloom.tensor<k: 3, m: 4, p: B, f32>) -> (!axloom.tensor<a: 2, b: 5, p: B, f32>, !axloom.tensor<a: 2, m: 4, f32>) {
  %wide = axloom.broadcast %x to !axloom.tensor<a: 2, k: 3, p: B, f32> : <a: 2, k: 3, f32> -> <a: 2, k: 3, p: B, f32>
  // CHECK-DAG: %[[ONCE:.*]] = axloom.contract %arg0, %arg1 over ["k"]
  // CHECK-DAG: %[[REPEATED:.*]] = axloom.broadcast %[[ONCE]]
  %1 = axloom.contract %wide, %w over ["k"] : <a: 2, k: 3, p: B, f32>, <b: 5, k: 3, f32> -> <a: 2, b: 5, p: B, f32>
  // CHECK-DAG: %[[SUM:.*]] = axloom.reduce "sum" %arg2 over ["p"]
  // CHECK-DAG: %[[PRODUCT:.*]] = axloom.contract %arg0, %[[SUM]] over ["k"]
  // CHECK-DAG: %[[ANY:.*]] = axloom.compare "gt"
  // CHECK-DAG: %[[CHOSEN:.*]] = axloom.select %[[ANY]], %[[PRODUCT]]
  %2 = axloom.contract %wide, %t over ["k", "p"] : <a: 2, k: 3, p: B, f32>, <k: 3, m: 4, p: B, f32> -> <a: 2, m: 4, f32>
  // CHECK: return %[[REPEATED]], %[[CHOSEN]]
  return %1, %2 : !axloom.tensor<a: 2, b: 5, p: B, f32>, !axloom.tensor<a: 2, m: 4, f32>
}

// -----

// Summed over an axis that has elements, it needs no choice; nor does the order of factors matter.
// CHECK-LABEL: func.func @products_of_some
func.func @products_of_some(%x: !axloom.tensor<a: 2, k: 3, f32>, %t: !axloom.tensor<k: 3, m: 4, p: 7, f32>) -> !axloom.tensor<a: 2, m: 4, f32> {
  %wide = axloom.broadcast %x to !axloom.tensor<a: 2, k: 3, p: 7, f32> : <a: 2, k: 3, f32> -> <a: 2, k: 3, p: 7, f32>
  // CHECK: %[[SUM:.*]] = axloom.reduce "sum" %arg1 over ["p"]
  // CHECK-NEXT: %[[PRODUCT:.*]] = axloom.contract %arg0, %[[SUM]] over ["k"]
  // CHECK-NEXT: return %[[PRODUCT]]
  %1 = axloom.contract %t, %wide over ["k", "p"] : <k: 3, m: 4, p: 7, f32>, <a: 2, k: 3, p: 7, f32> -> <a: 2, m: 4, f32>
  return %1 : !axloom.tensor<a: 2, m: 4, f32>
}

// -----

// Sums of bf16 would be rounded once more.
// CHECK-LABEL: func.func @products_of_bf16
func.func @products_of_bf16(%x: !axloom.tensor<a: 2, k: 3, bf16>, %t: !axloom.tensor<k: 3, m: 4, p: 7, bf16>) -> !axloom.tensor<a: 2, m: 4, bf16> {
  // CHECK: %[[WIDE:.*]] = axloom.broadcast %arg0
  %wide = axloom.broadcast %x to !axloom.tensor<a: 2, k: 3, p: 7, bf16> : <a: 2, k: 3, bf16> -> <a: 2, k: 3, p: 7, bf16>
  // CHECK: axloom.contract %[[WIDE]], %arg1
  %1 = axloom.contract %wide, %t over ["k", "p"] : <a: 2, k: 3, p: 7, bf16>, <k: 3, m: 4, p: 7, bf16> -> <a: 2, m: 4, bf16>
  return %1 : !axloom.tensor<a: 2, m: 4, bf16>
}

// -----

// Each entry of a ragged batch has its own number of terms.
// CHECK-LABEL: func.func @products_of_entries
axloom.size @B max 64
axloom.size @S max 64
func.func @products_of_entries(%x: !axloom.tensor<batch: B, k: 3, f32>, %t: !axloom.tensor<batch: B, m: 4, p: S[batch], f32>) -> !axloom.tensor<k: 3, m: 4, f32> {
  // CHECK: %[[WIDE:.*]] = axloom.broadcast %arg0
  %wide = axloom.broadcast %x to !axloom.tensor<batch: B, k: 3, p: S[batch], f32> : <batch: B, k: 3, f32> -> <batch: B, k: 3, p: S[batch], f32>
  // CHECK: axloom.contract %[[WIDE]], %arg1
  %1 = axloom.contract %wide, %t over ["batch", "p"] : <batch: B, k: 3, p: S[batch], f32>, <batch: B, m: 4, p: S[batch], f32> -> <k: 3, m: 4, f32>
  return %1 : !axloom.tensor<k: 3, m: 4, f32>
}

// -----

// Where both factors have an axis that is kept, the product has it too: a batch.
// CHECK-LABEL: func.func @batches
func.func @batches(%x: !axloom.tensor<a: 2, k: 3, f32>, %w: !axloom.tensor<h: 4, k: 3, f32>) -> !axloom.tensor<a: 2, h: 4, f32> {
  // CHECK: %[[WIDE:.*]] = axloom.broadcast %arg0
  %wide = axloom.broadcast %x to !axloom.tensor<a: 2, h: 4, k: 3, f32> : <a: 2, k: 3, f32> -> <a: 2, h: 4, k: 3, f32>
  // CHECK: axloom.contract %[[WIDE]], %arg1
  %1 = axloom.contract %wide, %w over ["k"] : <a: 2, h: 4, k: 3, f32>, <h: 4, k: 3, f32> -> <a: 2, h: 4, f32>
  return %1 : !axloom.tensor<a: 2, h: 4, f32>
}

// -----

// The largest of equal elements is each of them; of no elements, as a call may have, it is not.
// CHECK-LABEL: func.func @largest
axloom.size @B max 64
func.func @largest(%x: !axloom.tensor<b: 2, f32>) -> (!axloom.tensor<b: 2, f32>, !axloom.tensor<b: 2, f32>) {
  %three = axloom.broadcast %x to !axloom.tensor<a: 3, b: 2, f32> : <b: 2, f32> -> <a: 3, b: 2, f32>
  %1 = axloom.reduce "max" %three over ["a"] : <a: 3, b: 2, f32> -> <b: 2, f32>
  // CHECK: %[[REPEATED:.*]] = axloom.broadcast %arg0
  %some = axloom.broadcast %x to !axloom.tensor<a: B, b: 2, f32> : <b: 2, f32> -> <a: B, b: 2, f32>
  // CHECK-NEXT: %[[MAX:.*]] = axloom.reduce "max" %[[REPEATED]]
  %2 = axloom.reduce "max" %some over ["a"] : <a: B, b: 2, f32> -> <b: 2, f32>
  // CHECK-NEXT: return %arg0, %[[MAX]]
  return %1, %2 : !axloom.tensor<b: 2, f32>, !axloom.tensor<b: 2, f32>
}

// -----

// What one op does to axes and the next undoes.
// CHECK-LABEL: func.func @axes
func.func @axes(%x: !axloom.tensor<model: 6, f32>) -> !axloom.tensor<model: 6, f32> {
  %1 = axloom.rename %x "model" to "other" : <model: 6, f32> -> <other: 6, f32>
  %2 = axloom.rename %1 "other" to "model" : <other: 6, f32> -> <model: 6, f32>
  %3 = axloom.split %2 "model" into ["heads", "depth"] inner <3> : <model: 6, f32> -> <depth: 3, heads: 2, f32>
  %4 = axloom.merge %3 ["heads", "depth"] into "model" : <depth: 3, heads: 2, f32> -> <model: 6, f32>
  %5 = axloom.pad %4 "model" low 1 high 2 with 0.0 : <model: 6, f32> -> <model: 9, f32>
  %6 = axloom.slice %5 "model" from 1 size 6 : <model: 9, f32> -> <model: 6, f32>
  %7 = axloom.shift %6 "model" by 0 with 0.0 : <model: 6, f32> -> <model: 6, f32>
  %8 = axloom.cast %7 to f32 : <model: 6, f32> -> <model: 6, f32>
  // CHECK-NEXT: return %arg0
  return %8 : !axloom.tensor<model: 6, f32>
}

// -----

// Merging two axes the other way round is a transposition, not an inverse.
// CHECK-LABEL: func.func @mergedOtherwise
func.func @mergedOtherwise(%x: !axloom.tensor<model: 6, f32>) -> !axloom.tensor<model: 6, f32> {
  // CHECK: axloom.split
  %1 = axloom.split %x "model" into ["heads", "depth"] inner <3> : <model: 6, f32> -> <depth: 3, heads: 2, f32>
  // CHECK: axloom.merge
  %2 = axloom.merge %1 ["depth", "heads"] into "model" : <depth: 3, heads: 2, f32> -> <model: 6, f32>
  return %2 : !axloom.tensor<model: 6, f32>
}

// -----

// So is splitting them the other way round.
// CHECK-LABEL: func.func @splitOtherwise
func.func @splitOtherwise(%x: !axloom.tensor<b: 3, c: 3, f32>) -> !axloom.tensor<b: 3, c: 3, f32> {
  // CHECK: axloom.merge
  %1 = axloom.merge %x ["b", "c"] into "a" : <b: 3, c: 3, f32> -> <a: 9, f32>
  // CHECK: axloom.split
  %2 = axloom.split %1 "a" into ["c", "b"] inner <3> : <a: 9, f32> -> <b: 3, c: 3, f32>
  return %2 : !axloom.tensor<b: 3, c: 3, f32>
}

// -----

// What is cut out elsewhere is not what was padded.
// CHECK-LABEL: func.func @slicedElsewhere
func.func @slicedElsewhere(%x: !axloom.tensor<m: 6, f32>) -> !axloom.tensor<m: 6, f32> {
  %1 = axloom.pad %x "m" low 1 high 2 with 0.0 : <m: 6, f32> -> <m: 9, f32>
  // CHECK: axloom.slice
  %2 = axloom.slice %1 "m" from 0 size 6 : <m: 9, f32> -> <m: 6, f32>
  return %2 : !axloom.tensor<m: 6, f32>
}

// -----

// Equal random ops are one; another site is another op. Unused reads go.
// CHECK-LABEL: func.func @random
axloom.variable "parameter" @w : !axloom.tensor<a: 3, f32> order ["a"] init {kind = "zeros"}
func.func @random(%seed: !axloom.tensor<i32>, %step: !axloom.tensor<i32>) -> (!axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>) {
  // CHECK-NOT: axloom.read
  %w = axloom.read @w : <a: 3, f32>
  %zero = axloom.constant 0 : i32 : <i32>
  %one = axloom.constant 1 : i32 : <i32>
  // CHECK-COUNT-2: axloom.random
  // CHECK-NOT: axloom.random
  %1 = axloom.random %seed, %step, %zero : <i32>, <i32>, <i32> -> !axloom.tensor<a: 3, f32> <a: 3, f32>
  %2 = axloom.random %seed, %step, %zero : <i32>, <i32>, <i32> -> !axloom.tensor<a: 3, f32> <a: 3, f32>
  %3 = axloom.random %seed, %step, %one : <i32>, <i32>, <i32> -> !axloom.tensor<a: 3, f32> <a: 3, f32>
  %4 = axloom.mul %1, %2 : <a: 3, f32>, <a: 3, f32> -> <a: 3, f32>
  return %4, %3 : !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>
}

// -----

// What fills each other's zeros lies side by side: the adjoints of slices of one tensor.
// CHECK-LABEL: func.func @pads
func.func @pads(%x: !axloom.tensor<a: 2, b: 4, f32>, %y: !axloom.tensor<a: 3, b: 4, f32>, %z: !axloom.tensor<a: 1, b: 4, f32>) -> !axloom.tensor<a: 6, b: 4, f32> {
  // CHECK: %[[YZ:.*]] = axloom.concat %arg1, %arg2 along "a"
  // CHECK: %[[ALL:.*]] = axloom.concat %arg0, %[[YZ]] along "a"
  // CHECK: return %[[ALL]]
  %0 = axloom.pad %x "a" low 0 high 4 with 0.0 : <a: 2, b: 4, f32> -> <a: 6, b: 4, f32>
  %1 = axloom.pad %y "a" low 2 high 1 with 0.0 : <a: 3, b: 4, f32> -> <a: 6, b: 4, f32>
  %2 = axloom.pad %z "a" low 5 high 0 with 0.0 : <a: 1, b: 4, f32> -> <a: 6, b: 4, f32>
  %3 = axloom.add %2, %1 : <a: 6, b: 4, f32>, <a: 6, b: 4, f32> -> <a: 6, b: 4, f32>
  %4 = axloom.add %3, %0 : <a: 6, b: 4, f32>, <a: 6, b: 4, f32> -> <a: 6, b: 4, f32>
  return %4 : !axloom.tensor<a: 6, b: 4, f32>
}

// -----

// Pads that overlap, leave a gap, hold something else than zeros or go along different axes stay.
// CHECK-LABEL: func.func @padsThatOverlap
// CHECK-NOT: axloom.concat
func.func @padsThatOverlap(%x: !axloom.tensor<a: 2, f32>, %y: !axloom.tensor<a: 3, f32>, %u: !axloom.tensor<a: 2, b: 4, f32>, %v: !axloom.tensor<a: 4, b: 2, f32>) -> (!axloom.tensor<a: 5, f32>, !axloom.tensor<a: 6, f32>, !axloom.tensor<a: 5, f32>, !axloom.tensor<a: 5, f32>, !axloom.tensor<a: 4, b: 4, f32>) {
  %0 = axloom.pad %x "a" low 0 high 3 with 0.0 : <a: 2, f32> -> <a: 5, f32>
  %1 = axloom.pad %y "a" low 1 high 1 with 0.0 : <a: 3, f32> -> <a: 5, f32>
  %2 = axloom.add %0, %1 : <a: 5, f32>, <a: 5, f32> -> <a: 5, f32>
  %3 = axloom.pad %x "a" low 0 high 4 with 0.0 : <a: 2, f32> -> <a: 6, f32>
  %4 = axloom.pad %y "a" low 3 high 0 with 0.0 : <a: 3, f32> -> <a: 6, f32>
  %5 = axloom.add %3, %4 : <a: 6, f32>, <a: 6, f32> -> <a: 6, f32>
  %6 = axloom.pad %x "a" low 0 high 3 with 1.0 : <a: 2, f32> -> <a: 5, f32>
  %7 = axloom.pad %y "a" low 2 high 0 with 0.0 : <a: 3, f32> -> <a: 5, f32>
  %8 = axloom.add %6, %7 : <a: 5, f32>, <a: 5, f32> -> <a: 5, f32>
  %9 = axloom.pad %y "a" low 2 high 0 with 1.0 : <a: 3, f32> -> <a: 5, f32>
  %10 = axloom.add %0, %9 : <a: 5, f32>, <a: 5, f32> -> <a: 5, f32>
  %11 = axloom.pad %u "a" low 0 high 2 with 0.0 : <a: 2, b: 4, f32> -> <a: 4, b: 4, f32>
  %12 = axloom.pad %v "b" low 2 high 0 with 0.0 : <a: 4, b: 2, f32> -> <a: 4, b: 4, f32>
  %13 = axloom.add %11, %12 : <a: 4, b: 4, f32>, <a: 4, b: 4, f32> -> <a: 4, b: 4, f32>
  return %2, %5, %8, %10, %13 : !axloom.tensor<a: 5, f32>, !axloom.tensor<a: 6, f32>, !axloom.tensor<a: 5, f32>, !axloom.tensor<a: 5, f32>, !axloom.tensor<a: 4, b: 4, f32>
}

// -----

// Equal ops stay two while a gradient asks for one of them.
// CHECK-LABEL: func.func @one_of_two
func.func @one_of_two(%x: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, f32> {
  // CHECK: %[[Y:.*]] = axloom.exp
  // CHECK: axloom.exp
  %y = axloom.exp %x : <a: 3, f32> -> <a: 3, f32>
  %z = axloom.exp %x : <a: 3, f32> -> <a: 3, f32>
  %product = axloom.mul %y, %z : <a: 3, f32>, <a: 3, f32> -> <a: 3, f32>
  %loss = axloom.reduce "sum" %product over ["a"] : <a: 3, f32> -> <f32>
  // CHECK: axloom.gradient %{{.*}} wrt(%[[Y]])
  %dy = axloom.gradient %loss wrt(%y) : <f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>
  return %dy : !axloom.tensor<a: 3, f32>
}

// -----

// So does what passes its operand on.
// CHECK-LABEL: func.func @copy
func.func @copy(%x: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, f32> {
  %zero = axloom.constant 0.0 : f32 : <f32>
  // CHECK: %[[Y:.*]] = axloom.add
  %y = axloom.add %x, %zero : <a: 3, f32>, <f32> -> <a: 3, f32>
  %loss = axloom.reduce "sum" %x over ["a"] : <a: 3, f32> -> <f32>
  // CHECK: axloom.gradient %{{.*}} wrt(%[[Y]])
  %dy = axloom.gradient %loss wrt(%y) : <f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>
  return %dy : !axloom.tensor<a: 3, f32>
}

// -----

// Numbers that f32 cannot hold stay to be computed, and factors of such sizes apart.
// CHECK-LABEL: func.func @large
func.func @large(%x: !axloom.tensor<a: 3, f32>) -> (!axloom.tensor<f32>, !axloom.tensor<f32>, !axloom.tensor<a: 3, f32>) {
  %hundred = axloom.constant 100.0 : f32 : <f32>
  %much = axloom.constant 1.0e+30 : f32 : <f32>
  %double = axloom.constant 1.0e+300 : f64 : <f64>
  // CHECK: axloom.exp
  %0 = axloom.exp %hundred : <f32> -> <f32>
  // CHECK: axloom.cast
  %1 = axloom.cast %double to f32 : <f64> -> <f32>
  // CHECK: %[[ONCE:.*]] = axloom.mul %arg0
  // CHECK: axloom.mul %[[ONCE]]
  %2 = axloom.mul %x, %much : <a: 3, f32>, <f32> -> <a: 3, f32>
  %3 = axloom.mul %2, %much : <a: 3, f32>, <f32> -> <a: 3, f32>
  return %0, %1, %3 : !axloom.tensor<f32>, !axloom.tensor<f32>, !axloom.tensor<a: 3, f32>
}

// -----

// CHECK-LABEL: func.func @sameName
func.func @sameName(%x: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, f32> {
  // CHECK-NEXT: return %arg0
  %y = axloom.rename %x "a" to "a" : <a: 3, f32> -> <a: 3, f32>
  return %y : !axloom.tensor<a: 3, f32>
}

// -----

// A product of numbers alone is one, unless its factors are to be rounded first.
// CHECK-LABEL: func.func @productOfNumbers
func.func @productOfNumbers(%x: !axloom.tensor<a: 3, f32>, %y: !axloom.tensor<f32>) -> (!axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>) {
  // CHECK: axloom.mul %arg0, %arg1
  %p = axloom.contract %x, %y over [] : <a: 3, f32>, <f32> -> <a: 3, f32>
  // CHECK: axloom.contract %arg0, %arg1 over [] {factors = bf16}
  %q = axloom.contract %x, %y over [] {factors = bf16} : <a: 3, f32>, <f32> -> <a: 3, f32>
  return %p, %q : !axloom.tensor<a: 3, f32>, !axloom.tensor<a: 3, f32>
}

// A maximum with what is no number is none.
// CHECK-LABEL: func.func @noNumber
func.func @noNumber() -> (!axloom.tensor<f32>, !axloom.tensor<f32>) {
  %one = axloom.constant 1.0 : f32 : <f32>
  %none = axloom.constant 0x7FC00000 : f32 : <f32>
  // CHECK: axloom.maximum
  %a = axloom.maximum %one, %none : <f32>, <f32> -> <f32>
  // CHECK: axloom.minimum
  %b = axloom.minimum %one, %none : <f32>, <f32> -> <f32>
  return %a, %b : !axloom.tensor<f32>, !axloom.tensor<f32>
}
