// Finds a projection to classes whose logits only go into a cross entropy that is summed over all
// tokens, and makes one axloom.linear_cross_entropy of it: that one works through the tokens in
// chunks and never holds all logits.
//
// 1. Start at a sum over axes that leaves a scalar, perhaps through several sums, or at a
//    contraction that does.
// 2. Walk to the cross entropy through what weighs its tokens, in any order: factors (mul, div) and
//    masks (select between it and 0). Nothing on the way is used elsewhere.
// 3. The logits are a contraction over one axis of tokens, [tokens.., model], with a weight,
//    [classes, model], perhaps times a scalar, which joins x.
// 4. Build the composite with the product of all factors as the tokens' weights.
//
// Of each cross entropy that stays, a remark says why. Test:
// tests/passes/recognize-linear-cross-entropy.mlir.

#include "ir/Dialect.h"
#include "ir/SourceLines.h"
#include "passes/Erase.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"
#include "passes/SecondDerivatives.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

namespace {
struct Loss {
  /// Ends a way that leads behind the cross entropy.
  bool refuse(const Twine &why) const { return obstacle->end(entropy, steps, why); }

  Obstacle *obstacle = nullptr;
  unsigned steps = 0; // from the cross entropy
  CrossEntropyOp entropy;
  ContractOp projection;
  Value x, w;
  StringAttr model;
  /// The weights of tokens: factors, divisors, and masks that keep (true) or drop (false) where
  /// they hold.
  SmallVector<Value> factors, divisors;
  SmallVector<std::pair<Value, bool>> masks;
  /// Scalars that the logits were multiplied with or divided by.
  SmallVector<std::pair<Value, bool>> logitFactors;
};
} // namespace

/// Whether `op` only weighs the elements of `rest`, and brings in no axis.
static bool weighs(Operation *op, Value rest) {
  return op->getResult(0).getType() == rest.getType();
}

/// Step 2. Leaves the cross entropy in `loss`.
static bool findEntropy(Value value, Loss &loss) {
  if (auto entropy = value.getDefiningOp<CrossEntropyOp>()) {
    loss.entropy = entropy;
    return value.hasOneUse() ||
           loss.refuse("its losses are used more than once: " + usersOf(value));
  }
  if (!value.hasOneUse())
    return false;
  auto reduce = value.getDefiningOp<ReduceOp>();
  if (reduce && reduce.getKind() == "sum")
    return findEntropy(reduce.getX(), loss); // a factor of the sum is one of each token
  if (auto div = value.getDefiningOp<DivOp>(); div && weighs(div, div.getA())) {
    loss.divisors.push_back(div.getB());
    return findEntropy(div.getA(), loss);
  }
  if (auto select = value.getDefiningOp<SelectOp>()) {
    bool keeps = isKnown(select.getB(), 0.0);
    if (!keeps && !isKnown(select.getA(), 0.0))
      return false;
    loss.masks.push_back({select.getMask(), keeps});
    Value rest = keeps ? select.getA() : select.getB();
    return weighs(select, rest) && findEntropy(rest, loss);
  }
  auto mul = value.getDefiningOp<MulOp>();
  if (!mul)
    return false;
  for (auto [rest, factor] :
       {std::pair(mul.getA(), mul.getB()), std::pair(mul.getB(), mul.getA())}) {
    Loss tried = loss;
    tried.factors.push_back(factor);
    if (weighs(mul, rest) && findEntropy(rest, tried)) {
      loss = tried;
      return true;
    }
  }
  return false;
}

/// Step 3.
static bool findProjection(Loss &loss) {
  Value logits = loss.entropy.getLogits();
  if (Type element = tensorType(logits).getElementType(); !element.isF32())
    return loss.refuse("its logits are " + debugString(element) + ", expected f32");
  while (logits.hasOneUse()) {
    ++loss.steps;
    auto mul = logits.getDefiningOp<MulOp>();
    auto div = logits.getDefiningOp<DivOp>();
    if (mul && tensorType(mul.getB()).isScalar()) {
      loss.logitFactors.push_back({mul.getB(), true});
      logits = mul.getA();
    } else if (mul && tensorType(mul.getA()).isScalar()) {
      loss.logitFactors.push_back({mul.getA(), true});
      logits = mul.getB();
    } else if (div && tensorType(div.getB()).isScalar()) {
      loss.logitFactors.push_back({div.getB(), false});
      logits = div.getA();
    } else {
      break;
    }
  }
  if (!logits.hasOneUse())
    return loss.refuse("its logits are used more than once: " + usersOf(logits));
  Operation *op = logits.getDefiningOp();
  loss.projection = llvm::dyn_cast_or_null<ContractOp>(op);
  if (!loss.projection)
    return loss.refuse("its logits come of " + (op ? nameOf(op) : "an argument") +
                       ", not of a projection through scalar factors");
  if (loss.projection.getOver().size() != 1)
    return loss.refuse(nameOf(op) + ", its projection, sums over " +
                       Twine(loss.projection.getOver().size()) + " axes, expected one");
  loss.model = llvm::cast<StringAttr>(loss.projection.getOver()[0]);
  loss.x = loss.projection.getA();
  loss.w = loss.projection.getB();
  if (tensorType(loss.x).has(loss.entropy.getAxis()))
    std::swap(loss.x, loss.w);
  StringRef classes = loss.entropy.getAxis();
  if (tensorType(loss.entropy.getLabels()).rank() != tensorType(loss.entropy.getY()).rank())
    return loss.refuse("its labels are not one class for each token");
  if (tensorType(loss.w).rank() != 2 || !tensorType(loss.w).has(classes) ||
      tensorType(loss.x).has(classes))
    return loss.refuse("no factor of its projection is a weight with the axes '" + classes +
                       "' and '" + loss.model.getValue() + "' alone");
  return true;
}

