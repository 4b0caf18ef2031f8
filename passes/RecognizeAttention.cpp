// Finds attention as users write it, in the forward graph, and makes one axloom.attention of it.
//
// 1. Start at a contraction over one axis, `key`. One operand, whichever, leads through dropout
//    factors to a softmax over `key`; the other is v.
// 2. Walk from the softmax's operand down to q k^T through what may stand between them, in any
//    order: scalar factors (mul, div), masks (select or add of a large negative number), biases
//    (add, sub).
// 3. q k^T is a contraction over one axis, `depth`; k is the operand that has `key`. Scalar factors
//    of q and k join the scale.
// 4. Check the axes: q [shared.., query, depth], k [shared.., key, depth], v [shared.., key,
//    value]. A q that lacks some shared axes (learned queries, the same for the whole batch) is
//    repeated along them; k and v along axes that q has beside `query` (heads in groups that share
//    their keys and values). A q that lacks `query` is a single query, as a decoder's step has it,
//    also in each of a few heads of a group; its gradient would be no kernel of its own, so it
//    stays as it is where a function has gradients.
// 5. Build the attention. A query that sees nothing gets zeros from it, also where a finite large
//    negative number would have given the mean of all values.
//
// A value between softmax and q k^T that is used elsewhere too has to be computed anyway: no
// attention then. Of each softmax that stays, a remark says why. Test:
// tests/passes/recognize-attention.mlir.

#include "ir/SourceLines.h"
#include "passes/AttentionPattern.h"
#include "passes/Erase.h"
#include "passes/Passes.h"
#include "passes/SecondDerivatives.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

static Term scaled(Term x, const Factor &factor) {
  for (Value value : factor.times)
    x = x * x.at(value);
  for (Value value : factor.by)
    x = x / x.at(value);
  return factor.number == 1 ? x : x * factor.number;
}

/// All masks together; null if there is none.
static Value maskOf(AttentionPattern &found, OpBuilder &builder, Location location) {
  Value all;
  for (auto [mask, shows] : found.masks) {
    Value shown = shows ? mask : NotOp::create(builder, location, mask);
    all = all ? AndOp::create(builder, location, all, shown) : shown;
  }
  return all;
}

static Value biasOf(AttentionPattern &found, Term place) {
  std::optional<Term> all;
  for (const AttentionPattern::Bias &bias : found.biases) {
    Factor factor = bias.factor;
    factor.number *= bias.sign;
    Term term = scaled(place.at(bias.value), factor);
    all = all ? *all + term : term;
  }
  return all ? all->value : Value();
}

static Value keepOf(AttentionPattern &found, Term place) {
  std::optional<Term> all;
  for (auto [mask, keeps] : found.keepMasks) {
    Term one = place.number(1), zero = place.number(0);
    Term term = keeps ? select(place.at(mask), one, zero) : select(place.at(mask), zero, one);
    all = all ? *all * term : term;
  }
  for (Value keep : found.keeps)
    all = all ? *all * place.at(keep) : place.at(keep);
  const Factor &scale = found.keepScale;
  if (!all && scale.number == 1 && scale.times.empty() && scale.by.empty())
    return {};
  return scaled(all ? *all : place.number(1), scale);
}

/// A value repeated along those of these axes that it lacks.
static Value repeated(Value value, ArrayRef<Axis> axes, OpBuilder &builder, Location location) {
  NamedTensorType type = tensorType(value);
  for (const Axis &axis : axes)
    if (!type.has(axis.name))
      type = type.with(axis);
  return type == value.getType() ? value : BroadcastOp::create(builder, location, value, type);
}

static void build(ContractOp op, AttentionPattern &found) {
  OpBuilder builder(op);
  Location location = locationOf({op, found.softmax, found.scoresOp});
  Factor symbolic = found.scale; // what is not a number is applied to q
  symbolic.number = 1;
  NamedTensorType shared = tensorType(found.k).without({found.key});
  Value queries = repeated(found.q, shared.getAxes(), builder, location);
  Value keys = repeated(found.k, found.groups, builder, location);
  Value values = repeated(found.v, found.groups, builder, location);
  Term q = scaled(Term(builder, location, queries), symbolic);
  auto attention =
      AttentionOp::create(builder, location, q, keys, values, biasOf(found, q),
                          maskOf(found, builder, location), keepOf(found, q), found.depth,
                          found.key, llvm::APFloat(found.scale.number), /*factors=*/TypeAttr());
  remarkDone(attention, "recognize-attention",
             "attention was made of scores, softmax and their product with values");
  Value weights = found.v == op.getA() ? op.getB() : op.getA();
  op.getY().replaceAllUsesWith(attention.getOutput());
  op.erase();
  eraseUnused(weights);
}

namespace {
struct RecognizeAttention : PassWrapper<RecognizeAttention, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RecognizeAttention)
  StringRef getArgument() const final { return "recognize-attention"; }
  StringRef getDescription() const final {
    return "makes one op of scores, softmax and their product with values";
  }

  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>())
      recognize(function);
  }

  void recognize(func::FuncOp function) {
    DenseMap<Operation *, std::string> refused; // softmax ops
    std::string whyNone = whyNoSecondDerivatives(function), whyNoSingle = whyNone;
    if (whyNone.empty() && !function.getOps<GradientOp>().empty())
      whyNoSingle = "it has one query, in a function with gradients";
    for (ContractOp op : llvm::make_early_inc_range(function.getOps<ContractOp>())) {
      Obstacle obstacle;
      std::optional<AttentionPattern> found = findAttention(op, obstacle);
      const std::string &why = found && found->hasOneQuery ? whyNoSingle : whyNone;
      if (found && why.empty())
        build(op, *found);
      else if (found)
        refused[found->softmax] = why;
      else if (obstacle.op)
        refused[obstacle.op] = obstacle.why;
    }
    for (auto softmax : function.getOps<SoftmaxOp>()) {
      auto known = refused.find(softmax);
      remarkMissed(softmax, getArgument(),
                   "softmax is no attention: " +
                       (known != refused.end()
                            ? known->second
                            : "no contraction over '" + softmax.getAxis().str() +
                                  "' alone takes its weights, through dropout at most"));
    }
  }
};
} // namespace

std::unique_ptr<Pass> passes::createRecognizeAttention() {
  return std::make_unique<RecognizeAttention>();
}
