//===- NarrowResults.cpp - Results that are rounded lie in bf16 -----------===//
//
// 1. A rounded result will do for a kernel that rounds it anyway, as a factor of a product or to
//    make a tensor of bf16 of it, or that asks how it compares with 0, which rounding leaves as it
//    is but for numbers below 2^-134. Where it is a factor, it will do for sums, too, which are
//    products with ones.
// 2. Where it does for all that read a result, and one of them rounds it, the kernel that computes
//    it rounds it last of all. Where others need all its bits, as a residual connection does, and
//    at least two round it, the kernel has a rounded result beside it, if it has room for one more.
// 3. The kernels that read it widen it first. The backend sees both casts, so that what is rounded
//    already is not rounded again.
//
// Half as much memory is kept, written and read. Results that kernels add up piece by piece stay
// f32, as attention's gradient adds those of keys and values where there may be many queries; so
// does what a function returns or a variable gets.
// Test: tests/passes/narrow-results.mlir.
//
//===----------------------------------------------------------------------===//

#include "ir/Dialect.h"
#include "ir/Factors.h"
#include "passes/KernelOps.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

static constexpr llvm::StringLiteral passName = "narrow-results";

namespace {
/// What a use does with a value, the strictest last.
enum class Use {
  Compare, // gives the same of a rounded value
  Round,   // rounds it
  Sum,     // gives as good a sum of a rounded value, if that is a factor, too
  Factor,  // rounds it for a product
  Exact    // needs all bits
};
} // namespace

static bool isZero(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto number = constant ? llvm::dyn_cast<FloatAttr>(constant.getValue()) : nullptr;
  return number && number.getValue().isZero();
}

static Use useOf(Value value);

static Use useAt(OpOperand &use) {
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  auto factorIf = [](bool rounds) { return rounds ? Use::Factor : Use::Exact; };
  return llvm::TypeSwitch<Operation *, Use>(user)
      .Case<RenameOp, SplitOp, MergeOp, SliceOp, BroadcastOp>(
          [](auto op) { return useOf(op.getResult()); })
      .Case([&](ContractOp op) { return factorIf(areFactorsRounded(op)); })
      // q, k and v; of the gradient, the adjoint of what came of them too, which is multiplied with
      // what came of them and summed up
      .Case([&](AttentionOp op) { return factorIf(areFactorsRounded(op) && number < 3); })
      .Case([&](AttentionGradientOp op) {
        if (&use == &op.getOutputMutable())
          return areFactorsRounded(op) ? Use::Sum : Use::Exact;
        return factorIf(areFactorsRounded(op) && (number < 3 || &use == &op.getGradientMutable()));
      })
      .Case([&](CastOp op) { return op.getTo().isBF16() ? Use::Round : Use::Exact; })
      .Case([&](ReduceOp op) { return op.getKind() == "sum" ? Use::Sum : Use::Exact; })
      .Case([&](CompareOp op) {
        bool withZero = isZero(use.get() == op.getA() ? op.getB() : op.getA());
        return withZero ? Use::Compare : Use::Exact;
      })
      .Default(Use::Exact);
}

/// The strictest use of a value in a kernel.
static Use useOf(Value value) {
  Use strictest = Use::Compare;
  for (OpOperand &use : value.getUses())
    strictest = std::max(strictest, useAt(use));
  return strictest;
}

namespace {
/// The kernels that read a result: those that a rounded one would do for, and whether others are
/// left.
struct Readers {
  explicit Readers(OpResult result);

  /// A result beside another one costs a pass over memory too.
  bool gainFromRounding() const { return rounding >= (needBits ? 2 : 1); }

  SmallVector<OpOperand *> narrow;
  unsigned rounding = 0; // of these, how many round it themselves
  bool needBits = false;
};
} // namespace

Readers::Readers(OpResult result) {
  SmallVector<std::pair<OpOperand *, Use>> all;
  for (OpOperand &use : result.getUses()) {
    auto reader = llvm::dyn_cast<KernelOp>(use.getOwner());
    Use kind = reader ? useOf(reader.getBody().getArgument(use.getOperandNumber())) : Use::Exact;
    all.emplace_back(&use, kind);
  }
  bool isFactor = llvm::is_contained(llvm::make_second_range(all), Use::Factor);
  for (auto [use, kind] : all) {
    rounding += kind == Use::Factor || kind == Use::Round;
    if (kind == Use::Exact || (kind == Use::Sum && !isFactor))
      needBits = true;
    else
      narrow.push_back(use);
  }
}

/// Queries that a kernel of attention's gradient may take at once, whose scores with all keys it
/// holds in scratch memory.
static constexpr int64_t queriesAtOnce = 128;

/// Whether a kernel may write this result of its own rounded, and rounded alone: whether it
/// computes each element at once, and not a share of it for each entry of a ragged batch. Schedules
/// of attention and of a loss over a vocabulary write nothing but what these give.
static bool mayBeRounded(Value yielded, const SymbolTable &symbols) {
  Operation *producer = yielded.getDefiningOp();
  while (llvm::isa_and_nonnull<RenameOp, SplitOp, MergeOp, BroadcastOp>(producer))
    producer = producer->getOperand(0).getDefiningOp();
  bool isInPlace = llvm::isa_and_nonnull<UpdateOp>(producer); // writes one row, not all of them
  if (isInPlace || (producer && sumsEntries(producer)))
    return false;
  auto gradient = yielded.getDefiningOp<AttentionGradientOp>();
  if (!gradient || yielded == gradient.getDq())
    return !yielded.getDefiningOp<LinearCrossEntropyOp>();
  for (const Axis &axis : tensorType(gradient.getQ()).getAxes())
    if (!tensorType(gradient.getK()).has(axis.name) &&
        maximumOf(axis.size(), symbols) > queriesAtOnce)
      return false;
  return true;
}

