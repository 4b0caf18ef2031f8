#include "codegen/halide/ops/Rows.h"

#include "codegen/halide/Math.h"

#include <limits>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;

Expr codegen::floatAt(Value value, const Coordinates &coordinates, LoweredRegion &region) {
  return widened(region.at(value, coordinates));
}

Expr codegen::zeroOf(ir::NamedTensorType type) {
  Halide::Type elements = halideType(type.getElementType());
  return Halide::cast(elements.is_bfloat() ? Halide::Float(32) : elements, 0);
}

Expr codegen::widened(const Expr &x) { return x.type().is_bfloat() ? Halide::cast<float>(x) : x; }

bool codegen::walksInnermost(ir::NamedTensorType type, ArrayRef<StringRef> axes,
                             LoweredRegion &region) {
  auto dimensions = region.dimensionsOf(type);
  return !dimensions.empty() && llvm::is_contained(axes, StringRef(dimensions.front().front()));
}

/// What an expression was before it was widened from bf16, or undefined.
static Expr beforeWidening(const Expr &x) {
  const auto *cast = x.as<Halide::Internal::Cast>();
  return cast && cast->value.type() == Halide::BFloat(16) ? cast->value : Expr();
}

Expr codegen::roundedFactor(const Expr &x) {
  Expr narrow = beforeWidening(x);
  return narrow.defined() ? narrow : Halide::cast(Halide::BFloat(16), x);
}

Expr codegen::roundedFactor(const Expr &x, const Expr &inside) {
  Expr narrow = beforeWidening(x), element = narrow.defined() ? narrow : x;
  return Halide::cast(Halide::BFloat(16),
                      Halide::select(inside, element, Halide::cast(element.type(), 0)));
}

bool codegen::isRounded(const Expr &x) { return beforeWidening(x).defined(); }

double codegen::lowestFinite(Halide::Type type) {
  if (type.is_bfloat())
    return -0x1.fep127;
  return type.bits() == 64 ? std::numeric_limits<double>::lowest()
                           : std::numeric_limits<float>::lowest();
}

Expr codegen::overDomain(const Expr &element, const Halide::RDom &domain) {
  if (domain.dimensions() == 0)
    return element;
  for (int k = 0; k < domain.dimensions(); ++k)
    if (Halide::Internal::expr_uses_var(element, domain[k].name()))
      return element;
  return Halide::select(domain[0] >= 0, element, element);
}

static ir::NamedTensorType without(ir::NamedTensorType type, ArrayRef<StringRef> axes) {
  return type.without(llvm::map_to_vector(
      axes, [&](StringRef name) { return StringAttr::get(type.getContext(), name); }));
}

Stage &codegen::sumOver(Operation *op, StringRef role, ir::NamedTensorType type,
                        ArrayRef<StringRef> axes, LoweredRegion &region,
                        const LoweredRegion::Definition &element) {
  Halide::RDom domain = region.domainOver(type, axes);
  Halide::Type elements = type.getElementType().isF64() ? Halide::Float(64) : Halide::Float(32);
  Stage &stage = region.reduce(
      op, role, without(type, axes), {Halide::cast(elements, 0)}, domain,
      [&](const Stage &self, const Coordinates &c) -> std::vector<Expr> {
        return {self.at(c) + overDomain(element(region.walk(c, type, axes, domain)), domain)};
      });
  stage.alongRows = walksInnermost(type, axes, region);
  return stage;
}

Stage &codegen::maximumOver(Operation *op, StringRef role, ir::NamedTensorType type,
                            ArrayRef<StringRef> axes, LoweredRegion &region,
                            const LoweredRegion::Definition &element) {
  Halide::RDom domain = region.domainOver(type, axes);
  Halide::Type elements = type.getElementType().isF64() ? Halide::Float(64) : Halide::Float(32);
  Stage &stage = region.reduce(
      op, role, without(type, axes),
      {Halide::Internal::make_const(elements, lowestFinite(elements))}, domain,
      [&](const Stage &self, const Coordinates &c) -> std::vector<Expr> {
        return {Halide::max(self.at(c),
                            overDomain(element(region.walk(c, type, axes, domain)), domain))};
      });
  stage.alongRows = walksInnermost(type, axes, region);
  return stage;
}
