// What size symbols, variables, gradients and kernels refuse.
// RUN: axloom-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'axloom.size' op max is 0, expected a positive number of at most 2147483647}}
axloom.size @B max 0

// -----

// expected-error @+1 {{'axloom.size' op max is 2147483648, expected a positive number of at most 2147483647}}
axloom.size @B max 2147483648

// -----

// expected-error @+1 {{'axloom.variable' op kind is 'weight', expected parameter, state or session}}
axloom.variable "weight" @w : !axloom.tensor<f32> order [] init {kind = "zeros"}

// -----

// expected-error @+1 {{'axloom.variable' op order names axis 'in', which '!axloom.tensor<out: 4, f32>' lacks or has once only}}
axloom.variable "state" @w : !axloom.tensor<out: 4, f32> order ["in"] init {kind = "zeros"}

// -----

// expected-error @+1 {{'axloom.variable' op order names axis 'out', which '!axloom.tensor<in: 4, out: 4, f32>' lacks or has once only}}
axloom.variable "state" @w : !axloom.tensor<in: 4, out: 4, f32> order ["out", "out"] init {kind = "zeros"}

// -----

// expected-error @+1 {{'axloom.variable' op order names 1 axes, but the type has 2}}
axloom.variable "state" @w : !axloom.tensor<in: 4, out: 4, f32> order ["out"] init {kind = "zeros"}

// -----

// expected-error @+1 {{'axloom.variable' op axis 'batch' has size B, expected a fixed number; only session variables may have symbols}}
axloom.variable "parameter" @w : !axloom.tensor<batch: B, f32> order ["batch"] init {kind = "zeros"}

// -----

func.func @f() {
  // expected-error @+1 {{'axloom.read' op there is no variable 'w'}}
  %0 = axloom.read @w : <f32>
  return
}

// -----

axloom.variable "state" @w : !axloom.tensor<in: 4, f32> order ["in"] init {kind = "zeros"}
func.func @f() {
  // expected-error @+1 {{'axloom.read' op variable 'w' has type '!axloom.tensor<in: 4, f32>', found '!axloom.tensor<in: 8, f32>'}}
  %0 = axloom.read @w : <in: 8, f32>
  return
}

// -----

axloom.variable "state" @w : !axloom.tensor<in: 4, f32> order ["in"] init {kind = "zeros"}
func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.write' op variable 'w' has type '!axloom.tensor<in: 4, f32>', found '!axloom.tensor<f32>'}}
  axloom.write @w, %x : <f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<in: 4, f32>) {
  // expected-error @+1 {{'axloom.gradient' op loss is '!axloom.tensor<in: 4, f32>', expected a scalar}}
  %0 = axloom.gradient %x wrt(%x) : <in: 4, f32>, !axloom.tensor<in: 4, f32> -> !axloom.tensor<in: 4, f32>
  return
}

// -----

func.func @f(%loss: !axloom.tensor<f32>, %x: !axloom.tensor<in: 4, f32>) {
  // expected-error @+1 {{'axloom.gradient' op gradients must have the types of the values they belong to}}
  %0 = axloom.gradient %loss wrt(%x) : <f32>, !axloom.tensor<in: 4, f32> -> !axloom.tensor<f32>
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op the region's arguments must have the types of the inputs}}
  %0 = axloom.kernel "pointwise"(%x) : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<i32>):
    axloom.yield %a : !axloom.tensor<i32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op the yielded values must have the types of the outputs}}
  %0 = axloom.kernel "pointwise"(%x) : (!axloom.tensor<f32>) -> !axloom.tensor<i32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op has 2 input layouts for 1 inputs}}
  %0 = axloom.kernel "pointwise"(%x) {input_layouts = [#axloom.layout<[]>, #axloom.layout<[]>]} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op has 0 result layouts for 1 results}}
  %0 = axloom.kernel "pointwise"(%x) {result_layouts = []} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op has 0 placements for 1 results}}
  %0 = axloom.kernel "pointwise"(%x) {placements = []} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<in: 4, f32>) {
  // expected-error @+1 {{'axloom.kernel' op by_value names input 0, expected the index of a scalar input of f32, i32 or i1}}
  %0 = axloom.kernel "pointwise"(%x) {by_value = array<i64: 0>} : (!axloom.tensor<in: 4, f32>) -> !axloom.tensor<in: 4, f32> {
  ^bb0(%a: !axloom.tensor<in: 4, f32>):
    axloom.yield %a : !axloom.tensor<in: 4, f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f64>) {
  // expected-error @+1 {{'axloom.kernel' op by_value names input 0, expected the index of a scalar input of f32, i32 or i1}}
  %0 = axloom.kernel "pointwise"(%x) {by_value = array<i64: 0>} : (!axloom.tensor<f64>) -> !axloom.tensor<f64> {
  ^bb0(%a: !axloom.tensor<f64>):
    axloom.yield %a : !axloom.tensor<f64>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op by_value names input 1, expected the index of a scalar input of f32, i32 or i1}}
  %0 = axloom.kernel "pointwise"(%x) {by_value = array<i64: 1>} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op by_value names input -1, expected the index of a scalar input of f32, i32 or i1}}
  %0 = axloom.kernel "pointwise"(%x) {by_value = array<i64: -1>} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op in_place has 0 inputs for 1 results}}
  %0 = axloom.kernel "pointwise"(%x) {in_place = array<i64>} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op in_place has 2 inputs for 1 results}}
  %0 = axloom.kernel "pointwise"(%x) {in_place = array<i64: 0, -1>} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op in_place names input 1, expected -1 or the index of an input of type '!axloom.tensor<f32>'}}
  %0 = axloom.kernel "pointwise"(%x) {in_place = array<i64: 1>} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op in_place names input -2, expected -1 or the index of an input of type '!axloom.tensor<f32>'}}
  %0 = axloom.kernel "pointwise"(%x) {in_place = array<i64: -2>} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    axloom.yield %a : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<in: 4, f32>) {
  // expected-error @+1 {{'axloom.kernel' op in_place names input 0, expected -1 or the index of an input of type '!axloom.tensor<f32>'}}
  %0 = axloom.kernel "reduction"(%x) {in_place = array<i64: 0>} : (!axloom.tensor<in: 4, f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<in: 4, f32>):
    %1 = axloom.reduce "sum" %a over ["in"] : <in: 4, f32> -> <f32>
    axloom.yield %1 : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op in_place names input 0, expected one that has memory, for one result}}
  %0 = axloom.kernel "pointwise"(%x) {by_value = array<i64: 0>, in_place = array<i64: 0>} : (!axloom.tensor<f32>) -> !axloom.tensor<f32> {
  ^bb0(%a: !axloom.tensor<f32>):
    %1 = axloom.exp %a : <f32> -> <f32>
    axloom.yield %1 : !axloom.tensor<f32>
  }
  return
}

