#include "codegen/halide/schedules/AttentionMask.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// How a comparison reads that holds where this one does not.
static StringRef opposite(StringRef predicate) {
  return llvm::StringSwitch<StringRef>(predicate)
      .Case("le", "gt")
      .Case("lt", "ge")
      .Case("ge", "lt")
      .Case("gt", "le")
      .Default("");
}

/// How a comparison reads with its sides swapped.
static StringRef swapped(StringRef predicate) {
  return llvm::StringSwitch<StringRef>(predicate)
      .Case("le", "ge")
      .Case("lt", "gt")
      .Case("ge", "le")
      .Case("gt", "lt")
      .Default(predicate);
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

/// Places are far from the end of i32, and so are sums with numbers up to this one.
static constexpr int64_t largest = 1 << 30;

namespace {
/// keys * key + queries * query + constant
struct Linear {
  int64_t keys = 0, queries = 0, constant = 0;
  ir::SizeAttr size; // of the axes that are counted; null: none is
};
} // namespace

/// a + sign * b; nothing where they count along axes of different sizes.
static std::optional<Linear> sum(const Linear &a, const Linear &b, int64_t sign) {
  if (a.size && b.size && a.size != b.size)
    return std::nullopt;
  return Linear{a.keys + sign * b.keys, a.queries + sign * b.queries,
                a.constant + sign * b.constant, a.size ? a.size : b.size};
}

/// A whole number as a function of the places of key and query.
static std::optional<Linear> linearOf(Value value, const AttentionAxes &axes) {
  Operation *op = value.getDefiningOp();
  if (auto broadcast = llvm::dyn_cast_or_null<ir::BroadcastOp>(op))
    return linearOf(broadcast.getX(), axes);
  if (auto iota = llvm::dyn_cast_or_null<ir::IotaOp>(op)) {
    bool isKey = iota.getAxis() == axes.key, isQuery = iota.getAxis() == axes.query;
    if (!isKey && !isQuery)
      return std::nullopt;
    return Linear{isKey, isQuery, 0, iota.getSize()};
  }
  if (auto constant = llvm::dyn_cast_or_null<ir::ConstantOp>(op)) {
    auto number = llvm::dyn_cast<IntegerAttr>(constant.getValue());
    bool isNear = number && number.getType().isInteger(32) && std::abs(number.getInt()) <= largest;
    return isNear ? std::optional(Linear{.constant = number.getInt()}) : std::nullopt;
  }
  if (!llvm::isa_and_nonnull<ir::AddOp, ir::SubOp>(op))
    return std::nullopt;
  std::optional<Linear> a = linearOf(op->getOperand(0), axes),
                        b = linearOf(op->getOperand(1), axes);
  if (!a || !b)
    return std::nullopt;
  std::optional<Linear> both = sum(*a, *b, llvm::isa<ir::AddOp>(op) ? 1 : -1);
  return both && std::abs(both->constant) <= largest ? both : std::nullopt;
}

/// Bounds of distance where distance + offset stands to 0 as the predicate says.
static ShownDistances boundsOf(StringRef predicate, int64_t offset) {
  return llvm::StringSwitch<ShownDistances>(predicate)
      .Case("ge", {-offset, std::nullopt})
      .Case("gt", {1 - offset, std::nullopt})
      .Case("le", {std::nullopt, -offset})
      .Case("lt", {std::nullopt, -offset - 1})
      .Case("eq", {-offset, -offset})
      .Default({});
}

ShownDistances codegen::shownDistances(Value mask, const AttentionAxes &axes) {
  if (auto broadcast = mask.getDefiningOp<ir::BroadcastOp>())
    return shownDistances(broadcast.getX(), axes);
  if (auto both = mask.getDefiningOp<ir::AndOp>()) {
    ShownDistances a = shownDistances(both.getA(), axes), b = shownDistances(both.getB(), axes);
    return {std::max(a.least, b.least), // nothing is less than any number
            a.most && b.most ? std::min(a.most, b.most) : std::max(a.most, b.most)};
  }
  auto negation = mask.getDefiningOp<ir::NotOp>();
  auto compare = (negation ? negation.getX() : mask).getDefiningOp<ir::CompareOp>();
  if (!compare)
    return {};
  std::optional<Linear> a = linearOf(compare.getA(), axes), b = linearOf(compare.getB(), axes),
                        difference = a && b ? sum(*a, *b, -1) : std::nullopt;
  if (!difference || std::abs(difference->constant) > largest || std::abs(difference->keys) != 1 ||
      difference->queries != -difference->keys)
    return {};
  StringRef predicate = negation ? opposite(compare.getPredicate()) : compare.getPredicate();
  if (difference->queries == 1)
    return boundsOf(predicate, difference->constant);
  return boundsOf(swapped(predicate), -difference->constant);
}

//===----------------------------------------------------------------------===//
// Prefixes
//===----------------------------------------------------------------------===//

/// `negated`: of what the mask is the negation of.
static std::optional<PlannedPrefix> prefixOf(Value mask, const AttentionAxes &axes, bool negated) {
  if (auto broadcast = mask.getDefiningOp<ir::BroadcastOp>())
    return prefixOf(broadcast.getX(), axes, negated);
  if (auto negation = mask.getDefiningOp<ir::NotOp>())
    return prefixOf(negation.getX(), axes, !negated);
  if (auto both = mask.getDefiningOp<ir::AndOp>(); both && !negated) {
    auto first = prefixOf(both.getA(), axes, false);
    return first ? first : prefixOf(both.getB(), axes, false);
  }
  auto compare = mask.getDefiningOp<ir::CompareOp>();
  if (!compare)
    return std::nullopt;
  Value place = compare.getA(), end = compare.getB();
  StringRef predicate = negated ? opposite(compare.getPredicate()) : compare.getPredicate();
  if (predicate == "ge" || predicate == "gt") {
    std::swap(place, end);
    predicate = swapped(predicate);
  }
  if (predicate != "le" && predicate != "lt")
    return std::nullopt;
  auto index = place.getDefiningOp<ir::IotaOp>();
  auto input = llvm::dyn_cast<BlockArgument>(end);
  bool isOne = input && llvm::all_of(ir::tensorType(end).getAxes(), [&](const ir::Axis &axis) {
                 return llvm::is_contained(axes.shared, axis.name.str());
               });
  if (!index || index.getAxis() != axes.key || !isOne)
    return std::nullopt;
  return PlannedPrefix{axes.key, input.getArgNumber(), predicate == "le"};
}

std::optional<PlannedPrefix> codegen::shownPrefix(Value mask, const AttentionAxes &axes) {
  return prefixOf(mask, axes, /*negated=*/false);
}
