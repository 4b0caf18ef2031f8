// RUN: axloom-opt %s --form-kernels --split-input-file | FileCheck %s

// Bias, dropout, residual and layer normalization end up behind the contraction; the dropout mask is
// computed where it is used, with its site passed by value.
// CHECK-LABEL: func.func @block
// CHECK-DAG: %[[W:.*]] = axloom.read @w
// CHECK-DAG: %[[SITE:.*]] = axloom.constant 7 : i32
// CHECK: %[[OUT:.*]] = axloom.kernel "contraction"(%arg0, %[[W]], %[[BIAS:.*]], %arg1, %arg2, %[[SITE]]) {by_value = array<i64: 5>}
// CHECK: axloom.contract
// CHECK: axloom.add
// CHECK: axloom.random
// CHECK: axloom.select
// CHECK: axloom.mul
// CHECK: axloom.add
// CHECK: axloom.layer_norm
// CHECK: axloom.yield
// CHECK-NOT: axloom.kernel
// CHECK: return %[[OUT]]
axloom.size @B max 64
axloom.variable "parameter" @w : !axloom.tensor<hidden: 8, model: 4, f32> order ["hidden", "model"] init {kind = "zeros"}
axloom.variable "parameter" @bias : !axloom.tensor<model: 4, f32> order ["model"] init {kind = "zeros"}
func.func @block(%h: !axloom.tensor<batch: B, hidden: 8, f32>, %seed: !axloom.tensor<i32>, %step: !axloom.tensor<i32>) -> !axloom.tensor<batch: B, model: 4, f32> {
  %w = axloom.read @w : <hidden: 8, model: 4, f32>
  %bias = axloom.read @bias : <model: 4, f32>
  %site = axloom.constant 7 : i32 : <i32>
  %rate = axloom.constant 0.1 : f32 : <f32>
  %scale = axloom.constant 1.1 : f32 : <f32>
  %zero = axloom.constant 0.0 : f32 : <f32>
  %y = axloom.contract %h, %w over ["hidden"] : <batch: B, hidden: 8, f32>, <hidden: 8, model: 4, f32> -> <batch: B, model: 4, f32>
  %biased = axloom.add %y, %bias : <batch: B, model: 4, f32>, <model: 4, f32> -> <batch: B, model: 4, f32>
  %u = axloom.random %seed, %step, %site : <i32>, <i32>, <i32> -> !axloom.tensor<batch: B, model: 4, f32> <batch: B, model: 4, f32>
  %kept = axloom.compare "ge" %u, %rate : <batch: B, model: 4, f32>, <f32> -> <batch: B, model: 4, i1>
  %keep = axloom.select %kept, %scale, %zero : <batch: B, model: 4, i1>, <f32>, <f32> -> <batch: B, model: 4, f32>
  %dropped = axloom.mul %biased, %keep : <batch: B, model: 4, f32>, <batch: B, model: 4, f32> -> <batch: B, model: 4, f32>
  %sum = axloom.add %dropped, %dropped : <batch: B, model: 4, f32>, <batch: B, model: 4, f32> -> <batch: B, model: 4, f32>
  %normal, %mean, %rstd = axloom.layer_norm %sum over "model" epsilon 1.0e-5 : <batch: B, model: 4, f32> -> <batch: B, model: 4, f32>, <batch: B, f32>, <batch: B, f32>
  return %normal : !axloom.tensor<batch: B, model: 4, f32>
}

// -----