/// Step 4. The weights, [tokens..].
static Term weightsOf(Loss &loss, Term place) {
  Term all = place.number(1);
  for (Value factor : loss.factors)
    all = all * place.at(factor);
  for (Value divisor : loss.divisors)
    all = all / place.at(divisor);
  for (auto [mask, keeps] : loss.masks)
    all = keeps ? select(place.at(mask), all, place.number(0))
                : select(place.at(mask), place.number(0), all);
  return place.at(fitTo(*place.builder, place.location, all, tensorType(loss.entropy.getY())));
}

static void build(Value sum, Loss &loss) {
  Operation *op = sum.getDefiningOp();
  OpBuilder builder(op);
  Location location = locationOf({loss.entropy, loss.projection, op});
  Term x(builder, location, loss.x);
  for (auto [factor, multiplies] : llvm::reverse(loss.logitFactors))
    x = multiplies ? x * x.at(factor) : x / x.at(factor);
  auto fused = LinearCrossEntropyOp::create(
      builder, location, x, loss.w, loss.entropy.getLabels(), weightsOf(loss, x), loss.model,
      loss.entropy.getAxisAttr(), loss.entropy.getSmoothingAttr(), /*factors=*/TypeAttr());
  remarkDone(fused, "recognize-linear-cross-entropy",
             "projection, cross entropy and their sum are one op, which holds no logits");
  sum.replaceAllUsesWith(fused.getLoss());
  eraseUnused(sum);
}

/// Step 1.
static std::optional<Loss> find(Operation *op, Obstacle &obstacle) {
  if (op->getNumResults() != 1 || !tensorType(op->getResult(0)).isScalar())
    return std::nullopt;
  SmallVector<std::pair<Value, Value>> starts; // what leads to the entropy, and a factor or null
  if (auto reduce = llvm::dyn_cast<ReduceOp>(op); reduce && reduce.getKind() == "sum")
    starts.push_back({reduce.getX(), Value()});
  if (auto contract = llvm::dyn_cast<ContractOp>(op))
    starts.assign({{contract.getA(), contract.getB()}, {contract.getB(), contract.getA()}});
  for (auto [value, factor] : starts) {
    Loss loss;
    loss.obstacle = &obstacle;
    if (factor)
      loss.factors.push_back(factor);
    if (findEntropy(value, loss) && findProjection(loss))
      return loss;
  }
  return std::nullopt;
}

namespace {
struct RecognizeLinearCrossEntropy
    : PassWrapper<RecognizeLinearCrossEntropy, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RecognizeLinearCrossEntropy)
  StringRef getArgument() const final { return "recognize-linear-cross-entropy"; }
  StringRef getDescription() const final {
    return "makes one op of a projection and the loss of its logits";
  }

  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>())
      recognize(function);
  }

  void recognize(func::FuncOp function) {
    DenseMap<Operation *, std::string> refused; // cross entropies
    std::string whyNone = whyNoSecondDerivatives(function);
    for (Operation &op : llvm::make_early_inc_range(function.getOps())) {
      Obstacle obstacle;
      std::optional<Loss> loss = find(&op, obstacle);
      if (loss && whyNone.empty())
        build(op.getResult(0), *loss);
      else if (loss)
        refused[loss->entropy] = whyNone;
      else if (obstacle.op)
        refused[obstacle.op] = obstacle.why;
    }
    for (auto entropy : function.getOps<CrossEntropyOp>()) {
      auto known = refused.find(entropy);
      remarkMissed(entropy, getArgument(),
                   "cross entropy takes its logits from memory: " +
                       (known != refused.end()
                            ? known->second
                            : "its losses do not go, weighted at most, into one sum alone"));
    }
  }
};
} // namespace

std::unique_ptr<Pass> passes::createRecognizeLinearCrossEntropy() {
  return std::make_unique<RecognizeLinearCrossEntropy>();
}
