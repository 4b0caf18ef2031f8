#include "ir/Elements.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace axloom::ir;
using llvm::APFloat;

LogicalResult axloom::ir::requireSameElements(MaybeLocation location, Value a, StringRef aSide,
                                              Value b, StringRef bSide) {
  Type left = tensorType(a).getElementType(), right = tensorType(b).getElementType();
  if (left == right)
    return success();
  return fail(location, "element types differ: ")
         << left << " " << aSide << ", " << right << " " << bSide;
}

bool axloom::ir::hasNumber(Type element, double number) {
  APFloat value(number);
  bool isExact = false;
  if (auto type = llvm::dyn_cast<FloatType>(element)) {
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isExact);
    return value.isFinite();
  }
  llvm::APSInt whole(element.getIntOrFloatBitWidth(), /*isUnsigned=*/element.isInteger(1));
  return value.convertToInteger(whole, APFloat::rmTowardZero, &isExact) == APFloat::opOK;
}