// The moments and the parameter of Adam are one kernel, though their chains meet only at the end.
// CHECK-LABEL: func.func @adam
// CHECK: axloom.kernel "contraction"
// CHECK: axloom.yield
// CHECK: %[[NEW:.*]]:3 = axloom.kernel "pointwise"
// CHECK-NOT: axloom.kernel
// CHECK-DAG: axloom.write @m, %[[NEW]]#
// CHECK-DAG: axloom.write @v, %[[NEW]]#
// CHECK-DAG: axloom.write @p, %[[NEW]]#
axloom.size @B max 64
axloom.variable "parameter" @p : !axloom.tensor<hidden: 8, model: 4, f32> order ["hidden", "model"] init {kind = "zeros"}
axloom.variable "state" @m : !axloom.tensor<hidden: 8, model: 4, f32> order ["hidden", "model"] init {kind = "zeros"}
axloom.variable "state" @v : !axloom.tensor<hidden: 8, model: 4, f32> order ["hidden", "model"] init {kind = "zeros"}
func.func @adam(%x: !axloom.tensor<batch: B, hidden: 8, f32>, %dy: !axloom.tensor<batch: B, model: 4, f32>) {
  %p = axloom.read @p : <hidden: 8, model: 4, f32>
  %m = axloom.read @m : <hidden: 8, model: 4, f32>
  %v = axloom.read @v : <hidden: 8, model: 4, f32>
  %g = axloom.contract %x, %dy over ["batch"] : <batch: B, hidden: 8, f32>, <batch: B, model: 4, f32> -> <hidden: 8, model: 4, f32>
  %m1 = axloom.add %m, %g : <hidden: 8, model: 4, f32>, <hidden: 8, model: 4, f32> -> <hidden: 8, model: 4, f32>
  %square = axloom.mul %g, %g : <hidden: 8, model: 4, f32>, <hidden: 8, model: 4, f32> -> <hidden: 8, model: 4, f32>
  %v1 = axloom.add %v, %square : <hidden: 8, model: 4, f32>, <hidden: 8, model: 4, f32> -> <hidden: 8, model: 4, f32>
  %root = axloom.sqrt %v1 : <hidden: 8, model: 4, f32> -> <hidden: 8, model: 4, f32>
  %update = axloom.div %m1, %root : <hidden: 8, model: 4, f32>, <hidden: 8, model: 4, f32> -> <hidden: 8, model: 4, f32>
  %p1 = axloom.sub %p, %update : <hidden: 8, model: 4, f32>, <hidden: 8, model: 4, f32> -> <hidden: 8, model: 4, f32>
  axloom.write @m, %m1 : <hidden: 8, model: 4, f32>
  axloom.write @v, %v1 : <hidden: 8, model: 4, f32>
  axloom.write @p, %p1 : <hidden: 8, model: 4, f32>
  return
}

// -----

// A sum over columns computes what only it needs, and does not keep rows from finishing.
// CHECK-LABEL: func.func @columns
// CHECK: axloom.kernel "reduction"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: axloom.mul
// CHECK-NEXT: axloom.reduce "sum"
// CHECK-NEXT: axloom.yield
axloom.size @B max 64
func.func @columns(%a: !axloom.tensor<batch: B, model: 4, f32>, %b: !axloom.tensor<batch: B, model: 4, f32>) -> !axloom.tensor<model: 4, f32> {
  %product = axloom.mul %a, %b : <batch: B, model: 4, f32>, <batch: B, model: 4, f32> -> <batch: B, model: 4, f32>
  %sum = axloom.reduce "sum" %product over ["batch"] : <batch: B, model: 4, f32> -> <model: 4, f32>
  return %sum : !axloom.tensor<model: 4, f32>
}

// -----

// A feed-forward block is one kernel up to its layer normalization: nobody else reads the hidden
// activations.
// CHECK-LABEL: func.func @feedForward
// CHECK: %[[OUT:.*]] = axloom.kernel "contraction"
// CHECK: axloom.contract
// CHECK: axloom.maximum
// CHECK: axloom.contract
// CHECK: axloom.add
// CHECK: axloom.layer_norm
// CHECK: axloom.yield
// CHECK-NOT: axloom.kernel
// CHECK: return %[[OUT]]
!x = !axloom.tensor<batch: B, model: 4, f32>
!h = !axloom.tensor<batch: B, hidden: 4096, f32>
!w = !axloom.tensor<hidden: 4096, model: 4, f32>
axloom.size @B max 64
axloom.variable "parameter" @up : !w order ["hidden", "model"] init {kind = "zeros"}
axloom.variable "parameter" @down : !w order ["model", "hidden"] init {kind = "zeros"}
func.func @feedForward(%x: !x) -> !x {
  %up = axloom.read @up : !w
  %down = axloom.read @down : !w
  %zero = axloom.constant 0.0 : f32 : <f32>
  %u = axloom.contract %x, %up over ["model"] : !x, !w -> !h
  %h = axloom.maximum %u, %zero : !h, <f32> -> !h
  %y = axloom.contract %h, %down over ["hidden"] : !h, !w -> !x
  %sum = axloom.add %x, %y : !x, !x -> !x
  %normal, %mean, %rstd = axloom.layer_norm %sum over "model" epsilon 1.0e-5 : !x -> !x, <batch: B, f32>, <batch: B, f32>
  return %normal : !x
}

