#include "codegen/host/Arena.h"

#include "runtime/abi/axloom.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static_assert(passes::slotAlignment == AXL_ALIGNMENT);

const PreparationInfo *codegen::preparationOf(const Description &model, ir::KernelOp kernel,
                                              size_t operand) {
  auto found = model.preparations.find(kernel);
  if (found == model.preparations.end())
    return nullptr;
  for (const PreparationInfo &info : found->second)
    if (info.operand == int64_t(operand))
      return &info;
  return nullptr;
}

std::vector<const Operand *> codegen::scratchOf(const Description &model, ir::KernelOp kernel) {
  std::vector<const Operand *> scratch;
  const CompiledKernel &code = *model.kernels[model.kernelIndex.lookup(kernel)].code;
  for (auto [position, operand] : llvm::enumerate(code.operands)) {
    const PreparationInfo *preparation = preparationOf(model, kernel, position);
    bool isKept = preparation && preparation->prepared >= 0;
    if (operand.isScratch && !isKept)
      scratch.push_back(&operand);
  }
  return scratch;
}

int64_t codegen::arenaBytes(const Description &model, func::FuncOp function,
                            llvm::function_ref<int64_t(StringAttr)> sizeOf) {
  int64_t total = passes::slotOffsets(passes::slotsOf(function), [&](ir::SizeAttr size) {
                    return size.evaluate(sizeOf);
                  }).back();
  int64_t mostScratch = 0;
  for (auto kernel : function.getOps<ir::KernelOp>()) {
    int64_t scratch = 0;
    for (const Operand *operand : scratchOf(model, kernel)) {
      int64_t bytes = ir::elementBytes(operand->elementType);
      for (const Dimension &dimension : operand->dimensions)
        bytes *= llvm::divideCeil(dimension.size.evaluate(sizeOf), dimension.divisor);
      scratch += llvm::alignTo(bytes, AXL_ALIGNMENT);
    }
    mostScratch = std::max(mostScratch, scratch);
  }
  return total + mostScratch;
}
