#include "codegen/Canonical.h"

#include "codegen/AbsorbViews.h"
#include "codegen/KernelInfo.h"
#include "ir/Axes.h"
#include "ir/Ragged.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"

#include <map>
#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

namespace {
/// Renames axes and size symbols in types and attributes.
class Renaming {
public:
  Renaming(ir::KernelOp kernel) : context(kernel.getContext()) {
    std::set<std::string> axisNames;
    auto addType = [&](Type type) {
      if (auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type))
        for (const ir::Axis &axis : tensor.getAxes())
          axisNames.insert(axis.name.str());
    };
    llvm::for_each(kernel.getInputs().getTypes(), addType);
    kernel.getBody().walk([&](Operation *op) { llvm::for_each(op->getResultTypes(), addType); });
    for (auto [rank, name] : llvm::enumerate(axisNames))
      axes[name] = llvm::formatv("a{0,0+2}", rank);
    for (auto [rank, name] : llvm::enumerate(sizeSymbols(kernel)))
      symbols[name] = canonicalSymbol(rank);
  }

  StringAttr axis(StringAttr name) const {
    auto found = axes.find(name.str());
    return found == axes.end() ? name : StringAttr::get(context, found->second);
  }

  ir::SizeAttr size(ir::SizeAttr size) const {
    SmallVector<StringAttr> renamed;
    for (StringAttr symbol : size.getSymbols()) {
      std::string name = size.isRagged() ? ir::longestSymbol(symbol) : symbol.str();
      renamed.push_back(StringAttr::get(context, symbols.at(name)));
    }
    return ir::SizeAttr::get(context, size.getFactor(), renamed,
                             size.isRagged() ? axis(size.getRaggedOver()) : nullptr);
  }

  Type type(Type type) const {
    auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type);
    if (!tensor)
      return type;
    SmallVector<ir::Axis> renamed;
    for (const ir::Axis &old : tensor.getAxes())
      renamed.emplace_back(axis(old.name), size(old.size()));
    return ir::NamedTensorType::get(renamed, tensor.getElementType());
  }

  Attribute attribute(StringRef name, Attribute value) const {
    if (auto size = llvm::dyn_cast<ir::SizeAttr>(value))
      return this->size(size);
    if (auto type = llvm::dyn_cast<TypeAttr>(value))
      return TypeAttr::get(this->type(type.getValue()));
    if (auto layout = llvm::dyn_cast<ir::LayoutAttr>(value)) {
      auto order = llvm::map_to_vector(layout.getOrder(), [&](StringAttr n) { return axis(n); });
      return ir::LayoutAttr::get(context, order);
    }
    if (auto list = llvm::dyn_cast<ArrayAttr>(value))
      return ArrayAttr::get(context, llvm::map_to_vector(list, [&](Attribute element) {
                              return attribute(name, element);
                            }));
    if (auto string = llvm::dyn_cast<StringAttr>(value))
      if (!ir::holdsWords(name))
        return axis(string);
    return value;
  }

private:
  MLIRContext *context;
  std::map<std::string, std::string> axes, symbols;
};
} // namespace

static DictionaryAttr renamedAttributes(Operation *op, const Renaming &renaming) {
  NamedAttrList attributes;
  for (NamedAttribute attribute : op->getAttrDictionary())
    attributes.append(attribute.getName(),
                      renaming.attribute(attribute.getName(), attribute.getValue()));
  return attributes.getDictionary(op->getContext());
}

static void renameOp(Operation *op, const Renaming &renaming) {
  op->setAttrs(renamedAttributes(op, renaming));
  op->setLoc(UnknownLoc::get(op->getContext()));
  for (Value result : op->getResults())
    result.setType(renaming.type(result.getType()));
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments()) {
      argument.setType(renaming.type(argument.getType()));
      argument.setLoc(UnknownLoc::get(op->getContext()));
    }
}

IsolatedKernel codegen::isolate(ir::KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  context->loadDialect<func::FuncDialect>();
  OpBuilder builder(context);
  Location location = builder.getUnknownLoc();
  IsolatedKernel result;
  result.module = ModuleOp::create(location);
  builder.setInsertionPointToStart(result.module->getBody());
  auto function = func::FuncOp::create(
      builder, location, "kernel",
      builder.getFunctionType(kernel.getInputs().getTypes(), kernel.getOutputs().getTypes()));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(kernel.getInputs(), function.getArguments());
  // An input may be given twice: it is then mapped to the last of its arguments, so the operands
  // are set by hand.
  result.kernel = llvm::cast<ir::KernelOp>(builder.clone(*kernel, mapping));
  result.kernel->setOperands(function.getArguments());
  result.kernel->setAttr("overwrites", builder.getDenseI64ArrayAttr(overwrittenInputs(kernel)));
  result.kernel.removePlacementsAttr(); // where a tensor lies changes no code, nor
  result.kernel.removeGroupAttr();      // what runs at the same time
  absorbViews(result.kernel);
  updateSignature(result.kernel);
  func::ReturnOp::create(builder, location, result.kernel.getOutputs());
  return result;
}

void codegen::updateSignature(ir::KernelOp isolated) {
  auto function = isolated->getParentOfType<func::FuncOp>();
  for (auto [argument, inner] :
       llvm::zip_equal(function.getArguments(), isolated.getBody().getArguments()))
    argument.setType(inner.getType());
  function.setType(FunctionType::get(isolated.getContext(), function.getBody().getArgumentTypes(),
                                     isolated.getOutputs().getTypes()));
}

CanonicalKernel codegen::canonicalize(ir::KernelOp kernel) {
  IsolatedKernel isolated = isolate(kernel);
  Renaming renaming(isolated.kernel);
  isolated.kernel->walk([&](Operation *op) { renameOp(op, renaming); });
  updateSignature(isolated.kernel);
  CanonicalKernel result{std::move(isolated.module), isolated.kernel, ""};
  llvm::raw_string_ostream os(result.text);
  result.module->print(os, OpPrintingFlags().assumeVerified());
  return result;
}

std::string codegen::canonicalSymbol(size_t rank) { return llvm::formatv("s{0,0+2}", rank); }

std::string codegen::contentHash(ArrayRef<StringRef> parts) {
  llvm::SHA256 hash;
  for (StringRef part : parts) {
    hash.update(llvm::formatv("{0}:", part.size()).str());
    hash.update(part);
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}
