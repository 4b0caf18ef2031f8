#include "ir/Factors.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace axloom;

LogicalResult ir::verifyFactors(Operation *op, std::optional<Type> factors) {
  if (!factors)
    return success();
  if (!factors->isBF16())
    return op->emitOpError("factors are ") << *factors << ", expected bf16";
  Type elements = llvm::cast<NamedTensorType>(op->getOperand(0).getType()).getElementType();
  if (!elements.isF32())
    return op->emitOpError("factors of ") << elements << " are rounded to bf16, expected f32";
  return success();
}

bool ir::areFactorsRounded(Operation *op) {
  auto factors = op->getAttrOfType<TypeAttr>("factors");
  return factors && factors.getValue().isBF16();
}

double ir::roundedFactor(double value, std::optional<Type> factors) {
  if (!factors)
    return value;
  llvm::APFloat number(value);
  bool exact = false;
  number.convert(llvm::cast<FloatType>(*factors).getFloatSemantics(),
                 llvm::APFloat::rmNearestTiesToEven, &exact);
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &exact);
  return number.convertToDouble();
}
