#include "codegen/host/Arena.h"

#include "runtime/abi/axloom.h"

#include <cmath>

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

static double aligned(double bytes) { return std::ceil(bytes / AXL_ALIGNMENT) * AXL_ALIGNMENT; }

double codegen::arenaBytes(const Description &model, func::FuncOp function, DeclaredValue valueOf) {
  llvm::StringMap<double> known; // totals look at all tensors of the function
  auto sizeOf = [&](ir::SizeAttr size) {
    auto value = double(size.getFactor());
    for (StringAttr symbol : size.getSymbols()) {
      auto [entry, isNew] = known.try_emplace(symbol.getValue());
      if (isNew)
        entry->second = valueInFullBatch(symbol.getValue(), function, valueOf);
      value *= entry->second;
    }
    return value;
  };
  double mostScratch = 0;
  for (auto kernel : function.getOps<ir::KernelOp>()) {
    double scratch = 0;
    for (const Operand *operand : scratchOf(model, kernel)) {
      auto bytes = double(ir::elementBytes(operand->elementType));
      for (const Dimension &dimension : operand->dimensions)
        bytes *= std::ceil(sizeOf(dimension.size) / double(dimension.divisor));
      scratch += aligned(bytes);
    }
    mostScratch = std::max(mostScratch, scratch);
  }
  return passes::slotOffsets(passes::slotsOf(function), sizeOf).back() + mostScratch;
}
