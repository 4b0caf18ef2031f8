//===- WidenSums.cpp - Sums of bf16 tensors are taken in f32 --------------===//
//
// 1. Find what adds up elements of bf16 tensors: sums, products of matrices, attention and its
//    gradient, and rows that are scattered.
// 2. Let it work on f32 tensors: what it reads is widened, which changes no value, and its results
//    are rounded last of all. Casts are fused like all other arithmetic.
//
// So every sum is rounded once, also where a kernel adds to it entry by entry; and there is one way
// to multiply matrices, whose factors `lower-precision` may round again, to what they are.
// Comes after differentiation, so that sums of the backward pass are found like all others.
// Test: tests/passes/widen-sums.mlir.
//
//===----------------------------------------------------------------------===//

#include "ir/Dialect.h"
#include "passes/Passes.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;

static bool addsUp(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](ReduceOp reduce) { return reduce.getKind() == "sum"; })
      .Case<ContractOp, AttentionOp, AttentionGradientOp, ScatterAddOp>([](auto) { return true; })
      .Default(false);
}

static bool isBrainFloat(Value value) { return tensorType(value).getElementType().isBF16(); }

static void widen(Operation *op) {
  OpBuilder builder(op);
  Type narrow = builder.getBF16Type(), wide = builder.getF32Type();
  for (OpOperand &operand : op->getOpOperands())
    if (isBrainFloat(operand.get()))
      operand.set(CastOp::create(builder, op->getLoc(), operand.get(), wide));
  if (auto scatter = dyn_cast<ScatterAddOp>(op))
    scatter.setShape(tensorType(scatter.getY()).withElementType(wide));

  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults())
    if (isBrainFloat(result)) {
      result.setType(tensorType(result).withElementType(wide));
      auto rounded = CastOp::create(builder, op->getLoc(), result, narrow);
      result.replaceAllUsesExcept(rounded.getY(), rounded);
    }
}

namespace {
struct WidenSums : PassWrapper<WidenSums, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WidenSums)

  StringRef getArgument() const override { return "widen-sums"; }
  StringRef getDescription() const override { return "takes sums of bf16 tensors in f32"; }

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (addsUp(op) && llvm::any_of(op->getOperands(), isBrainFloat))
        widen(op);
    });
  }
};
} // namespace

std::unique_ptr<Pass> passes::createWidenSums() { return std::make_unique<WidenSums>(); }
