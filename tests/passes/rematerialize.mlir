// Four layers with a normalization each: what a memory budget makes the backward pass compute again.

// Enough for all results: nothing.
// RUN: axloom-opt %s --axloom-pipeline="memory-budget=88K@B=64 stop-after=rematerialize" | FileCheck %s --check-prefix=PLENTY
// PLENTY: func.func @step
// PLENTY-NOT: axloom.recomputed

// A little less: normalizations, whose inputs are kept instead of what two readers make of them.
// Each stands right before its first reader, the latest layer's first.
// RUN: axloom-opt %s --axloom-pipeline="memory-budget=70K@B=64 stop-after=rematerialize" | FileCheck %s --check-prefix=ROWS
// ROWS: %[[A:.*]] = axloom.contract %arg0, %arg1 over ["model"] :
// ROWS-NEXT: %[[B:.*]], %{{.*}}, %{{.*}} = axloom.layer_norm %[[A]]
// ROWS-NEXT: %[[C:.*]] = axloom.contract %[[B]], %arg2
// ROWS-NEXT: %[[D:.*]], %{{.*}}, %{{.*}} = axloom.layer_norm %[[C]]
// ROWS-NEXT: %[[E:.*]] = axloom.contract %[[D]], %arg1
// ROWS-NOT: axloom.recomputed
// ROWS: axloom.tanh
// ROWS-NOT: axloom.contract {{.*}} {axloom.recomputed}
// ROWS: %[[F:.*]], %[[MEAN:.*]], %{{.*}} = axloom.layer_norm %[[E]] over "inner" epsilon 1.000000e-05 {axloom.recomputed}
// ROWS-NEXT: axloom.contract %{{.*}}, %[[F]] over ["batch"]
// ROWS-NEXT: axloom.sub %[[E]], %[[MEAN]]
// ROWS: axloom.layer_norm %[[C]] over "model" epsilon 1.000000e-05 {axloom.recomputed}
// ROWS: axloom.layer_norm %[[A]] over "inner" epsilon 1.000000e-05 {axloom.recomputed}

// It is said once, of what is done at last, and of no trial; so is why a kernel stays alone.
// RUN: axloom-opt %s --axloom-pipeline="memory-budget=70K@B=64" --remarks-filter-passed=rematerialize -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID --implicit-check-not=Passed
// SAID-COUNT-3: [Passed] rematerialize {{.*}} Remark="layer_norm is computed again where the backward pass needs it, since the memory budget has no room to keep it"

// Less still: a product too, of the first layer, since what is kept of it would be kept longest.
// RUN: axloom-opt %s --axloom-pipeline="memory-budget=65K@B=64 stop-after=rematerialize" | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: axloom.tanh
// PRODUCT-NOT: axloom.contract {{.*}} {axloom.recomputed}
// PRODUCT: %[[A:.*]] = axloom.contract %arg0, %arg1 over ["model"] {axloom.recomputed}
// PRODUCT-NEXT: axloom.layer_norm %[[A]] over "inner" epsilon 1.000000e-05 {axloom.recomputed}
// PRODUCT-NOT: axloom.contract {{.*}} {axloom.recomputed}
// PRODUCT: return

// Kernels of the forward pass do not take in what is computed again, those of the backward pass do;
// equal ops have one text in them.
// RUN: axloom-opt %s --axloom-pipeline="memory-budget=70K@B=64" | FileCheck %s --check-prefix=KERNELS
// KERNELS: axloom.kernel "contraction"
// KERNELS-NEXT: ^bb0
// KERNELS-NEXT: axloom.contract
// KERNELS-NEXT: axloom.layer_norm
// KERNELS-NEXT: axloom.yield
// KERNELS: axloom.tanh
// KERNELS-NOT: axloom.recomputed
// KERNELS: axloom.layer_norm
// KERNELS-NEXT: axloom.sub
// KERNELS-NEXT: axloom.mul
// KERNELS-NEXT: axloom.mul
// KERNELS-NEXT: axloom.reduce
// KERNELS-NOT: axloom.recomputed
// KERNELS: return

// RUN: not axloom-opt %s --axloom-pipeline="memory-budget=10K@B=64" 2>&1 | FileCheck %s --check-prefix=LEAST
// LEAST: error: 'step' takes 87040 bytes for results between kernels at B=64; the memory budget is 10000, and the least that recomputation reaches is 61952

// RUN: not axloom-opt %s --axloom-pipeline="memory-budget=10K" 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: a tensor of 'step' has 32*B elements, which the sizes of the memory budget (none) do not tell; name each size after '@'

// RUN: not axloom-opt %s --axloom-pipeline="memory-budget=10K@B=64,T=64" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: the memory budget has a value for 'T'; the sizes are B

// RUN: not axloom-opt %s --axloom-pipeline="memory-budget=10K@B=65" 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: error: the memory budget has B=65, but B is at most 64

// RUN: not axloom-opt %s --axloom-pipeline="memory-budget=lots" 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: the memory budget is 'lots', expected bytes and sizes as in 1.5G@B=32,S=64

// RUN: not axloom-opt %s --axloom-pipeline="stop-after=rematerialize" 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: cannot stop after 'rematerialize', which is off

axloom.size @B max 64
!x = !axloom.tensor<batch: B, model: 32, f32>
!r = !axloom.tensor<batch: B, f32>
!w = !axloom.tensor<inner: 32, model: 32, f32>
!y = !axloom.tensor<batch: B, inner: 32, f32>

func.func @step(%x: !x, %w: !w, %v: !w) -> (!w, !w) {
  %a = axloom.contract %x, %w over ["model"] : !x, !w -> !y
  %b, %ma, %ra = axloom.layer_norm %a over "inner" epsilon 1.0e-5 : !y -> !y, !r, !r
  %c = axloom.contract %b, %v over ["inner"] : !y, !w -> !x
  %d, %mc, %rc = axloom.layer_norm %c over "model" epsilon 1.0e-5 : !x -> !x, !r, !r
  %e = axloom.contract %d, %w over ["model"] : !x, !w -> !y
  %f, %me, %re = axloom.layer_norm %e over "inner" epsilon 1.0e-5 : !y -> !y, !r, !r
  %g = axloom.contract %f, %v over ["inner"] : !y, !w -> !x
  %h, %mg, %rg = axloom.layer_norm %g over "model" epsilon 1.0e-5 : !x -> !x, !r, !r
  %i = axloom.contract %h, %w over ["model"] : !x, !w -> !y
  %t = axloom.tanh %i : !y -> !y
  %loss = axloom.reduce "sum" %t over ["batch", "inner"] : !y -> <f32>
  %dw, %dv = axloom.gradient %loss wrt(%w, %v) : <f32>, !w, !w -> !w, !w
  return %dw, %dv : !w, !w
}
