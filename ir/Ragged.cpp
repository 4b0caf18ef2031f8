#include "ir/Ragged.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace axloom::ir;

static constexpr llvm::StringLiteral totalPrefix = "total.", longestPrefix = "longest.";

bool RaggedPart::has(StringAttr axis) const {
  return axis == partner || llvm::any_of(axes, [&](const Axis &a) { return a.name == axis; });
}

SizeAttr RaggedPart::total() const {
  SmallVector<std::string> factors;
  for (const Axis &axis : axes)
    for (StringAttr symbol : axis.size().getSymbols())
      factors.push_back(symbol.str());
  return SizeAttr::symbol(partner.getContext(), totalSymbol(factors));
}

std::optional<RaggedPart> axloom::ir::raggedPart(NamedTensorType type) {
  RaggedPart part;
  for (const Axis &axis : type.getAxes())
    if (StringAttr partner = axis.size().getRaggedOver()) {
      part.partner = partner;
      part.axes.push_back(axis);
    }
  return part.partner ? std::optional(part) : std::nullopt;
}

std::string axloom::ir::totalSymbol(ArrayRef<std::string> factors) {
  SmallVector<std::string> names(factors);
  llvm::sort(names);
  return totalPrefix.str() + llvm::join(names, ".");
}

SmallVector<StringRef> axloom::ir::factorsOfTotal(StringRef symbol) {
  SmallVector<StringRef> factors;
  if (symbol.consume_front(totalPrefix))
    symbol.split(factors, '.');
  return factors;
}

std::string axloom::ir::longestSymbol(StringRef symbol) { return (longestPrefix + symbol).str(); }

StringRef axloom::ir::ofLongest(StringRef symbol) {
  return symbol.consume_front(longestPrefix) ? symbol : StringRef();
}

SmallVector<StringAttr> axloom::ir::raggedFirst(ArrayRef<StringAttr> order, NamedTensorType type) {
  std::optional<RaggedPart> part = raggedPart(type);
  SmallVector<StringAttr> sorted(order);
  if (part)
    llvm::stable_sort(sorted, [&](StringAttr a, StringAttr b) {
      auto rank = [&](StringAttr axis) {
        return axis == part->partner ? 0 : part->has(axis) ? 1 : 2;
      };
      return rank(a) < rank(b);
    });
  return sorted;
}

SmallVector<SizeAttr> axloom::ir::memorySizes(NamedTensorType type, ArrayRef<StringAttr> order) {
  std::optional<RaggedPart> part = raggedPart(type);
  SmallVector<SizeAttr> sizes;
  if (part)
    sizes.push_back(part->total());
  for (StringAttr axis : order)
    if (!part || !part->has(axis))
      sizes.push_back(type.sizeOf(axis.getValue()));
  return sizes;
}

SizeAttr axloom::ir::elementCount(NamedTensorType type) {
  SmallVector<StringAttr> order =
      llvm::map_to_vector(type.getAxes(), [](const Axis &axis) { return axis.name; });
  SizeAttr count = SizeAttr::fixed(type.getContext(), 1);
  for (SizeAttr size : memorySizes(type, order))
    count = count.times(size);
  return count;
}