// An activation of two factors, x (1 + erf(x)), takes the product over as a simple one does; not if
// somebody reads the product.
// CHECK-LABEL: func.func @twoFactors
// CHECK: axloom.kernel "contraction"
// CHECK: axloom.erf
// CHECK: axloom.contract
// CHECK: axloom.yield
// CHECK-NOT: axloom.kernel
func.func @twoFactors(%x: !x) -> !x {
  %up = axloom.read @up : !w
  %down = axloom.read @down : !w
  %one = axloom.constant 1.0 : f32 : <f32>
  %u = axloom.contract %x, %up over ["model"] : !x, !w -> !h
  %erf = axloom.erf %u : !h -> !h
  %factor = axloom.add %erf, %one : !h, <f32> -> !h
  %h = axloom.mul %u, %factor : !h, !h -> !h
  %y = axloom.contract %h, %down over ["hidden"] : !h, !w -> !x
  return %y : !x
}

// CHECK-LABEL: func.func @twoFactorsOfWhatIsRead
// CHECK: axloom.kernel "contraction"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: axloom.contract
// CHECK-NEXT: axloom.yield
// CHECK: axloom.kernel "pointwise"
func.func @twoFactorsOfWhatIsRead(%x: !x) -> (!h, !h) {
  %up = axloom.read @up : !w
  %one = axloom.constant 1.0 : f32 : <f32>
  %u = axloom.contract %x, %up over ["model"] : !x, !w -> !h
  %erf = axloom.erf %u : !h -> !h
  %factor = axloom.add %erf, %one : !h, <f32> -> !h
  %h = axloom.mul %u, %factor : !h, !h -> !h
  return %u, %h : !h, !h
}

// Somebody reads what the activation is made of, as the backward pass does: it goes to memory anyway.
// CHECK-LABEL: func.func @hiddenIsRead
// CHECK: axloom.kernel "contraction"
// CHECK: axloom.kernel "contraction"
func.func @hiddenIsRead(%x: !x) -> (!x, !h) {
  %up = axloom.read @up : !w
  %down = axloom.read @down : !w
  %zero = axloom.constant 0.0 : f32 : <f32>
  %u = axloom.contract %x, %up over ["model"] : !x, !w -> !h
  %h = axloom.maximum %u, %zero : !h, <f32> -> !h
  %y = axloom.contract %h, %down over ["hidden"] : !h, !w -> !x
  return %y, %u : !x, !h
}

// -----

// A custom op is an epilogue like any pointwise op.
// CHECK-LABEL: func.func @customEpilogue
// CHECK: axloom.kernel "contraction"
// CHECK: axloom.contract
// CHECK: axloom.custom @gate
// CHECK-NOT: axloom.kernel
!x = !axloom.tensor<batch: B, model: 4, f32>
!h = !axloom.tensor<batch: B, hidden: 8, f32>
!w = !axloom.tensor<hidden: 8, model: 4, f32>
axloom.size @B max 64
axloom.variable "parameter" @up : !w order ["hidden", "model"] init {kind = "zeros"}
func.func @customEpilogue(%x: !x, %gate: !h) -> !h {
  %up = axloom.read @up : !w
  %u = axloom.contract %x, %up over ["model"] : !x, !w -> !h
  %y = axloom.custom @gate(%u, %gate) : (!h, !h) -> !h
  return %y : !h
}

