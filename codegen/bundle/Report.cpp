// What a model is made of, for people: sizes, variables, and each function's kernels and memory.

#include "codegen/bundle/Bundle.h"
#include "codegen/host/Arena.h"
#include "runtime/abi/axloom.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static std::string size(double bytes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (bytes < 1e4)
    os << llvm::format("%.0f bytes", bytes);
  else
    os << llvm::format("%.2f MB", bytes / 1e6);
  return text;
}

/// Bytes of an element by its tag (AXL_F32 ...).
static int64_t elementBytes(int32_t tag) {
  const int64_t bytes[] = {4, 2, 8, 4, 1};
  return bytes[tag];
}

static void writeVariables(llvm::raw_ostream &os, const Description &model) {
  const char *const kinds[] = {"parameters", "states", "session variables"};
  for (int32_t kind : {AXL_PARAMETER, AXL_STATE, AXL_SESSION}) {
    int64_t count = 0, elements = 0, bytes = 0;
    bool isFixed = true;
    for (const VariableInfo &variable : model.variables) {
      if (variable.kind != kind)
        continue;
      int64_t product = 1;
      for (const ExtentInfo &extent : variable.value.extents) {
        product *= extent.factor;
        isFixed &= extent.symbols.empty();
      }
      ++count;
      elements += product;
      bytes += product * elementBytes(variable.value.type);
    }
    if (count == 0)
      continue;
    os << count << " " << kinds[kind];
    if (isFixed)
      os << ", " << elements << " elements, " << size(double(bytes));
    os << "\n";
  }
}

/// What is kept of variables in the form that kernels read.
static void writePrepared(llvm::raw_ostream &os, const Description &model) {
  double bytes = 0;
  for (const PreparedInfo &prepared : model.prepared) {
    double count = elementBytes(prepared.to.type);
    for (int64_t extent : prepared.to.extents)
      count *= double(extent);
    bytes += count;
  }
  if (!model.prepared.empty())
    os << model.prepared.size() << " packed copies of them, " << size(bytes)
       << ", made when a function that only reads them runs first\n";
}

/// The arena of a function with all declared sizes at a share of their maxima.
static void writeArena(llvm::raw_ostream &os, const Description &model, func::FuncOp function) {
  auto bytesAt = [&](int64_t divisor) {
    return arenaBytes(model, function, [&](StringRef symbol) {
      int64_t maximum = model.symbols[model.symbolIndex.lookup(symbol)].maximum;
      return double(std::max<int64_t>(1, maximum / divisor));
    });
  };
  os << "  arena: " << size(bytesAt(1)) << " with all sizes at their maxima, " << size(bytesAt(2))
     << " at half of them\n";
  for (auto [index, slot] : llvm::enumerate(passes::slotsOf(function))) {
    os << "    slot " << index << ": " << slot.bytes.str() << " bytes";
    if (!slot.below.empty())
      llvm::interleaveComma(slot.below, os << ", above ");
    os << "\n";
  }
}

static void writeKernel(llvm::raw_ostream &os, const Description &model, ir::KernelOp op) {
  const KernelInfo &kernel = model.kernels[model.kernelIndex.lookup(op)];
  os << "  " << kernel.name << "  " << kernel.code->family << "  " << kernel.code->name;
  if (kernel.location >= 0) {
    const LocationInfo &where = model.locations[kernel.location];
    os << "  " << where.file << ":" << where.line;
  }
  if (std::optional<int64_t> group = op.getGroup())
    os << "  launched with group " << *group;
  os << "\n";
}

std::string codegen::report(const Description &model, ModuleOp planned) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "model " << model.name << " for " << model.target << ", fingerprint " << model.fingerprint
     << "\n";
  for (const SymbolInfo &symbol : model.symbols)
    os << "size " << symbol.name << ", at most " << symbol.maximum << "\n";
  writeVariables(os, model);
  writePrepared(os, model);
  for (auto function : planned.getOps<func::FuncOp>()) {
    SmallVector<ir::KernelOp> kernels(function.getOps<ir::KernelOp>());
    os << "\nfunction " << function.getSymName() << ": " << kernels.size() << " kernels\n";
    writeArena(os, model, function);
    for (ir::KernelOp kernel : kernels)
      writeKernel(os, model, kernel);
  }
  return text;
}
