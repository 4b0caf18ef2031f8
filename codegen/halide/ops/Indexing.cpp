// Ops that read or write at an index which is itself a tensor. Indices are clamped, and an update
// outside writes nothing, so a wrong one never leaves the tensor. Those that are arguments the
// runtime has refused before the call, but for an axis that is ragged (codegen/host/IndexLimits.h).

#include "codegen/halide/ops/Lowering.h"
#include "codegen/halide/ops/Rows.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;

namespace {
void lower(ir::GatherOp op, LoweredRegion &region) {
  region.define(op.getY(), [&](const Coordinates &c) {
    Expr size = region.sizeOf(op.getTable(), op.getAxis());
    Expr index = Halide::clamp(region.at(op.getIndices(), c), 0, size - 1);
    Expr element = region.at(op.getTable(), c.with(op.getAxis(), index));
    if (Halide::Internal::is_const(size) || region.plan.entries.empty())
      return element;
    // An entry without elements has no row 0, either. Unlike select, this reads one side alone.
    return Halide::Internal::Call::make(
        element.type(), Halide::Internal::Call::if_then_else,
        {size > 0, element, Halide::Internal::make_zero(element.type())},
        Halide::Internal::Call::PureIntrinsic);
  });
}

// y: shape; for each place of `indices` in the order of its coordinates: y[index] += x.
// The walked axes are those of x which y lacks; an axis that both have is walked together. Where a
// loop advances the axis, a block adds what falls into it.
void lower(ir::ScatterAddOp op, LoweredRegion &region) {
  auto shape = ir::tensorType(op.getY());
  auto added = ir::tensorType(op.getX());
  SmallVector<StringRef> walked;
  for (const ir::Axis &axis : added.getAxes())
    if (!shape.has(axis.name))
      walked.push_back(axis.name);
  Halide::RDom domain = region.domainOver(added, walked);
  Expr zero = zeroOf(shape);
  Expr size = region.sizeOf(op.getY(), op.getAxis());

  Stage &stage = region.part(op, "scattered", shape, [&](const Coordinates &) { return zero; });
  stage.domain = domain;
  Coordinates c = region.coordinatesOf(stage.dimensions, stage.variables);
  c = walked.empty() ? c : region.walk(c, added, walked, domain);
  Expr index = Halide::clamp(region.at(op.getIndices(), c), 0, size - 1);
  LoweredRegion::Row row = region.rowOf(stage, shape, op.getAxis(), index, c);
  Expr x = widened(region.at(op.getX(), c));
  // Halide has a condition for a walk alone, and asks it before it knows where a vector ends: it
  // must not read along an axis of the result.
  bool isOfWalk = llvm::none_of(ir::tensorType(op.getIndices()).getAxes(),
                                [&](const ir::Axis &axis) { return shape.has(axis.name); });
  if (domain.dimensions() > 0 && isOfWalk)
    domain.where(row.isInside);
  else
    x = Halide::select(row.isInside, x, zero);
  stage.func(row.places) += x;
  region.bind(op.getY(), stage);
}

void lower(ir::UpdateOp op, LoweredRegion &region) {
  region.define(op.getY(), [&](const Coordinates &c) {
    Expr here = c[op.getAxis()] == region.at(op.getIndex(), c);
    return Halide::select(here, region.at(op.getValue(), c), region.at(op.getX(), c));
  });
}
} // namespace

bool codegen::lowerIndexing(Operation *op, LoweredRegion &region) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ir::GatherOp, ir::ScatterAddOp, ir::UpdateOp>([&](auto matched) {
        lower(matched, region);
        return true;
      })
      .Default(false);
}
