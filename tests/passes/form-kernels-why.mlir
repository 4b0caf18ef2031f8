// Why an op is in the kernel where it is, in the words that users read: each reason once.
// RUN: axloom-opt %s --form-kernels --remarks-filter-missed=form-kernels -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=Missed
// RUN: axloom-opt %s --form-kernels --remarks-filter-passed=form-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: axloom-opt %s --axloom-pipeline="disable=simplify,fuse-epilogues,fuse-ffn stop-after=form-kernels" --remarks-filter-missed=form-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF

!x = !axloom.tensor<batch: B, model: 4, f32>
!row = !axloom.tensor<batch: B, f32>
!wide = !axloom.tensor<batch: B, model: 2048, f32>
!h = !axloom.tensor<batch: B, hidden: 8, f32>
!w = !axloom.tensor<hidden: 8, model: 4, f32>
!huge = !axloom.tensor<batch: B, hidden: 8192, f32>
!hugew = !axloom.tensor<hidden: 8192, model: 4, f32>
axloom.size @B max 64
axloom.size @S max 64

// LayerNorm and the second half of a feed-forward block join a contraction.
func.func @joined(%h: !h, %w: !w, %x: !x) -> (!x, !x) {
  %y = axloom.contract %h, %w over ["hidden"] : !h, !w -> !x
  // DONE: :[[#@LINE+2]]:{{.*}}"layer_norm joins the kernel of contract of form-kernels-why.mlir:[[#@LINE-1]]"
  // OFF: :[[#@LINE+1]]:{{.*}}"layer_norm is not part of joined.0.contraction: fuse-epilogues is off"
  %normal, %mean, %rstd = axloom.layer_norm %y over "model" epsilon 1.0e-5 : !x -> !x, !row, !row
  %u = axloom.contract %x, %w over ["model"] : !x, !w -> !h
  // DONE: :[[#@LINE+2]]:{{.*}}"contract joins the kernel of contract of form-kernels-why.mlir:[[#@LINE-1]]"
  // OFF: :[[#@LINE+1]]:{{.*}}"contract is not part of joined.2.contraction: fuse-ffn is off"
  %z = axloom.contract %u, %w over ["hidden"] : !h, !w -> !x
  return %normal, %z : !x, !x
}

func.func @longRow(%h: !h, %w: !axloom.tensor<hidden: 8, model: 2048, f32>) -> !wide {
  %y = axloom.contract %h, %w over ["hidden"] : !h, !axloom.tensor<hidden: 8, model: 2048, f32> -> !wide
  // CHECK: :[[#@LINE+1]]:{{.*}}"layer_norm is not part of longRow.0.contraction: rows of 2048 are longer than the target's limit of 1024"
  %normal, %mean, %rstd = axloom.layer_norm %y over "model" epsilon 1.0e-5 : !wide -> !wide, !row, !row
  return %normal : !wide
}

func.func @otherRow(%h: !h, %w: !w) -> !x {
  %y = axloom.contract %h, %w over ["hidden"] : !h, !w -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"softmax is not part of otherRow.0.contraction: behind a contraction, only layer_norm goes along rows"
  %p = axloom.softmax %y over "model" : !x -> !x
  return %p : !x
}

func.func @columns(%h: !h, %w: !w) -> !axloom.tensor<model: 4, f32> {
  %y = axloom.contract %h, %w over ["hidden"] : !h, !w -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"reduce is not part of columns.0.contraction: sums over columns join others over them alone"
  %sum = axloom.reduce "sum" %y over ["batch"] : !x -> !axloom.tensor<model: 4, f32>
  return %sum : !axloom.tensor<model: 4, f32>
}

func.func @twoRows(%x: !axloom.tensor<inner: 8, model: 4, f32>) -> !axloom.tensor<inner: 8, model: 4, f32> {
  %p = axloom.softmax %x over "model" : !axloom.tensor<inner: 8, model: 4, f32> -> !axloom.tensor<inner: 8, model: 4, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}"softmax is not part of twoRows.0.reduction: that reduces along other axes"
  %q = axloom.softmax %p over "inner" : !axloom.tensor<inner: 8, model: 4, f32> -> !axloom.tensor<inner: 8, model: 4, f32>
  return %q : !axloom.tensor<inner: 8, model: 4, f32>
}

