#include "ir/Axes.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace axloom::ir;

InFlightDiagnostic axloom::ir::fail(MaybeLocation location, const Twine &message) {
  return location ? emitError(*location, message) : InFlightDiagnostic();
}

FailureOr<SizeAttr> axloom::ir::unify(MaybeLocation location, StringRef axis, SizeAttr a,
                                      StringRef aSide, SizeAttr b, StringRef bSide) {
  if (a == b || b.isUnknown())
    return a;
  if (a.isUnknown())
    return b;
  fail(location,
       "axis '" + axis + "' has size " + a.str() + " " + aSide + ", " + b.str() + " " + bSide);
  return failure();
}

FailureOr<SmallVector<Axis>> axloom::ir::unionOf(MaybeLocation location,
                                                 ArrayRef<NamedTensorType> operands,
                                                 ArrayRef<StringRef> sides) {
  SmallVector<Axis> all;
  SmallVector<StringRef> from; // the operand that each axis was first seen in
  for (auto [type, side] : llvm::zip_equal(operands, sides)) {
    for (const Axis &axis : type.getAxes()) {
      auto *known = llvm::find_if(all, [&](const Axis &a) { return a.name == axis.name; });
      if (known == all.end()) {
        all.push_back(axis);
        from.push_back(side);
        continue;
      }
      FailureOr<SizeAttr> size = unify(location, axis.name.getValue(), known->size(),
                                       from[known - all.begin()], axis.size(), side);
      if (failed(size))
        return failure();
      known->sizeAttr = *size;
    }
  }
  return all;
}

static void listAxes(InFlightDiagnostic &diagnostic, NamedTensorType type) {
  diagnostic << "[";
  llvm::interleaveComma(type.getAxes(), diagnostic,
                        [&](const Axis &axis) { diagnostic << axis.name.getValue(); });
  diagnostic << "]";
}

FailureOr<SizeAttr> axloom::ir::requireAxis(MaybeLocation location, StringRef axis,
                                            NamedTensorType type, StringRef side) {
  if (SizeAttr size = type.sizeOf(axis))
    return size;
  InFlightDiagnostic diagnostic =
      fail(location, "the " + side + " has no axis '" + axis + "'; it has ");
  listAxes(diagnostic, type);
  return failure();
}

LogicalResult axloom::ir::requireNoAxis(MaybeLocation location, StringRef axis,
                                        NamedTensorType type, StringRef side) {
  if (!type.has(axis))
    return success();
  InFlightDiagnostic diagnostic =
      fail(location, "the " + side + " has an axis '" + axis + "' already; it has ");
  listAxes(diagnostic, type);
  return failure();
}

LogicalResult axloom::ir::requireWithin(MaybeLocation location, NamedTensorType type,
                                        StringRef side, NamedTensorType space,
                                        StringRef spaceSide) {
  for (const Axis &axis : type.getAxes()) {
    FailureOr<SizeAttr> size = requireAxis(location, axis.name.getValue(), space, spaceSide);
    if (failed(size) ||
        failed(unify(location, axis.name.getValue(), axis.size(), ("in the " + side).str(), *size,
                     ("in the " + spaceSide).str())))
      return failure();
  }
  return success();
}

LogicalResult axloom::ir::requirePartners(MaybeLocation location, ArrayRef<Axis> axes) {
  for (const Axis &axis : axes) {
    StringAttr over = axis.size().getRaggedOver();
    if (over && llvm::none_of(axes, [&](const Axis &other) { return other.name == over; }))
      return fail(location, "axis '" + axis.name.getValue() + "' is ragged over '" +
                                over.getValue() + "', which would be missing from the result");
  }
  return success();
}

FailureOr<NamedTensorType> axloom::ir::dropAxes(MaybeLocation location, NamedTensorType type,
                                                ArrayRef<StringAttr> names) {
  SmallVector<Axis> axes(type.getAxes());
  llvm::erase_if(axes, [&](const Axis &axis) { return llvm::is_contained(names, axis.name); });
  if (failed(requirePartners(location, axes)))
    return failure();
  return NamedTensorType::get(axes, type.getElementType());
}

bool axloom::ir::holdsWords(StringRef attribute) {
  return llvm::is_contained({"kind", "predicate", "anchor"}, attribute);
}

bool axloom::ir::compatible(TypeRange inferred, TypeRange declared) {
  if (inferred.size() != declared.size())
    return false;
  return llvm::all_of(llvm::zip_equal(inferred, declared), [](auto pair) {
    auto a = llvm::dyn_cast<NamedTensorType>(std::get<0>(pair));
    auto b = llvm::dyn_cast<NamedTensorType>(std::get<1>(pair));
    if (!a || !b || a.getElementType() != b.getElementType() || a.rank() != b.rank())
      return false;
    return llvm::all_of(llvm::zip_equal(a.getAxes(), b.getAxes()), [](auto axes) {
      const auto &[x, y] = axes;
      return x.name == y.name &&
             (x.size() == y.size() || x.size().isUnknown() || y.size().isUnknown());
    });
  });
}