// -----

// The gradient of a table that is looked up twice goes into its update as it is scattered: blocks of
// the table take what falls into them.
// CHECK-LABEL: func.func @scatteredUpdate
// CHECK: axloom.kernel "scatter"
// CHECK-NOT: axloom.kernel
// CHECK: axloom.scatter_add
// CHECK-NOT: axloom.kernel
// CHECK: axloom.scatter_add
// CHECK-NOT: axloom.kernel
// CHECK: return
!x = !axloom.tensor<batch: B, model: 4, f32>
!at = !axloom.tensor<batch: B, i32>
!table = !axloom.tensor<model: 4, rows: 9, f32>
axloom.size @B max 64
axloom.variable "parameter" @table : !table order ["rows", "model"] init {kind = "zeros"}
axloom.variable "state" @moment : !table order ["rows", "model"] init {kind = "zeros"}
func.func @scatteredUpdate(%x: !x, %y: !x, %first: !at, %second: !at, %rate: !axloom.tensor<f32>) {
  %table = axloom.read @table : !table
  %moment = axloom.read @moment : !table
  %g = axloom.scatter_add %x, %first along "rows" to !table : !x, !at -> !table
  %h = axloom.scatter_add %y, %second along "rows" to !table : !x, !at -> !table
  %sum = axloom.add %g, %h : !table, !table -> !table
  %m = axloom.add %moment, %sum : !table, !table -> !table
  axloom.write @moment, %m : !table
  %step = axloom.mul %m, %rate : !table, !axloom.tensor<f32> -> !table
  %new = axloom.sub %table, %step : !table, !table -> !table
  axloom.write @table, %new : !table
  return
}

// -----

// Rows that are summed need all that is scattered to them, so they get a kernel of their own; nor
// does what is scattered become part of one.
// CHECK-LABEL: func.func @scatteredRows
// CHECK: axloom.kernel "reduction"
// CHECK: axloom.softmax
// CHECK: axloom.kernel "scatter"
// CHECK: axloom.scatter_add
// CHECK: axloom.kernel "reduction"
// CHECK: axloom.softmax
!x = !axloom.tensor<batch: B, model: 4, f32>
!table = !axloom.tensor<model: 4, rows: 9, f32>
axloom.size @B max 64
func.func @scatteredRows(%x: !x, %at: !axloom.tensor<batch: B, i32>, %other: !table) -> !table {
  %s = axloom.softmax %other over "model" : !table -> !table
  %g = axloom.scatter_add %x, %at along "rows" to !table : !x, !axloom.tensor<batch: B, i32> -> !table
  %y = axloom.add %s, %g : !table, !table -> !table
  %z = axloom.softmax %y over "model" : !table -> !table
  return %z : !table
}

// -----

// The first of each row's places are no table: what follows goes over rows and places as one axis.
// CHECK-LABEL: func.func @scatteredPlaces
// CHECK: axloom.kernel "scatter"
// CHECK: axloom.scatter_add
// CHECK: axloom.kernel "pointwise"
!x = !axloom.tensor<batch: B, model: 4, f32>
!places = !axloom.tensor<batch: B, model: 4, position: S, f32>
axloom.size @B max 64
axloom.size @S max 64
func.func @scatteredPlaces(%x: !x, %at: !axloom.tensor<i32>, %other: !places) -> !places {
  %g = axloom.scatter_add %x, %at along "position" to !places : !x, !axloom.tensor<i32> -> !places
  %y = axloom.add %other, %g : !places, !places -> !places
  return %y : !places
}

// -----