func.func @again(%x: !x) -> (!x, !x) {
  %p = axloom.softmax %x over "model" : !x -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"softmax is not part of again.0.reduction: it is computed again instead of being kept"
  %q = axloom.softmax %p over "model" {axloom.recomputed} : !x -> !x
  return %p, %q : !x, !x
}

// Nothing is there yet that could be computed again.
func.func @allAgain(%x: !x) -> (!x, !x) {
  %p = axloom.softmax %x over "model" {axloom.recomputed} : !x -> !x
  // DONE: :[[#@LINE+1]]:{{.*}}"softmax joins the kernel of softmax of form-kernels-why.mlir:[[#@LINE-1]]"
  %q = axloom.softmax %p over "model" {axloom.recomputed} : !x -> !x
  return %p, %q : !x, !x
}

func.func @kept(%h: !h, %w: !w) -> (!x, !x) {
  %y = axloom.contract %h, %w over ["hidden"] : !h, !w -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"exp is not part of kept.0.contraction: contract of form-kernels-why.mlir:[[#@LINE-1]] goes to memory anyway, for form-kernels-why.mlir:[[#@LINE+1]] and what the function returns"
  %e = axloom.exp %y : !x -> !x
  return %y, %e : !x, !x
}

func.func @notAsItIs(%h: !h, %w: !w, %other: !axloom.tensor<batch: B, other: 4, f32>) -> !axloom.tensor<batch: B, other: 4, f32> {
  %y = axloom.contract %h, %w over ["hidden"] : !h, !w -> !x
  %renamed = axloom.rename %y "model" to "other" : !x -> !axloom.tensor<batch: B, other: 4, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}"add is not part of notAsItIs.0.contraction: it reads nothing of that kernel as it is"
  %sum = axloom.add %renamed, %other : !axloom.tensor<batch: B, other: 4, f32>, !axloom.tensor<batch: B, other: 4, f32> -> !axloom.tensor<batch: B, other: 4, f32>
  return %sum : !axloom.tensor<batch: B, other: 4, f32>
}

func.func @otherAxes(%a: !row, %x: !x) -> (!row, !x) {
  %e = axloom.exp %a : !row -> !row
  // CHECK: :[[#@LINE+1]]:{{.*}}"mul is not part of otherAxes.0.pointwise: it works over [batch, model], that kernel over [batch]"
  %y = axloom.mul %x, %e : !x, !row -> !x
  return %e, %y : !row, !x
}

func.func @neither(%x: !x, %at: !axloom.tensor<batch: B, i32>) -> !axloom.tensor<rows: 9, f32> {
  %e = axloom.exp %x : !x -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"scatter_add is not part of neither.0.pointwise: it is neither pointwise nor goes along rows"
  %t = axloom.scatter_add %e, %at along "rows" to !axloom.tensor<model: 4, rows: 9, f32> : !x, <batch: B, i32> -> !axloom.tensor<model: 4, rows: 9, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}"reduce is not part of neither.1.scatter: only pointwise ops join scatter"
  %y = axloom.reduce "sum" %t over ["model"] : !axloom.tensor<model: 4, rows: 9, f32> -> !axloom.tensor<rows: 9, f32>
  return %y : !axloom.tensor<rows: 9, f32>
}

func.func @placesOfTheirOwn(%x: !x, %at: !axloom.tensor<i32>, %other: !axloom.tensor<batch: B, model: 4, rows: 9, f32>) -> !axloom.tensor<batch: B, model: 4, rows: 9, f32> {
  %t = axloom.scatter_add %x, %at along "rows" to !axloom.tensor<batch: B, model: 4, rows: 9, f32> : !x, !axloom.tensor<i32> -> !axloom.tensor<batch: B, model: 4, rows: 9, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}"add is not part of placesOfTheirOwn.0.scatter: nothing joins what is scattered to places of each row's own"
  %y = axloom.add %t, %other : !axloom.tensor<batch: B, model: 4, rows: 9, f32>, !axloom.tensor<batch: B, model: 4, rows: 9, f32> -> !axloom.tensor<batch: B, model: 4, rows: 9, f32>
  return %y : !axloom.tensor<batch: B, model: 4, rows: 9, f32>
}