// -----

func.func @f(%x: !axloom.tensor<f32>) {
  // expected-error @+1 {{'axloom.kernel' op in_place names input 0, expected one that has memory, for one result}}
  %0:2 = axloom.kernel "pointwise"(%x) {in_place = array<i64: 0, 0>} : (!axloom.tensor<f32>) -> (!axloom.tensor<f32>, !axloom.tensor<f32>) {
  ^bb0(%a: !axloom.tensor<f32>):
    %1 = axloom.exp %a : <f32> -> <f32>
    axloom.yield %1, %1 : !axloom.tensor<f32>, !axloom.tensor<f32>
  }
  return
}

// -----

// expected-error @+1 {{argument 0: order names axis 'depth', which '!axloom.tensor<batch: B, model: 4, f32>' lacks or has once only}}
func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32> {axloom.order = ["batch", "depth"]}) {
  return
}

// -----

// expected-error @+1 {{argument 0: order names 1 axes, but the type has 2}}
func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32> {axloom.order = ["batch"]}) {
  return
}

// -----

// expected-error @+1 {{argument 0: order is [1, 2], expected a list of names of axes}}
func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32> {axloom.order = [1, 2]}) {
  return
}

// -----

// expected-error @+1 {{result 0: order names axis 'batch', which '!axloom.tensor<batch: B, model: 4, f32>' lacks or has once only}}
func.func @f(%x: !axloom.tensor<batch: B, model: 4, f32>) -> (!axloom.tensor<batch: B, model: 4, f32> {axloom.order = ["batch", "batch"]}) {
  return %x : !axloom.tensor<batch: B, model: 4, f32>
}

// -----

// expected-error @+1 {{argument 0: name is 7 : i64, expected a string}}
func.func @f(%x: !axloom.tensor<model: 4, f32> {axloom.name = 7}) {
  return
}

// -----

// expected-error @+1 {{'axloom.variable' op init is {}, expected a kind: zeros, ones, constant, uniform or normal}}
axloom.variable "state" @w : !axloom.tensor<f32> order [] init {}

// -----

// expected-error @+1 {{'axloom.variable' op init is {kind = "lucky"}, expected a kind: zeros, ones, constant, uniform or normal}}
axloom.variable "state" @w : !axloom.tensor<f32> order [] init {kind = "lucky"}

// -----

// expected-error @+1 {{'axloom.variable' op init is {kind = "constant", val = 3.000000e+00 : f64}, expected a kind and floating-point numbers for [value]}}
axloom.variable "state" @w : !axloom.tensor<f32> order [] init {kind = "constant", val = 3.0}

// -----

// expected-error @+1 {{'axloom.variable' op init is {kind = "constant", value = 3 : i64}, expected a kind and floating-point numbers for [value]}}
axloom.variable "state" @w : !axloom.tensor<f32> order [] init {kind = "constant", value = 3}

// -----

// expected-error @+1 {{'axloom.variable' op init is {kind = "zeros", value = 3.000000e+00 : f64}, expected a kind and floating-point numbers for []}}
axloom.variable "state" @w : !axloom.tensor<f32> order [] init {kind = "zeros", value = 3.0}

// -----

// expected-error @+1 {{'axloom.variable' op init is {kind = "constant", value = 5.000000e-01 : f64}, expected finite numbers that 'i32' has}}
axloom.variable "state" @w : !axloom.tensor<i32> order [] init {kind = "constant", value = 0.5}

// -----

// expected-error @+1 {{'axloom.variable' op init is {high = 1.000000e+00 : f64, kind = "uniform", low = 0.000000e+00 : f64}, expected zeros, ones or a constant for elements of 'i32'}}
axloom.variable "state" @w : !axloom.tensor<i32> order [] init {kind = "uniform", low = 0.0, high = 1.0}

// -----

// expected-error @+1 {{'axloom.variable' op init is {high = 1.000000e+00 : f64, kind = "uniform", low = 2.000000e+00 : f64}, expected a high of at least low}}
axloom.variable "state" @w : !axloom.tensor<f32> order [] init {kind = "uniform", low = 2.0, high = 1.0}

// -----

// expected-error @+1 {{'axloom.variable' op init is {kind = "normal", mean = 0.000000e+00 : f64, stddev = -1.000000e+00 : f64}, expected a stddev of at least 0}}
axloom.variable "state" @w : !axloom.tensor<f32> order [] init {kind = "normal", mean = 0.0, stddev = -1.0}