// A kernel over ragged tokens goes through the batch entry by entry, where parts of a row cannot be
// told: they go to memory before it. Others compute them on the way.
// CHECK-LABEL: func.func @entriesOfRows
// CHECK: axloom.kernel "pointwise"
// CHECK: axloom.split
// CHECK-NOT: axloom.add
// CHECK: axloom.kernel "pointwise"
// CHECK-NOT: axloom.split
// CHECK: axloom.mul
// CHECK: axloom.kernel "pointwise"
// CHECK: axloom.split
// CHECK-NEXT: axloom.add
!rows = !axloom.tensor<row: 4*B, f32>
!entries = !axloom.tensor<batch: B, model: 4, f32>
!tokens = !axloom.tensor<batch: B, model: 4, position: S[batch], f32>
axloom.size @B max 64
axloom.size @S max 64
func.func @entriesOfRows(%x: !rows, %y: !rows, %tokens: !tokens, %entries: !entries) -> (!tokens, !entries) {
  %a = axloom.split %x "row" into ["model", "batch"] inner <B> : <row: 4*B, f32> -> <batch: B, model: 4, f32>
  %b = axloom.split %y "row" into ["model", "batch"] inner <B> : <row: 4*B, f32> -> <batch: B, model: 4, f32>
  %t = axloom.mul %tokens, %a : !tokens, !entries -> !tokens
  %e = axloom.add %entries, %b : !entries, !entries -> !entries
  return %t, %e : !tokens, !entries
}

// -----

// What the function returns has a kernel, but others compute it anew, from what that kernel reads.
// CHECK-LABEL: func.func @returnedCast
// CHECK: %[[R:.*]]:2 = axloom.kernel "reduction"
// CHECK: %[[I:.*]] = axloom.argmax
// CHECK: %[[F:.*]] = axloom.cast %[[I]]
// CHECK: axloom.yield %[[I]], %[[F]]
// CHECK: axloom.kernel "update"(%[[R]]#0
// CHECK: axloom.cast
// CHECK: return %{{.*}}, %[[R]]#1
!x = !axloom.tensor<model: 6, vocab: 11, f32>
!y = !axloom.tensor<vocab: 11, f32>
func.func @returnedCast(%x: !x, %at: !axloom.tensor<i32>, %row: !axloom.tensor<f32>) -> (!y, !y) {
  %i = axloom.argmax %x over "model" : <model: 6, vocab: 11, f32> -> <vocab: 11, i32>
  %f = axloom.cast %i to f32 : <vocab: 11, i32> -> <vocab: 11, f32>
  %y = axloom.update %f at %at with %row along "vocab" : <vocab: 11, f32>, <i32>, <f32> -> <vocab: 11, f32>
  return %y, %f : !y, !y
}

// -----

// Where nobody else reads the cast, what it comes of does not leave its kernel.
// CHECK-LABEL: func.func @castAlone
// CHECK: %[[F:.*]] = axloom.kernel "reduction"
// CHECK: axloom.yield %{{[^,]*}} :
// CHECK: return %[[F]]
!x = !axloom.tensor<model: 6, vocab: 11, f32>
!y = !axloom.tensor<vocab: 11, f32>
func.func @castAlone(%x: !x) -> !y {
  %i = axloom.argmax %x over "model" : <model: 6, vocab: 11, f32> -> <vocab: 11, i32>
  %f = axloom.cast %i to f32 : <vocab: 11, i32> -> <vocab: 11, f32>
  return %f : !y
}

// -----