// Nor do they meet in the kernel of other ops.
func.func @placesBesideOthers(%x: !x, %at: !axloom.tensor<i32>, %other: !axloom.tensor<batch: B, model: 4, rows: 9, f32>) -> (!axloom.tensor<batch: B, model: 4, rows: 9, f32>, !axloom.tensor<batch: B, model: 4, rows: 9, f32>) {
  %e = axloom.exp %other : !axloom.tensor<batch: B, model: 4, rows: 9, f32> -> !axloom.tensor<batch: B, model: 4, rows: 9, f32>
  %t = axloom.scatter_add %x, %at along "rows" to !axloom.tensor<batch: B, model: 4, rows: 9, f32> : !x, !axloom.tensor<i32> -> !axloom.tensor<batch: B, model: 4, rows: 9, f32>
  // CHECK: :[[#@LINE+2]]:{{.*}}"add is not part of placesBesideOthers.0.scatter: nothing joins what is scattered to places of each row's own"
  // CHECK: :[[#@LINE+1]]:{{.*}}"add reads from memory the results of placesBesideOthers.0.scatter: nothing joins what is scattered to places of each row's own"
  %y = axloom.add %e, %t : !axloom.tensor<batch: B, model: 4, rows: 9, f32>, !axloom.tensor<batch: B, model: 4, rows: 9, f32> -> !axloom.tensor<batch: B, model: 4, rows: 9, f32>
  return %y, %e : !axloom.tensor<batch: B, model: 4, rows: 9, f32>, !axloom.tensor<batch: B, model: 4, rows: 9, f32>
}

func.func @scattered(%x: !x, %at: !axloom.tensor<batch: B, i32>, %other: !axloom.tensor<model: 4, rows: 9, f32>) -> !axloom.tensor<model: 4, rows: 9, f32> {
  %t = axloom.scatter_add %x, %at along "rows" to !axloom.tensor<model: 4, rows: 9, f32> : !x, !axloom.tensor<batch: B, i32> -> !axloom.tensor<model: 4, rows: 9, f32>
  %s = axloom.softmax %other over "model" : !axloom.tensor<model: 4, rows: 9, f32> -> !axloom.tensor<model: 4, rows: 9, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}"add reads from memory the results of scattered.0.scatter: what is scattered is complete in a kernel of pointwise ops alone"
  %y = axloom.add %s, %t : !axloom.tensor<model: 4, rows: 9, f32>, !axloom.tensor<model: 4, rows: 9, f32> -> !axloom.tensor<model: 4, rows: 9, f32>
  return %y : !axloom.tensor<model: 4, rows: 9, f32>
}

// The add waits for the sum, which waits for the contraction that the add could have joined.
func.func @between(%h: !h, %w: !w) -> !x {
  %y = axloom.contract %h, %w over ["hidden"] : !h, !w -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"softmax is not part of between.0.contraction: behind a contraction, only layer_norm goes along rows"
  %p = axloom.softmax %y over "model" : !x -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"add is not part of between.0.contraction: another kernel stands between them"
  %sum = axloom.add %y, %p : !x, !x -> !x
  return %sum : !x
}

func.func @columnSums(%x: !x) -> !x {
  %sum = axloom.reduce "sum" %x over ["batch"] : !x -> !axloom.tensor<model: 4, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}"sub is not part of columnSums.0.reduction: sums over columns are complete at a kernel's end only"
  %y = axloom.sub %x, %sum : !x, !axloom.tensor<model: 4, f32> -> !x
  return %y : !x
}

