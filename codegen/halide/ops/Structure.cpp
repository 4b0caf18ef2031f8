// Ops that give axes another name or structure: arithmetic on coordinates, no function of their
// own.

#include "codegen/halide/ops/Lowering.h"
#include "ir/Parts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;

namespace {
StringRef nameAt(ArrayAttr list, unsigned index) {
  return llvm::cast<StringAttr>(list[index]).getValue();
}

Expr constantOf(Type type, double value) { return Halide::cast(halideType(type), Expr(value)); }

void lower(ir::RenameOp op, LoweredRegion &region) {
  region.defineView(op.getY(), [=, &region](const Coordinates &c) mutable {
    // Where a loop advances one axis only, the same index is another distance from the chunk's
    // start.
    return region.at(op.getX(), c.withLogical(op.getFrom(), c.logical(op.getTo())));
  });
}

// y: [.., outer, inner]; x: [.., outer * innerSize + inner]
void lower(ir::SplitOp op, LoweredRegion &region) {
  Expr inner = region.sizeOf(op.getInner());
  region.defineView(op.getY(), [=, &region](const Coordinates &c) mutable {
    Expr index = c.merged(nameAt(op.getInto(), 0), nameAt(op.getInto(), 1), inner);
    return region.at(op.getX(), c.with(op.getAxis(), index));
  });
}

void lower(ir::MergeOp op, LoweredRegion &region) {
  StringRef outerName = nameAt(op.getAxes(), 0), innerName = nameAt(op.getAxes(), 1);
  Expr inner = region.sizeOf(op.getX(), innerName);
  region.defineView(op.getY(), [=, &region](const Coordinates &c) mutable {
    return region.at(op.getX(), c.withMerged(outerName, innerName, inner, c[op.getInto()]));
  });
}

void lower(ir::BroadcastOp op, LoweredRegion &region) {
  region.defineView(op.getY(),
                    [=, &region](const Coordinates &c) mutable { return region.at(op.getX(), c); });
}

void lower(ir::SliceOp op, LoweredRegion &region) {
  region.defineView(op.getY(), [=, &region](const Coordinates &c) mutable {
    return region.at(op.getX(), c.with(op.getAxis(), c[op.getAxis()] + int32_t(op.getStart())));
  });
}

/// x at `index` along an axis where that is inside, `value` elsewhere.
Expr guarded(Value x, StringRef axis, Expr index, double value, LoweredRegion &region,
             const Coordinates &c) {
  Expr size = region.sizeOf(x, axis);
  Expr inside = index >= 0 && index < size;
  Expr element = region.at(x, c.with(axis, Halide::clamp(index, 0, size - 1)));
  return Halide::select(inside, element, constantOf(ir::tensorType(x).getElementType(), value));
}

// Each operand is read at its own index, clamped; the last one that has begun is taken. Of concats
// behind each other the expression doubles with each, so that some have a function of their own.
void lower(ir::ConcatOp op, LoweredRegion &region) {
  auto element = [=, &region](const Coordinates &c) mutable {
    Expr element;
    int32_t start = 0;
    for (Value x : op.getXs()) {
      int32_t size = int32_t(ir::tensorType(x).sizeOf(op.getAxis()).getFactor());
      Expr index = c.logical(op.getAxis()) - start;
      Expr own = region.at(x, c.withLogical(op.getAxis(), Halide::clamp(index, 0, size - 1)));
      element = element.defined() ? Halide::select(index >= 0, own, element) : own;
      start += size;
    }
    return element;
  };
  if (ir::readsManyParts(op))
    region.define(op.getY(), element);
  else
    region.defineView(op.getY(), element);
}

void lower(ir::PadOp op, LoweredRegion &region) {
  region.defineView(op.getY(), [=, &region](const Coordinates &c) mutable {
    return guarded(op.getX(), op.getAxis(), c[op.getAxis()] - int32_t(op.getLow()),
                   op.getValue().convertToDouble(), region, c);
  });
}

void lower(ir::ShiftOp op, LoweredRegion &region) {
  region.defineView(op.getY(), [=, &region](const Coordinates &c) mutable {
    return guarded(op.getX(), op.getAxis(), c[op.getAxis()] - int32_t(op.getBy()),
                   op.getValue().convertToDouble(), region, c);
  });
}

void lower(ir::IotaOp op, LoweredRegion &region) {
  region.defineView(op.getY(),
                    [=](const Coordinates &c) mutable { return c.logical(op.getAxis()); });
}

void lower(ir::ConstantOp op, LoweredRegion &region) {
  Halide::Type type = halideType(ir::tensorType(op.getY()).getElementType());
  Expr value;
  if (auto number = llvm::dyn_cast<FloatAttr>(op.getValue()))
    value = Halide::cast(type, Expr(number.getValueAsDouble()));
  else
    value = Halide::cast(
        type, Expr(int32_t(llvm::cast<IntegerAttr>(op.getValue()).getValue().getSExtValue())));
  region.defineView(op.getY(), [=](const Coordinates &) mutable { return value; });
}

void lower(ir::SizeOfOp op, LoweredRegion &region) {
  Halide::Type type = halideType(ir::tensorType(op.getY()).getElementType());
  // Products of sizes may have more than 32 bits: no tensor has to have them all as axes.
  Expr value = Halide::cast(type, region.sizeOf(op.getSize(), Halide::Int(64)));
  region.defineView(op.getY(), [=](const Coordinates &) mutable { return value; });
}
} // namespace

bool codegen::lowerStructure(Operation *op, LoweredRegion &region) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ir::RenameOp, ir::SplitOp, ir::MergeOp, ir::BroadcastOp, ir::SliceOp, ir::ConcatOp,
            ir::PadOp, ir::ShiftOp, ir::IotaOp, ir::ConstantOp, ir::SizeOfOp>([&](auto matched) {
        lower(matched, region);
        return true;
      })
      .Default(false);
}