// Distances times a slope for each head are computed where scores are; but not where heads are put
// together of two halves, since a kernel of attention sees one head at a time.
!q = !axloom.tensor<depth: 8, heads: 4, query: S, f32>
!k = !axloom.tensor<depth: 8, heads: 4, key: T, f32>
!v = !axloom.tensor<heads: 4, key: T, value: 8, f32>
!bias = !axloom.tensor<heads: 4, key: T, query: S, f32>
!c = !axloom.tensor<heads: 4, query: S, value: 8, f32>
!n = !axloom.tensor<heads: 4, query: S, f32>
!slopes = !axloom.tensor<heads: 4, f32>
!half = !axloom.tensor<heads: 2, f32>
!distances = !axloom.tensor<key: T, query: S, f32>
// CHECK-LABEL: func.func @slopes
// CHECK: axloom.kernel "attention"(%arg0, %arg1, %arg2, %arg3)
// CHECK: axloom.mul
// CHECK: axloom.attention
func.func @slopes(%q: !q, %k: !k, %v: !v, %slopes: !slopes) -> !c {
  %i = axloom.iota "key" size <T> : !axloom.tensor<key: T, i32>
  %j = axloom.iota "query" size <S> : !axloom.tensor<query: S, i32>
  %d = axloom.sub %i, %j : !axloom.tensor<key: T, i32>, !axloom.tensor<query: S, i32> -> !axloom.tensor<key: T, query: S, i32>
  %distances = axloom.cast %d to f32 : !axloom.tensor<key: T, query: S, i32> -> !distances
  %bias = axloom.mul %distances, %slopes : !distances, !slopes -> !bias
  %c, %n = axloom.attention %q, %k, %v bias %bias depth "depth" key "key" scale 0.5 : !q, !k, !v bias !bias -> !c, !n
  return %c : !c
}
// CHECK-LABEL: func.func @slopesOfHalves
// CHECK: %[[BIAS:.*]] = axloom.kernel "pointwise"
// CHECK: axloom.mul
// CHECK: axloom.kernel "attention"(%arg0, %arg1, %arg2, %[[BIAS]])
func.func @slopesOfHalves(%q: !q, %k: !k, %v: !v, %a: !half, %b: !half) -> !c {
  %slopes = axloom.concat %a, %b along "heads" : !half, !half -> !slopes
  %i = axloom.iota "key" size <T> : !axloom.tensor<key: T, i32>
  %j = axloom.iota "query" size <S> : !axloom.tensor<query: S, i32>
  %d = axloom.sub %i, %j : !axloom.tensor<key: T, i32>, !axloom.tensor<query: S, i32> -> !axloom.tensor<key: T, query: S, i32>
  %distances = axloom.cast %d to f32 : !axloom.tensor<key: T, query: S, i32> -> !distances
  %bias = axloom.mul %distances, %slopes : !distances, !slopes -> !bias
  %c, %n = axloom.attention %q, %k, %v bias %bias depth "depth" key "key" scale 0.5 : !q, !k, !v bias !bias -> !c, !n
  return %c : !c
}

// -----

// The old value of a variable that is written, too, becomes another one's by a kernel
// of its own, so that the new one can take its place.
axloom.variable "state" @weight : !axloom.tensor<in: 8, f32> order ["in"] init {kind = "zeros"}
axloom.variable "state" @previous : !axloom.tensor<in: 8, f32> order ["in"] init {kind = "zeros"}
axloom.variable "state" @kept : !axloom.tensor<in: 8, f32> order ["in"] init {kind = "zeros"}
axloom.variable "state" @copy : !axloom.tensor<in: 8, f32> order ["in"] init {kind = "zeros"}
// CHECK-LABEL: func.func @shift
// CHECK: %[[OLD:.*]] = axloom.read @weight
// CHECK: %[[KEPT:.*]] = axloom.read @kept
// CHECK: %[[PREVIOUS:.*]] = axloom.kernel "copy"(%[[OLD]])
// CHECK: axloom.cast
// CHECK: %[[NEW:.*]] = axloom.kernel "pointwise"(%[[OLD]], %arg0)
// CHECK: axloom.add
// CHECK: axloom.write @weight, %[[NEW]]
// CHECK: axloom.write @previous, %[[PREVIOUS]]
// CHECK: axloom.write @copy, %[[KEPT]]
func.func @shift(%x: !axloom.tensor<in: 8, f32>) {
  %old = axloom.read @weight : <in: 8, f32>
  %kept = axloom.read @kept : <in: 8, f32>
  %new = axloom.add %old, %x : <in: 8, f32>, <in: 8, f32> -> <in: 8, f32>
  axloom.write @weight, %new : <in: 8, f32>
  axloom.write @previous, %old : <in: 8, f32>
  axloom.write @copy, %kept : <in: 8, f32>
  return
}
