// RUN: axloom-opt %s --axloom-pipeline="stop-after=simplify report" -o /dev/null 2>&1 | FileCheck %s

// CHECK: {{^}}infer: unchanged ({{[0-9.]+}} ms)
// CHECK-NEXT: - {{.*}}axloom.constant
// CHECK-NEXT: - {{.*}}axloom.add
// CHECK-NEXT: simplify: changed as above
// CHECK-NEXT: recognize-attention: unchanged
// CHECK-NEXT: recognize-linear-cross-entropy: unchanged
// CHECK: + {{.*}}axloom.cos
// CHECK: differentiate: changed as above
// CHECK: simplify: changed as above
func.func @step(%x: !axloom.tensor<a: 3, f32>) -> !axloom.tensor<a: 3, f32> {
  %zero = axloom.constant 0.0 : f32 : <f32>
  %same = axloom.add %x, %zero : <a: 3, f32>, <f32> -> <a: 3, f32>
  %y = axloom.sin %same : <a: 3, f32> -> <a: 3, f32>
  %loss = axloom.reduce "sum" %y over ["a"] : <a: 3, f32> -> <f32>
  %dx = axloom.gradient %loss wrt(%x) : <f32>, !axloom.tensor<a: 3, f32> -> !axloom.tensor<a: 3, f32>
  return %dx : !axloom.tensor<a: 3, f32>
}
