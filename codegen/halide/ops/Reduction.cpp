// Contractions and reductions over axes. Sums of bf16 are accumulated in f32.

#include "codegen/halide/Math.h"
#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Lowering.h"
#include "codegen/halide/ops/Packing.h"
#include "codegen/halide/ops/Rows.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;

namespace {
/// Where a reduction begins: for numbers of bf16, which are accumulated in f32, in their own range.
Expr firstOf(StringRef kind, ir::NamedTensorType type) {
  Expr zero = zeroOf(type);
  if (kind == "sum")
    return zero;
  if (!zero.type().is_float())
    return kind == "max" ? zero.type().min() : zero.type().max();
  double lowest = lowestFinite(halideType(type.getElementType()));
  return Halide::Internal::make_const(zero.type(), kind == "max" ? lowest : -lowest);
}

SmallVector<StringRef> namesIn(ArrayAttr list) {
  return llvm::map_to_vector(list.getAsRange<StringAttr>(),
                             [](StringAttr n) { return n.getValue(); });
}

void lower(ir::ContractOp op, LoweredRegion &region) {
  auto type = ir::tensorType(op.getY());
  Halide::RDom domain = domainOfProducts(op, region);
  auto [leftAt, rightAt] = contractionOperands(op, region);
  auto factor = [&](const Expr &x) { return widened(op.getFactors() ? roundedFactor(x) : x); };
  const MatrixPlan *plan = planOf(op, region);
  int32_t parts = plan ? plan->parts : 1;
  std::vector<AxisList> dimensions = region.dimensionsOf(type);
  if (parts > 1)
    dimensions.push_back({partOfSum.str()});
  Stage &sum = region.reduce(op, roles::productSum, dimensions, {zeroOf(type)}, domain,
                             [&](const Stage &self, const Coordinates &c) -> std::vector<Expr> {
                               Coordinates k = walkProducts(c, op, domain, region);
                               return {self.at(c) +
                                       overDomain(factor(leftAt(k)) * factor(rightAt(k)), domain)};
                             });
  // Many sums side by side are more exact than one, and faster; register tiles have theirs.
  SmallVector<StringRef> over = namesIn(op.getOver());
  auto walks = [&](Value x) { return walksInnermost(ir::tensorType(x), over, region); };
  sum.alongRows = !plan && walks(op.getA()) && walks(op.getB());
  if (parts == 1)
    return region.bind(op.getY(), sum);
  region.define(op.getY(), [&](const Coordinates &c) {
    Expr all = sum.at(c.with(partOfSum, 0));
    for (int32_t part = 1; part < parts; ++part)
      all = all + sum.at(c.with(partOfSum, part));
    return all;
  });
}

void lower(ir::ReduceOp op, LoweredRegion &region) {
  SmallVector<StringRef> over = namesIn(op.getOver());
  auto input = ir::tensorType(op.getX()), type = ir::tensorType(op.getY());
  Halide::RDom domain = region.domainOver(input, over);
  Expr initial = firstOf(op.getKind(), type);
  Stage &stage = region.reduce(
      op, "reduced", type, {initial}, domain,
      [&](const Stage &self, const Coordinates &c) -> std::vector<Expr> {
        Expr x =
            overDomain(widened(region.at(op.getX(), region.walk(c, input, over, domain))), domain);
        if (op.getKind() == "sum")
          return {self.at(c) + x};
        return {op.getKind() == "max" ? Halide::max(self.at(c), x) : Halide::min(self.at(c), x)};
      });
  stage.alongRows = walksInnermost(input, over, region);
  region.bind(op.getY(), stage);
}

void lower(ir::ArgmaxOp op, LoweredRegion &region) {
  auto input = ir::tensorType(op.getX()), type = ir::tensorType(op.getY());
  Halide::RDom domain = region.domainOver(input, {op.getAxis()});
  Stage &best = region.reduce(op, "largest", type, {Expr(0), firstOf("max", input)}, domain,
                              [&](const Stage &self, const Coordinates &c) -> std::vector<Expr> {
                                Coordinates k = region.walk(c, input, {op.getAxis()}, domain);
                                Expr x = widened(region.at(op.getX(), k));
                                Expr larger = x > self.at(c, 1);
                                return {Halide::select(larger, k[op.getAxis()], self.at(c, 0)),
                                        Halide::select(larger, x, self.at(c, 1))};
                              });
  region.define(op.getY(), [&best](const Coordinates &c) { return best.at(c, 0); });
}
} // namespace

bool codegen::lowerReduction(Operation *op, LoweredRegion &region) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ir::ContractOp, ir::ReduceOp, ir::ArgmaxOp>([&](auto matched) {
        lower(matched, region);
        return true;
      })
      .Default(false);
}