// A chain that the caller reads is not computed again behind the contraction.
func.func @chain(%h: !h, %w: !w, %x: !x) -> (!x, !x) {
  %e = axloom.exp %x : !x -> !x
  %y = axloom.contract %h, %w over ["hidden"] : !h, !w -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"add reads from memory the results of chain.0.pointwise: that goes to memory anyway, for form-kernels-why.mlir:[[#@LINE+1]] and what the function returns"
  %sum = axloom.add %y, %e : !x, !x -> !x
  return %sum, %e : !x, !x
}

func.func @narrowChain(%h: !h, %w: !w, %a: !row) -> !x {
  %e = axloom.exp %a : !row -> !row
  %y = axloom.contract %h, %w over ["hidden"] : !h, !w -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"add reads from memory the results of narrowChain.0.pointwise: that works over [batch], this kernel over [batch, model]"
  %sum = axloom.add %y, %e : !x, !row -> !x
  return %sum : !x
}

// Sums over the same columns join each other, but not what they read.
func.func @otherColumns(%x: !x) -> (!axloom.tensor<model: 4, f32>, !axloom.tensor<model: 4, f32>, !x) {
  %e = axloom.exp %x : !x -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"reduce is not part of otherColumns.0.pointwise: sums over columns join others over them alone"
  %sum = axloom.reduce "sum" %e over ["batch"] : !x -> !axloom.tensor<model: 4, f32>
  // CHECK: :[[#@LINE+2]]:{{.*}}"reduce is not part of otherColumns.0.pointwise: sums over columns join others over them alone"
  // CHECK: :[[#@LINE+1]]:{{.*}}"reduce reads from memory the results of otherColumns.0.pointwise: no kernel around reduce of form-kernels-why.mlir:[[#@LINE-2]] computes what it reads"
  %largest = axloom.reduce "max" %e over ["batch"] : !x -> !axloom.tensor<model: 4, f32>
  return %sum, %largest, %e : !axloom.tensor<model: 4, f32>, !axloom.tensor<model: 4, f32>, !x
}

func.func @attention(%q: !axloom.tensor<depth: 4, query: S, f32>, %k: !axloom.tensor<depth: 4, key: S, f32>) -> !axloom.tensor<depth: 4, query: S, f32> {
  %y, %n = axloom.attention %q, %k, %k depth "depth" key "key" scale 0.5 : !axloom.tensor<depth: 4, query: S, f32>, !axloom.tensor<depth: 4, key: S, f32>, !axloom.tensor<depth: 4, key: S, f32> -> !axloom.tensor<depth: 4, query: S, f32>, !axloom.tensor<query: S, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}"exp is not part of attention.0.attention: nothing joins attention"
  %e = axloom.exp %y : !axloom.tensor<depth: 4, query: S, f32> -> !axloom.tensor<depth: 4, query: S, f32>
  return %e : !axloom.tensor<depth: 4, query: S, f32>
}

//===----------------------------------------------------------------------===//
// Two contractions that are no feed-forward block
//===----------------------------------------------------------------------===//

func.func @pointwiseBefore(%h: !h, %w: !w) -> !x {
  %e = axloom.exp %h : !h -> !h
  // CHECK: :[[#@LINE+1]]:{{.*}}"contract is not part of pointwiseBefore.0.pointwise: a contraction joins that of another one alone, as a feed-forward block"
  %y = axloom.contract %e, %w over ["hidden"] : !h, !w -> !x
  return %y : !x
}

func.func @normalized(%h: !h, %w: !w) -> !h {
  %y = axloom.contract %h, %w over ["hidden"] : !h, !w -> !x
  %normal, %mean, %rstd = axloom.layer_norm %y over "model" epsilon 1.0e-5 : !x -> !x, !row, !row
  // CHECK: :[[#@LINE+1]]:{{.*}}"contract is not part of normalized.0.contraction: rows are normalized between the two, so they are no feed-forward block"
  %z = axloom.contract %normal, %w over ["model"] : !x, !w -> !h
  return %z : !h
}

func.func @three(%x: !x, %w: !w) -> !h {
  %u = axloom.contract %x, %w over ["model"] : !x, !w -> !h
  %y = axloom.contract %u, %w over ["hidden"] : !h, !w -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"contract is not part of three.0.contraction: that is a feed-forward block already"
  %z = axloom.contract %y, %w over ["model"] : !x, !w -> !h
  return %z : !h
}