/// Whether a kernel has a schedule that gives no result beside those of its composite.
static bool ownsItsResults(KernelOp kernel) {
  return llvm::any_of(kernel.getBody().front(),
                      llvm::IsaPred<AttentionOp, AttentionGradientOp, LinearCrossEntropyOp>);
}

/// Widens a value that has become bf16 for all its uses but views of it, which come first: where
/// inputs are seen at once as they are used, no schedule has to know of it.
static void widenUses(Value narrow, Type wide) {
  SmallVector<OpOperand *> others;
  for (OpOperand &use : narrow.getUses())
    if (llvm::isa<RenameOp, SplitOp, MergeOp, SliceOp>(use.getOwner())) {
      Value seen = use.getOwner()->getResult(0);
      seen.setType(tensorType(seen).withElementType(tensorType(narrow).getElementType()));
      widenUses(seen, wide);
    } else {
      others.push_back(&use);
    }
  if (others.empty())
    return;
  OpBuilder builder(narrow.getContext());
  builder.setInsertionPointAfterValue(narrow);
  Value widened = CastOp::create(builder, narrow.getLoc(), narrow, wide);
  for (OpOperand *use : others)
    use->set(widened);
}

/// Has a kernel read a rounded value.
static void readRounded(OpOperand &use, Value rounded) {
  Type wide = tensorType(use.get()).getElementType();
  use.set(rounded);
  BlockArgument argument =
      llvm::cast<KernelOp>(use.getOwner()).getBody().getArgument(use.getOperandNumber());
  argument.setType(rounded.getType());
  widenUses(argument, wide);
}

/// A kernel with the same body that yields `values`.
static KernelOp yielding(KernelOp kernel, ArrayRef<Value> values) {
  kernel.getBody().front().getTerminator()->setOperands(values);
  OpBuilder builder(kernel);
  OperationState state(kernel.getLoc(), KernelOp::getOperationName(), kernel->getOperands(),
                       TypeRange(ValueRange(values)), kernel->getAttrDictionary().getValue());
  state.addRegion()->takeBody(kernel.getBody());
  return llvm::cast<KernelOp>(builder.create(state));
}

/// Rounds the results of a kernel that are read as such, in place of what was there or, where
/// that is needed too, beside it. Gives how many that were.
static unsigned narrowResults(KernelOp kernel, const SymbolTable &symbols) {
  Operation *yield = kernel.getBody().front().getTerminator();
  OpBuilder builder(yield);
  SmallVector<Value> values(yield->getOperands());
  SmallVector<std::pair<OpOperand *, unsigned>> moved; // uses, and the results they are to read
  unsigned rounded = 0;
  for (OpResult result : kernel->getResults()) {
    Readers readers(result);
    unsigned number = result.getResultNumber();
    if (!tensorType(result).getElementType().isF32() || !readers.gainFromRounding() ||
        !mayBeRounded(values[number], symbols))
      continue;
    bool hasRoom = kernel->getNumOperands() + values.size() < mostTensors;
    if (readers.needBits && (ownsItsResults(kernel) || !hasRoom))
      continue;
    auto narrow = CastOp::create(builder, yield->getLoc(), values[number], builder.getBF16Type());
    unsigned place = readers.needBits ? values.size() : number;
    if (readers.needBits)
      values.push_back(narrow);
    else
      values[number] = narrow;
    for (OpOperand *use : readers.narrow)
      moved.emplace_back(use, place);
    ++rounded;
  }
  if (rounded == 0)
    return 0;
  KernelOp narrower = yielding(kernel, values);
  for (auto [use, place] : moved)
    readRounded(*use, narrower->getResult(place));
  kernel->replaceAllUsesWith(narrower->getResults().take_front(kernel->getNumResults()));
  kernel.erase();
  return rounded;
}

static void narrowResults(func::FuncOp function, const SymbolTable &symbols) {
  SmallVector<KernelOp> kernels(function.getOps<KernelOp>());
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    std::string launch = kernelName(function, index, kernel.getAnchor());
    Operation *last = kernel.getBody().front().getTerminator();
    if (unsigned count = narrowResults(kernel, symbols))
      remarkDone(last, passName,
                 llvm::Twine(count) +
                     " of its results lie in bf16, to which what reads them rounds",
                 launch);
  }
}

namespace {
struct NarrowResults : PassWrapper<NarrowResults, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NarrowResults)

  StringRef getArgument() const override { return passName; }
  StringRef getDescription() const override {
    return "keeps results of kernels in bf16 that are only read as such";
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      narrowResults(function, symbols);
  }
};
} // namespace

std::unique_ptr<Pass> passes::createNarrowResults() { return std::make_unique<NarrowResults>(); }
