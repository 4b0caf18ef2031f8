#include "codegen/driver/KernelListing.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace axloom;
using namespace axloom::codegen;

static std::string dimensionText(const Dimension &dimension) {
  std::string text = dimension.size.str();
  return dimension.divisor == 1 ? text
                                : "ceil(" + text + " / " + std::to_string(dimension.divisor) + ")";
}

static void writeOperand(llvm::raw_ostream &os, const Operand &operand) {
  const char *access = operand.access == Access::None    ? "leaves alone"
                       : operand.access == Access::Read  ? "reads"
                       : operand.access == Access::Write ? "writes"
                                                         : "updates";
  os << "//   " << access << (operand.inRows ? " rows of" : "")
     << (operand.isScratch ? " scratch " : " ") << operand.name << ": [";
  llvm::interleaveComma(operand.dimensions, os,
                        [&](const Dimension &dimension) { os << dimensionText(dimension); });
  os << "] " << operand.elementType;
  for (auto [loop, axis] : llvm::enumerate(operand.loopAxis))
    if (axis >= 0)
      os << ", loop " << loop
         << (operand.loopStep[loop] < 0 ? " reaches into dimension " : " advances dimension ")
         << axis;
  os << "\n";
}

static void writeKernel(llvm::raw_ostream &os, const CompiledKernel &kernel) {
  os << "// kernel " << kernel.name << ": " << kernel.family
     << (kernel.choices.empty() ? "" : ", " + toString(kernel.choices)) << "\n";
  for (const Operand &operand : kernel.operands)
    writeOperand(os, operand);
  for (auto [index, loop] : llvm::enumerate(kernel.loops))
    os << "//   loop " << index << ": " << (loop.parallel ? "parallel" : "sequential")
       << ", chunks of " << loop.chunk << "\n";
  for (const auto &block : kernel.blocks) {
    os << "//   block " << block.symbol << " on operands ";
    llvm::interleaveComma(block.operands, os);
    os << "\n";
  }
}

std::string codegen::listKernels(const Description &model) {
  llvm::MapVector<llvm::StringRef, std::vector<const KernelInfo *>> launches;
  for (const KernelInfo &kernel : model.kernels)
    launches[kernel.code->name].push_back(&kernel);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[name, sites] : launches) {
    writeKernel(os, *sites.front()->code);
    os << "//   launched as ";
    llvm::interleaveComma(sites, os, [&](const KernelInfo *site) { os << site->name; });
    os << "\n";
  }
  return text;
}