func.func @renamed(%x: !x, %w: !w) -> !axloom.tensor<rows: B, model: 4, f32> {
  %u = axloom.contract %x, %w over ["model"] : !x, !w -> !h
  %renamed = axloom.rename %u "batch" to "rows" : !h -> !axloom.tensor<hidden: 8, rows: B, f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}"contract is not part of renamed.0.contraction: it does not read that as it is, so they are no feed-forward block"
  %y = axloom.contract %renamed, %w over ["hidden"] : !axloom.tensor<hidden: 8, rows: B, f32>, !w -> !axloom.tensor<model: 4, rows: B, f32>
  return %y : !axloom.tensor<rows: B, model: 4, f32>
}

func.func @square(%x: !x, %w: !w) -> !row {
  %u = axloom.contract %x, %w over ["model"] : !x, !w -> !h
  // CHECK: :[[#@LINE+1]]:{{.*}}"contract is not part of square.0.contraction: both of its factors come of that, so they are no feed-forward block"
  %y = axloom.contract %u, %u over ["hidden"] : !h, !h -> !row
  return %y : !row
}

func.func @hiddenIsRead(%x: !x, %w: !w) -> (!x, !h) {
  %u = axloom.contract %x, %w over ["model"] : !x, !w -> !h
  // CHECK: :[[#@LINE+1]]:{{.*}}"contract is not part of hiddenIsRead.0.contraction: contract of form-kernels-why.mlir:[[#@LINE-1]], between the two, goes to memory anyway, for form-kernels-why.mlir:[[#@LINE+1]] and what the function returns"
  %y = axloom.contract %u, %w over ["hidden"] : !h, !w -> !x
  return %y, %u : !x, !h
}

func.func @noWeight(%x: !x, %w: !w, %other: !h) -> !row {
  %u = axloom.contract %x, %w over ["model"] : !x, !w -> !h
  // CHECK: :[[#@LINE+1]]:{{.*}}"contract is not part of noWeight.0.contraction: axis 'batch' is none of hidden activations and a weight"
  %y = axloom.contract %u, %other over ["hidden"] : !h, !h -> !row
  return %y : !row
}

func.func @tooManyHidden(%x: !x, %w: !hugew) -> !x {
  %u = axloom.contract %x, %w over ["model"] : !x, !hugew -> !huge
  // CHECK: :[[#@LINE+1]]:{{.*}}"contract is not part of tooManyHidden.0.contraction: hidden activations of 8192 a token are more than the target's limit of 4096"
  %y = axloom.contract %u, %w over ["hidden"] : !huge, !hugew -> !x
  return %y : !x
}

//===----------------------------------------------------------------------===//
// Ragged batches
//===----------------------------------------------------------------------===//

func.func @entries(%x: !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, %g: !axloom.tensor<batch: B, hidden: 8, position: S[batch], f32>, %b: !w) -> !w {
  %sum = axloom.contract %g, %x over ["batch", "position"] : !axloom.tensor<batch: B, hidden: 8, position: S[batch], f32>, !axloom.tensor<batch: B, model: 4, position: S[batch], f32> -> !w
  // CHECK: :[[#@LINE+1]]:{{.*}}"add is not part of entries.0.contraction: sums over the entries of a ragged batch are complete at a kernel's end only"
  %y = axloom.add %sum, %b : !w, !w -> !w
  return %y : !w
}

// Nor does a second product, though it would make a feed-forward block of the two.
func.func @entriesTwice(%x: !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, %g: !axloom.tensor<batch: B, hidden: 8, position: S[batch], f32>, %w: !axloom.tensor<hidden: 8, out: 5, f32>) -> !axloom.tensor<model: 4, out: 5, f32> {
  %sum = axloom.contract %g, %x over ["batch", "position"] : !axloom.tensor<batch: B, hidden: 8, position: S[batch], f32>, !axloom.tensor<batch: B, model: 4, position: S[batch], f32> -> !w
  // CHECK: :[[#@LINE+1]]:{{.*}}"contract is not part of entriesTwice.0.contraction: sums over the entries of a ragged batch are complete at a kernel's end only"
  %y = axloom.contract %sum, %w over ["hidden"] : !w, !axloom.tensor<hidden: 8, out: 5, f32> -> !axloom.tensor<model: 4, out: 5, f32>
  return %y : !axloom.tensor<model: 4, out: 5, f32>
}

