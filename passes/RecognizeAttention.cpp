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
//    repeated along them.
// 5. Build the attention. A query that sees nothing gets zeros from it, also where a finite large
//    negative number would have given the mean of all values.
//
// A value between softmax and q k^T that is used elsewhere too has to be computed anyway: no
// attention then. Test: tests/passes/recognize-attention.mlir.

#include "ir/Dialect.h"
#include "passes/Erase.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;

namespace {
/// What users add to scores to hide them is at most this; exp of it is 0 in every float type.
constexpr double hidden = -1e4;

/// A product of scalars: a number, and values multiplied or divided by.
struct Factor {
  double number = 1;
  SmallVector<Value> times, by;
};

struct Attention {
  ContractOp scoresOp;
  SoftmaxOp softmax;
  Value q, k, v;
  StringAttr key, depth;
  Factor scale;
  /// Each mask shows (true) or hides (false) the scores where it holds.
  SmallVector<std::pair<Value, bool>> masks;
  /// Each bias comes with its sign and the factor that was applied after it.
  struct Bias {
    Value value;
    double sign;
    Factor factor;
  };
  SmallVector<Bias> biases;
  /// Factors of the weights; a mask keeps the weights where it is equal to the flag.
  SmallVector<Value> keeps;
  SmallVector<std::pair<Value, bool>> keepMasks;
  Factor keepScale;
};
} // namespace

static Value withoutBroadcast(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  return value;
}

/// Moves a scalar into the factor, if `value` is one.
static bool takeScalar(Value value, Factor &factor, bool divides) {
  if (std::optional<double> number = knownNumber(value)) {
    factor.number = divides ? factor.number / *number : factor.number * *number;
    return true;
  }
  value = withoutBroadcast(value);
  if (!tensorType(value).isScalar())
    return false;
  (divides ? factor.by : factor.times).push_back(value);
  return true;
}

/// Splits x off x * scalar, scalar * x or x / scalar; null if `value` is none of these.
static Value withoutScalar(Value value, Factor &factor) {
  Value a, b;
  if (auto mul = value.getDefiningOp<MulOp>())
    std::tie(a, b) = std::pair(mul.getA(), mul.getB());
  auto div = value.getDefiningOp<DivOp>();
  if (div)
    std::tie(a, b) = std::pair(div.getA(), div.getB());
  if (a && a.getType() == value.getType() && takeScalar(b, factor, bool(div)))
    return a;
  if (a && !div && b.getType() == value.getType() && takeScalar(a, factor, false))
    return b;
  return {};
}

//===----------------------------------------------------------------------===//
// Step 1: from the weights to the softmax
//===----------------------------------------------------------------------===//

