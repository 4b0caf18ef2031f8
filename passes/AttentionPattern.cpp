#include "passes/AttentionPattern.h"

#include "ir/Differentiated.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

/// What users add to scores to hide them is at most this; exp of it is 0 in every float type.
static constexpr double hidden = -1e4;

static Value withoutBroadcast(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  return broadcast && !isDifferentiated(value) ? withoutBroadcast(broadcast.getX()) : value;
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
  if (isDifferentiated(value))
    return {};
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

static bool findSoftmax(Value weights, StringAttr key, AttentionPattern &found) {
  if (auto softmax = weights.getDefiningOp<SoftmaxOp>()) {
    found.softmax = softmax;
    if (softmax.getMask())
      found.masks.push_back({softmax.getMask(), true});
    if (softmax.getAxisAttr() != key)
      return found.refuse("its weights are contracted over '" + key.getValue() +
                          "', not over its own axis '" + softmax.getAxis() + "'");
    return weights.hasOneUse() ||
           found.refuse("its weights are used more than once: " + usersOf(weights));
  }
  if (!weights.hasOneUse())
    return false;
  if (Value rest = withoutScalar(weights, found.keepScale))
    return findSoftmax(rest, key, found);
  if (auto select = weights.getDefiningOp<SelectOp>()) {
    bool keepsFirst = isKnown(select.getB(), 0.0);
    if (!keepsFirst && !isKnown(select.getA(), 0.0))
      return false;
    found.keepMasks.push_back({select.getMask(), keepsFirst});
    return findSoftmax(keepsFirst ? select.getA() : select.getB(), key, found);
  }
  auto mul = weights.getDefiningOp<MulOp>();
  if (!mul)
    return false;
  for (auto [rest, keep] : {std::pair(mul.getA(), mul.getB()), std::pair(mul.getB(), mul.getA())}) {
    AttentionPattern tried = found;
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

namespace {
/// A mask that is added to scores, perhaps together with a bias.
struct AddedMask {
  Value mask;
  bool shows; // or hides, where it holds
  Value bias; // null: none
};
} // namespace

/// A select between numbers and a large negative one, or a mask as numbers times one. What a
/// gradient is asked for is a bias.
static std::optional<AddedMask> additiveMask(Value value, const Factor &factor) {
  value = withoutBroadcast(value);
  if (isDifferentiated(value))
    return std::nullopt;
  if (auto select = value.getDefiningOp<SelectOp>()) {
    auto biasOf = [](Value shown) { return isKnown(shown, 0.0) ? Value() : shown; };
    if (hides(select.getB(), factor))
      return AddedMask{select.getMask(), true, biasOf(select.getA())};
    if (hides(select.getA(), factor))
      return AddedMask{select.getMask(), false, biasOf(select.getB())};
    return std::nullopt;
  }
  auto mul = value.getDefiningOp<MulOp>();
  if (!mul || (!hides(mul.getA(), factor) && !hides(mul.getB(), factor)))
    return std::nullopt;
  Value number = withoutBroadcast(hides(mul.getA(), factor) ? mul.getB() : mul.getA());
  if (isDifferentiated(number))
    return std::nullopt;
  bool shows = false;
  if (auto sub = number.getDefiningOp<SubOp>(); sub && isKnown(sub.getA(), 1.0)) {
    number = withoutBroadcast(sub.getB());
    shows = true;
  }
  if (isDifferentiated(number))
    return std::nullopt;
  auto cast = number.getDefiningOp<CastOp>();
  if (!cast || !tensorType(cast.getX()).getElementType().isInteger(1))
    return std::nullopt;
  return AddedMask{cast.getX(), shows, Value()};
}

static bool findScores(Value scores, AttentionPattern &found);
static bool findOperands(AttentionPattern &found);
static bool axesFit(AttentionPattern &found);

/// scores + other or scores - other, where other is a mask or a bias.
static bool findScoresPlus(Value rest, Value other, double sign, AttentionPattern &found) {
  AttentionPattern tried = found;
  std::optional<AddedMask> mask = sign > 0 ? additiveMask(other, found.scale) : std::nullopt;
  if (mask)
    tried.masks.push_back({mask->mask, mask->shows});
  if (Value bias = mask ? mask->bias : other)
    tried.biases.push_back({bias, sign, found.scale});
  if (!findScores(rest, tried))
    return false;
  found = tried;
  return true;
}

static bool findScores(Value scores, AttentionPattern &found) {
  ++found.steps;
  if (!scores.hasOneUse())
    return found.refuse("its scores are used more than once: " + usersOf(scores));
  if (auto contract = scores.getDefiningOp<ContractOp>()) {
    found.scoresOp = contract;
    if (contract.getOver().size() != 1)
      return found.refuse(nameOf(contract) + ", its scores, sums over " +
                          Twine(contract.getOver().size()) + " axes, expected one");
    ++found.steps;                                // farther than what ends before a product
    return findOperands(found) && axesFit(found); // or it is a bias, and another one the scores
  }
  if (Value rest = withoutScalar(scores, found.scale))
    return findScores(rest, found);
  if (auto select = scores.getDefiningOp<SelectOp>()) {
    bool showsFirst = hides(select.getB(), found.scale);
    if (!showsFirst && !hides(select.getA(), found.scale))
      return found.refuse(nameOf(select) + " hides scores with no number of " +
                          Twine(int64_t(hidden)) + " or less");
    found.masks.push_back({select.getMask(), showsFirst});
    return findScores(showsFirst ? select.getA() : select.getB(), found);
  }
  if (auto add = scores.getDefiningOp<AddOp>())
    return findScoresPlus(add.getA(), add.getB(), 1, found) ||
           findScoresPlus(add.getB(), add.getA(), 1, found);
  if (auto sub = scores.getDefiningOp<SubOp>())
    return findScoresPlus(sub.getA(), sub.getB(), -1, found);
  Operation *other = scores.getDefiningOp();
  return found.refuse("its scores come of " + (other ? nameOf(other) : "an argument") +
                      ", not of a product of queries and keys through scales, masks and biases");
}

//===----------------------------------------------------------------------===//
// Steps 3 and 4: q and k, and the axes
//===----------------------------------------------------------------------===//

static bool findOperands(AttentionPattern &found) {
  if (tensorType(found.scoresOp.getY()).getElementType().isF64())
    return found.refuse("its scores are f64, expected f32 or bf16");
  found.depth = llvm::cast<StringAttr>(found.scoresOp.getOver()[0]);
  found.q = found.scoresOp.getA();
  found.k = found.scoresOp.getB();
  if (tensorType(found.q).has(found.key))
    std::swap(found.q, found.k);
  for (Value *operand : {&found.q, &found.k})
    while (Value rest = withoutScalar(*operand, found.scale))
      *operand = rest;
  bool fits = tensorType(found.k).has(found.key) && !tensorType(found.q).has(found.key);
  return fits || found.refuse("both factors of its scores have axis '" + found.key.getValue() +
                              "', expected queries without it");
}

/// The axes of `type` beside `known` and those that `other` has.
static SmallVector<Axis> ownAxes(NamedTensorType type, ArrayRef<StringAttr> known,
                                 NamedTensorType other) {
  return llvm::filter_to_vector(type.getAxes(), [&](const Axis &axis) {
    return !llvm::is_contained(known, axis.name) && !other.has(axis.name);
  });
}

/// Loops of a kernel: over the shared axes and over queries (AXL_MAX_LOOPS).
static constexpr size_t mostLoops = 4;

static bool isInMaskOrBias(const Axis &axis, const AttentionPattern &found) {
  auto knows = [&](Value value) { return tensorType(value).has(axis.name); };
  return llvm::any_of(llvm::make_first_range(found.masks), knows) ||
         llvm::any_of(found.biases, [&](const auto &bias) { return knows(bias.value); });
}

/// How likely an axis counts queries and not heads of a group: its size is a symbol, which that of
/// heads cannot be; masks and biases know it; or it is longer.
static auto rank(const Axis &axis, const AttentionPattern &found) {
  return std::tuple(!axis.size().isFixed(), isInMaskOrBias(axis, found), axis.size().getFactor());
}

/// Heads of a group that are a query each where nothing else counts queries. More of them are worth
/// a product with the keys, which goes along vectors of queries: of 1,000 keys of depth 64, 3 heads
/// on each of 3 take 0.16 ms as that and 0.05 as single queries (Zen 4); from 7 on it is even.
constexpr int64_t mostSingleQueries = 4;

static bool hasSingleQueries(const AttentionPattern &found) {
  if (found.groups.size() > 1 ||
      !found.scoresOp->getParentOfType<func::FuncOp>().getOps<GradientOp>().empty())
    return found.groups.empty();
  return llvm::all_of(found.groups, [&](const Axis &axis) {
    return axis.size().isFixed() && axis.size().getFactor() <= mostSingleQueries &&
           !isInMaskOrBias(axis, found);
  });
}

static bool isWithin(NamedTensorType type, NamedTensorType space) {
  return llvm::all_of(type.getAxes(), [&](const Axis &axis) { return space.has(axis.name); });
}

static bool axesFit(AttentionPattern &found) {
  NamedTensorType q = tensorType(found.q), k = tensorType(found.k), v = tensorType(found.v);
  NamedTensorType scores = tensorType(found.scoresOp.getY());
  if (found.weights.getType() != scores)
    return found.refuse("a mask, a bias or dropout brings in an axis that its scores lack");
  NamedTensorType shared = k.without({found.key, found.depth});
  found.groups = ownAxes(q, {found.depth}, k);
  found.hasOneQuery = hasSingleQueries(found);
  if (!found.hasOneQuery)
    found.groups.erase(llvm::max_element(found.groups, [&](const Axis &a, const Axis &b) {
      return rank(a, found) < rank(b, found);
    }));
  for (const Axis &group : found.groups)
    if (!group.size().isFixed()) // keys would be repeated as often as there are queries
      return found.refuse("its queries have several axes that its keys lack, of which '" +
                          group.name.getValue() + "' has no fixed size");
  if (!found.groups.empty() && shared.rank() + found.groups.size() + !found.hasOneQuery > mostLoops)
    return found.refuse("its heads are in groups along more axes than a kernel has loops");
  if (!isWithin(shared, v))
    return found.refuse("its keys have axes that its values lack");
  if (size_t own = ownAxes(v, {found.key}, shared).size(); own != 1)
    return found.refuse("its values have " + Twine(own) + " axes that its keys lack, expected one");
  for (const Axis &axis : v.getAxes())
    if (axis.name != found.key && !shared.has(axis.name) && scores.has(axis.name))
      return found.refuse("axis '" + axis.name.getValue() +
                          "' of its values is one of its scores too");
  return true;
}

std::optional<AttentionPattern> passes::findAttention(ContractOp op, Obstacle &obstacle) {
  if (op.getOver().size() != 1)
    return std::nullopt;
  for (auto [weights, v] : {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
    AttentionPattern found;
    found.obstacle = &obstacle;
    found.weights = weights;
    found.v = v;
    found.key = llvm::cast<StringAttr>(op.getOver()[0]);
    if (findSoftmax(weights, found.key, found) && findScores(found.softmax.getX(), found))
      return found;
  }
  return std::nullopt;
}