// Nor does a sum of what needs another one.
func.func @entriesOfSums(%x: !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, %w: !axloom.tensor<batch: B, f32>) -> (!axloom.tensor<model: 4, f32>, !axloom.tensor<model: 4, f32>) {
  %p = axloom.mul %x, %w : !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, !axloom.tensor<batch: B, f32> -> !axloom.tensor<batch: B, model: 4, position: S[batch], f32>
  %s = axloom.reduce "sum" %p over ["batch", "position"] : !axloom.tensor<batch: B, model: 4, position: S[batch], f32> -> !axloom.tensor<model: 4, f32>
  %d = axloom.mul %x, %s : !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, !axloom.tensor<model: 4, f32> -> !axloom.tensor<batch: B, model: 4, position: S[batch], f32>
  // CHECK: :[[#@LINE+1]]:{{.*}}"reduce is not part of entriesOfSums.0.reduction: sums over the entries of a ragged batch are complete at a kernel's end only"
  %e = axloom.reduce "sum" %d over ["batch", "position"] : !axloom.tensor<batch: B, model: 4, position: S[batch], f32> -> !axloom.tensor<model: 4, f32>
  return %s, %e : !axloom.tensor<model: 4, f32>, !axloom.tensor<model: 4, f32>
}

// What moves from one entry to another is there before a kernel goes through them.
func.func @otherEntries(%x: !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, %g: !axloom.tensor<batch: B, position: S[batch], f32>, %b: !x) -> (!axloom.tensor<batch: B, model: 4, position: S[batch], f32>, !x) {
  %before = axloom.shift %b "batch" by 1 with 0.0 : !x -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"mul is not part of otherEntries.0.pointwise: kernels of ragged tensors see one entry of the batch at a time, and an op needs others"
  %y = axloom.mul %x, %before : !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, !x -> !axloom.tensor<batch: B, model: 4, position: S[batch], f32>
  %c = axloom.contract %x, %g over ["position"] : !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, !axloom.tensor<batch: B, position: S[batch], f32> -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"add reads from memory the results of otherEntries.0.pointwise: kernels of ragged tensors see one entry of the batch at a time, and an op needs others"
  %z = axloom.add %c, %before : !x, !x -> !x
  return %y, %z : !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, !x
}

// Sums of a table do not meet in the kernel of other ops.
func.func @scatteredEntries(%x: !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, %at: !axloom.tensor<batch: B, position: S[batch], i32>, %other: !axloom.tensor<model: 4, rows: 9, f32>) -> (!axloom.tensor<model: 4, rows: 9, f32>, !axloom.tensor<model: 4, rows: 9, f32>) {
  %e = axloom.exp %other : !axloom.tensor<model: 4, rows: 9, f32> -> !axloom.tensor<model: 4, rows: 9, f32>
  %t = axloom.scatter_add %x, %at along "rows" to !axloom.tensor<model: 4, rows: 9, f32> : !axloom.tensor<batch: B, model: 4, position: S[batch], f32>, !axloom.tensor<batch: B, position: S[batch], i32> -> !axloom.tensor<model: 4, rows: 9, f32>
  // CHECK: :[[#@LINE+2]]:{{.*}}"add is not part of scatteredEntries.0.scatter: sums over the entries of a ragged batch are complete at a kernel's end only"
  // CHECK: :[[#@LINE+1]]:{{.*}}"add reads from memory the results of scatteredEntries.0.scatter: sums over the entries of a ragged batch are complete at a kernel's end only"
  %y = axloom.add %e, %t : !axloom.tensor<model: 4, rows: 9, f32>, !axloom.tensor<model: 4, rows: 9, f32> -> !axloom.tensor<model: 4, rows: 9, f32>
  return %y, %e : !axloom.tensor<model: 4, rows: 9, f32>, !axloom.tensor<model: 4, rows: 9, f32>
}