static bool findSoftmax(Value weights, StringAttr key, Attention &found) {
  if (!weights.hasOneUse())
    return false;
  if (auto softmax = weights.getDefiningOp<SoftmaxOp>()) {
    found.softmax = softmax;
    if (softmax.getMask())
      found.masks.push_back({softmax.getMask(), true});
    return softmax.getAxisAttr() == key;
  }
  if (Value rest = withoutScalar(weights, found.keepScale))
    return findSoftmax(rest, key, found);
  if (auto select = weights.getDefiningOp<SelectOp>()) {
    bool keepsFirst = knownNumber(select.getB()) == 0.0;
    if (!keepsFirst && knownNumber(select.getA()) != 0.0)
      return false;
    found.keepMasks.push_back({select.getMask(), keepsFirst});
    return findSoftmax(keepsFirst ? select.getA() : select.getB(), key, found);
  }
  auto mul = weights.getDefiningOp<MulOp>();
  if (!mul)
    return false;
  for (auto [rest, keep] : {std::pair(mul.getA(), mul.getB()), std::pair(mul.getB(), mul.getA())}) {
    Attention tried = found;
    tried.keeps.push_back(keep);
    if (findSoftmax(rest, key, tried)) {
      found = tried;
      return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Step 2: from the softmax to q k^T
//===----------------------------------------------------------------------===//

/// Whether a number, after the factor, hides a score.
static bool hides(Value value, const Factor &factor) {
  std::optional<double> number = knownNumber(value);
  bool positive = factor.number > 0 && factor.times.empty() && factor.by.empty();
  return number && positive && *number * factor.number <= hidden;
}

/// A select between 0 and a large negative number, or a mask as numbers times one: [mask, whether
/// it shows].
static std::optional<std::pair<Value, bool>> additiveMask(Value value, const Factor &factor) {
  value = withoutBroadcast(value);
  if (auto select = value.getDefiningOp<SelectOp>()) {
    if (knownNumber(select.getA()) == 0.0 && hides(select.getB(), factor))
      return std::pair(select.getMask(), true);
    if (knownNumber(select.getB()) == 0.0 && hides(select.getA(), factor))
      return std::pair(select.getMask(), false);
    return std::nullopt;
  }
  auto mul = value.getDefiningOp<MulOp>();
  if (!mul || (!hides(mul.getA(), factor) && !hides(mul.getB(), factor)))
    return std::nullopt;
  Value number = withoutBroadcast(hides(mul.getA(), factor) ? mul.getB() : mul.getA());
  bool shows = false;
  if (auto sub = number.getDefiningOp<SubOp>(); sub && knownNumber(sub.getA()) == 1.0) {
    number = withoutBroadcast(sub.getB());
    shows = true;
  }
  auto cast = number.getDefiningOp<CastOp>();
  if (!cast || !tensorType(cast.getX()).getElementType().isInteger(1))
    return std::nullopt;
  return std::pair(cast.getX(), shows);
}

static bool findScores(Value scores, Attention &found);

/// scores + other or scores - other, where other is a mask or a bias.
static bool findScoresPlus(Value rest, Value other, double sign, Attention &found) {
  Attention tried = found;
  std::optional<std::pair<Value, bool>> mask =
      sign > 0 ? additiveMask(other, found.scale) : std::nullopt;
  if (mask)
    tried.masks.push_back(*mask);
  else
    tried.biases.push_back({other, sign, found.scale});
  if (!findScores(rest, tried))
    return false;
  found = tried;
  return true;
}

static bool findScores(Value scores, Attention &found) {
  if (!scores.hasOneUse())
    return false;
  if (auto contract = scores.getDefiningOp<ContractOp>()) {
    found.scoresOp = contract;
    return contract.getOver().size() == 1;
  }
  if (Value rest = withoutScalar(scores, found.scale))
    return findScores(rest, found);
  if (auto select = scores.getDefiningOp<SelectOp>()) {
    bool showsFirst = hides(select.getB(), found.scale);
    if (!showsFirst && !hides(select.getA(), found.scale))
      return false;
    found.masks.push_back({select.getMask(), showsFirst});
    return findScores(showsFirst ? select.getA() : select.getB(), found);
  }
  if (auto add = scores.getDefiningOp<AddOp>())
    return findScoresPlus(add.getA(), add.getB(), 1, found) ||
           findScoresPlus(add.getB(), add.getA(), 1, found);
  if (auto sub = scores.getDefiningOp<SubOp>())
    return findScoresPlus(sub.getA(), sub.getB(), -1, found);
  return false;
}

//===----------------------------------------------------------------------===//
// Steps 3 and 4: q and k, and the axes
//===----------------------------------------------------------------------===//

static bool findOperands(Attention &found) {
  found.depth = llvm::cast<StringAttr>(found.scoresOp.getOver()[0]);
  found.q = found.scoresOp.getA();
  found.k = found.scoresOp.getB();
  if (tensorType(found.q).has(found.key))
    std::swap(found.q, found.k);
  for (Value *operand : {&found.q, &found.k})
    while (Value rest = withoutScalar(*operand, found.scale))
      *operand = rest;
  return tensorType(found.k).has(found.key) && !tensorType(found.q).has(found.key);
}

/// The axes of `type` beside `own` and those that `other` has.
static unsigned countOwnAxes(NamedTensorType type, ArrayRef<StringAttr> known,
                             NamedTensorType other) {
  return llvm::count_if(type.getAxes(), [&](const Axis &axis) {
    return !llvm::is_contained(known, axis.name) && !other.has(axis.name);
  });
}

static bool isWithin(NamedTensorType type, NamedTensorType space) {
  return llvm::all_of(type.getAxes(), [&](const Axis &axis) { return space.has(axis.name); });
}

static bool axesFit(Attention &found, Value weights) {
  NamedTensorType q = tensorType(found.q), k = tensorType(found.k), v = tensorType(found.v);
  NamedTensorType scores = tensorType(found.scoresOp.getY());
  if (weights.getType() != scores) // something on the way brought in an axis
    return false;
  NamedTensorType shared = k.without({found.key, found.depth});
  if (countOwnAxes(q, {found.depth}, k) != 1) // one query axis
    return false;
  if (!isWithin(shared, v) || countOwnAxes(v, {found.key}, shared) != 1) // one value axis
    return false;
  for (const Axis &axis : v.getAxes()) // the value axis is none of the scores'
    if (axis.name != found.key && !shared.has(axis.name) && scores.has(axis.name))
      return false;
  return true;
}

static std::optional<Attention> find(ContractOp op) {
  if (op.getOver().size() != 1)
    return std::nullopt;
  for (auto [weights, v] : {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
    Attention found;
    found.v = v;
    found.key = llvm::cast<StringAttr>(op.getOver()[0]);
    if (findSoftmax(weights, found.key, found) && findScores(found.softmax.getX(), found) &&
        findOperands(found) && axesFit(found, weights))
      return found;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Step 5
//===----------------------------------------------------------------------===//

static Term scaled(Term x, const Factor &factor) {
  for (Value value : factor.times)
    x = x * x.at(value);
  for (Value value : factor.by)
    x = x / x.at(value);
  return factor.number == 1 ? x : x * factor.number;
}

/// All masks together; null if there is none.
static Value maskOf(Attention &found, OpBuilder &builder, Location location) {
  Value all;
  for (auto [mask, shows] : found.masks) {
    Value shown = shows ? mask : NotOp::create(builder, location, mask);
    all = all ? AndOp::create(builder, location, all, shown) : shown;
  }
  return all;
}

static Value biasOf(Attention &found, Term place) {
  std::optional<Term> all;
  for (const Attention::Bias &bias : found.biases) {
    Factor factor = bias.factor;
    factor.number *= bias.sign;
    Term term = scaled(place.at(bias.value), factor);
    all = all ? *all + term : term;
  }
  return all ? all->value : Value();
}

static Value keepOf(Attention &found, Term place) {
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

/// q, repeated along the axes that it does not share with k.
static Value queries(Attention &found, OpBuilder &builder, Location location) {
  NamedTensorType type = tensorType(found.q);
  for (const Axis &axis : tensorType(found.k).getAxes())
    if (axis.name != found.key && !type.has(axis.name))
      type = type.with(axis);
  if (type == found.q.getType())
    return found.q;
  return BroadcastOp::create(builder, location, found.q, type);
}

static void build(ContractOp op, Attention &found) {
  OpBuilder builder(op);
  Factor symbolic = found.scale; // what is not a number is applied to q
  symbolic.number = 1;
  Term q = scaled(Term(builder, op.getLoc(), queries(found, builder, op.getLoc())), symbolic);
  auto attention = AttentionOp::create(builder, op.getLoc(), q, found.k, found.v, biasOf(found, q),
                                       maskOf(found, builder, op.getLoc()), keepOf(found, q),
                                       found.depth, found.key, llvm::APFloat(found.scale.number));
  Value weights = found.v == op.getA() ? op.getB() : op.getA();
  op.getY().replaceAllUsesWith(attention.getOutput());
  op.erase();
  passes::eraseUnused(weights);
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
      for (ContractOp op : llvm::make_early_inc_range(function.getOps<ContractOp>()))
        if (std::optional<Attention> found = find(op))
          build(op, *found);
  }
};
} // namespace

std::unique_ptr<Pass> passes::createRecognizeAttention() {
  return std::make_unique<RecognizeAttention>();
}
