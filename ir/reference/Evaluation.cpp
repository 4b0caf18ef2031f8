#include "ir/reference/Evaluation.h"

#include "ir/Factors.h"

using namespace mlir;
using namespace axloom::ir;
using namespace axloom::ir::reference;

Evaluation::Evaluation(Operation *op, ArrayRef<const Array *> operands, const Sizes &sizes,
                       const Variables &oldVariables, Variables &newVariables)
    : oldVariables(oldVariables), newVariables(newVariables), op(op), operands(operands),
      allSizes(sizes) {
  for (Value result : op->getResults())
    results.emplace_back(tensorType(result).getAxes(), sizes);
}

const Array *Evaluation::optional(Value value) const {
  for (auto [operand, array] : llvm::zip_equal(op->getOperands(), operands))
    if (operand == value)
      return array;
  return nullptr;
}

Space Evaluation::unionOf(ArrayRef<const Array *> arrays) const {
  SmallVector<Axis> axes;
  for (const Array *array : arrays)
    if (array)
      for (const Axis &axis : array->space.axes())
        if (!llvm::is_contained(axes, axis))
          axes.push_back(axis);
  llvm::sort(axes, [](const Axis &a, const Axis &b) { return a.name.strref() < b.name.strref(); });
  return Space(axes, allSizes);
}

Array Evaluation::zerosWithout(const Space &space, ArrayRef<StringRef> dropped) const {
  SmallVector<Axis> axes;
  for (const Axis &axis : space.axes())
    if (!llvm::is_contained(dropped, axis.name.strref()))
      axes.push_back(axis);
  return Array(axes, allSizes);
}

Array reference::factorsOf(Array array, std::optional<Type> factors) {
  for (double &value : array.values)
    value = roundedFactor(value, factors);
  return array;
}