// A kernel has room for 56 tensors.
!parts = !axloom.tensor<batch: B, model: 56, f32>
func.func @manyParts(%a0: !x, %a1: !x, %a2: !x, %a3: !x, %a4: !x, %a5: !x, %a6: !x, %a7: !x, %a8: !x, %a9: !x, %a10: !x, %a11: !x, %a12: !x, %a13: !x,
                     %b0: !x, %b1: !x, %b2: !x, %b3: !x, %b4: !x, %b5: !x, %b6: !x, %b7: !x, %b8: !x, %b9: !x, %b10: !x, %b11: !x, %b12: !x, %b13: !x,
                     %c0: !x, %c1: !x, %c2: !x, %c3: !x, %c4: !x, %c5: !x, %c6: !x, %c7: !x, %c8: !x, %c9: !x, %c10: !x, %c11: !x, %c12: !x, %c13: !x,
                     %d0: !x, %d1: !x, %d2: !x, %d3: !x, %d4: !x, %d5: !x, %d6: !x, %d7: !x, %d8: !x, %d9: !x, %d10: !x, %d11: !x, %d12: !x, %d13: !x) -> !parts {
  %a = axloom.concat %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13 along "model" : !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x -> !parts
  %b = axloom.concat %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %b13 along "model" : !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x -> !parts
  %c = axloom.concat %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c9, %c10, %c11, %c12, %c13 along "model" : !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x -> !parts
  %d = axloom.concat %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %d8, %d9, %d10, %d11, %d12, %d13 along "model" : !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x, !x -> !parts
  %ab = axloom.add %a, %b : !parts, !parts -> !parts
  %abc = axloom.add %ab, %c : !parts, !parts -> !parts
  // CHECK: :[[#@LINE+1]]:{{.*}}"add is not part of manyParts.0.pointwise: one kernel cannot read and write as many tensors"
  %abcd = axloom.add %abc, %d : !parts, !parts -> !parts
  return %abcd : !parts
}

// What takes long to compile is cut: functions count as eight ops, as does a result.
func.func @longChain(%y0: !x) -> !x {
  %y1 = axloom.tanh %y0 : !x -> !x
  %y2 = axloom.tanh %y1 : !x -> !x
  %y3 = axloom.tanh %y2 : !x -> !x
  %y4 = axloom.tanh %y3 : !x -> !x
  %y5 = axloom.tanh %y4 : !x -> !x
  %y6 = axloom.tanh %y5 : !x -> !x
  %y7 = axloom.tanh %y6 : !x -> !x
  %y8 = axloom.tanh %y7 : !x -> !x
  %y9 = axloom.tanh %y8 : !x -> !x
  %y10 = axloom.tanh %y9 : !x -> !x
  %y11 = axloom.tanh %y10 : !x -> !x
  %y12 = axloom.tanh %y11 : !x -> !x
  %y13 = axloom.tanh %y12 : !x -> !x
  %y14 = axloom.tanh %y13 : !x -> !x
  %y15 = axloom.tanh %y14 : !x -> !x
  %y16 = axloom.tanh %y15 : !x -> !x
  %y17 = axloom.tanh %y16 : !x -> !x
  %y18 = axloom.tanh %y17 : !x -> !x
  %y19 = axloom.tanh %y18 : !x -> !x
  %y20 = axloom.tanh %y19 : !x -> !x
  %y21 = axloom.tanh %y20 : !x -> !x
  %y22 = axloom.tanh %y21 : !x -> !x
  %y23 = axloom.tanh %y22 : !x -> !x
  // CHECK: :[[#@LINE+1]]:{{.*}}"tanh is not part of longChain.0.pointwise: one kernel of all these ops would take long to compile"
  %y24 = axloom.tanh %y23 : !x -> !x
  return %y24 : !x
}
