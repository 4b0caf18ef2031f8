//===- LowerPrecision.cpp - Factors of matrix products in bf16 ------------===//
//
// 1. Find the products of matrices: contractions of f32 in which each operand has an axis of its
//    own and something is summed, attention of several queries with its gradient, and projections
//    with their loss. One query uses each number of keys and values once: to round these would take
//    as long as to multiply them.
// 2. Mark them: their factors are rounded to bf16, their sums stay f32. Variables, optimizer,
//    normalization, softmax and loss stay as they are, so that parameters keep all bits.
//
// Unless it is asked for, nothing is marked. Comes after differentiation, so that the products of
// the backward pass are found like all others. Test: tests/passes/lower-precision.mlir.
//
//===----------------------------------------------------------------------===//

#include "ir/Dialect.h"
#include "passes/Passes.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;

/// Whether an operand has an axis that the other one lacks.
static bool hasAxisOfItsOwn(NamedTensorType type, NamedTensorType other) {
  return llvm::any_of(type.getAxes(),
                      [&](const Axis &axis) { return !other.has(axis.name.getValue()); });
}

static bool multipliesMatrices(ContractOp op) {
  NamedTensorType a = tensorType(op.getA()), b = tensorType(op.getB());
  return a.getElementType().isF32() && !op.getOver().empty() && hasAxisOfItsOwn(a, b) &&
         hasAxisOfItsOwn(b, a);
}

template <typename Attention> static bool multipliesMatrices(Attention op) {
  NamedTensorType q = tensorType(op.getQ());
  return q.getElementType().isF32() && hasAxisOfItsOwn(q, tensorType(op.getK()));
}

namespace {
struct LowerPrecision : PassWrapper<LowerPrecision, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPrecision)

  explicit LowerPrecision(bool asked) { brainFloat = asked; }
  LowerPrecision(const LowerPrecision &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "lower-precision"; }
  StringRef getDescription() const override {
    return "rounds the factors of matrix products to bf16";
  }

  void runOnOperation() override {
    if (!brainFloat)
      return;
    Type factors = BFloat16Type::get(&getContext());
    getOperation().walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<ContractOp, AttentionOp, AttentionGradientOp>([&](auto products) {
            if (multipliesMatrices(products))
              products.setFactors(factors);
          })
          .Case([&](LinearCrossEntropyOp loss) {
            if (tensorType(loss.getX()).getElementType().isF32())
              loss.setFactors(factors);
          });
    });
  }

  Option<bool> brainFloat{*this, "bf16", llvm::cl::desc("round to bf16"), llvm::cl::init(false)};
};
} // namespace

std::unique_ptr<Pass> passes::createLowerPrecision(bool brainFloat) {
  return std::make_unique<LowerPrecision>(brainFloat);
}
