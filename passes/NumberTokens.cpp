//===- NumberTokens.cpp - Counters of random numbers for ragged tokens ----===//
//
// 1. Find the random numbers over one ragged axis (dropout of packed sentences). Those over two
//    belong to attention, which goes through the entries anyway.
// 2. What their tokens' coordinates, entry and place in it, add to the counter becomes a tensor of
//    its own, one for all that need the same.
// 3. They draw from there, so that their kernels walk over all tokens as over one axis and become
//    epilogues of products. The numbers stay the same to the last bit.
//
// Comes after differentiation and the last merging of equal ops. Test:
// tests/passes/number-tokens.mlir.
//
//===----------------------------------------------------------------------===//

#include "ir/Dialect.h"
#include "ir/Ragged.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;

namespace {
/// Which coordinates of a random tensor are those of its tokens.
struct TokenCoordinates {
  NamedTensorType tokens;
  SmallVector<int64_t> numbersOfTokens, numbersOfRest;

  TokenCoordinates(NamedTensorType type, const RaggedPart &part) {
    SmallVector<Axis> axes;
    for (auto [number, axis] : llvm::enumerate(type.getAxes())) {
      bool ofToken = part.has(axis.name);
      (ofToken ? numbersOfTokens : numbersOfRest).push_back(number);
      if (ofToken)
        axes.push_back(axis);
    }
    tokens = NamedTensorType::get(axes, IntegerType::get(type.getContext(), 32));
  }
};

struct NumberTokens : PassWrapper<NumberTokens, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NumberTokens)

  StringRef getArgument() const override { return "number-tokens"; }
  StringRef getDescription() const override {
    return "gives random numbers over ragged tokens their counters";
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      number(function);
  }

private:
  void number(func::FuncOp function) {
    SmallVector<CountersOp> counters;
    for (auto random : function.getOps<RandomOp>()) {
      NamedTensorType type = tensorType(random.getY());
      std::optional<RaggedPart> part = raggedPart(type);
      if (!part || part->axes.size() != 1 || random.getCounters())
        continue;
      TokenCoordinates coordinates(type, *part);
      random.getCountersMutable().assign(countersFor(coordinates, random, counters));
      random.setNumbers(coordinates.numbersOfRest);
    }
  }

  /// One of `counters`, or a new one among them.
  Value countersFor(const TokenCoordinates &coordinates, RandomOp random,
                    SmallVectorImpl<CountersOp> &counters) {
    for (CountersOp known : counters)
      if (known.getY().getType() == coordinates.tokens &&
          known.getNumbers() == ArrayRef(coordinates.numbersOfTokens))
        return known.getY();
    OpBuilder builder = OpBuilder::atBlockBegin(random->getBlock());
    counters.push_back(CountersOp::create(builder, random.getLoc(), coordinates.tokens,
                                          coordinates.numbersOfTokens, coordinates.tokens));
    return counters.back().getY();
  }
};
} // namespace

std::unique_ptr<Pass> passes::createNumberTokens() { return std::make_unique<NumberTokens>(); }
