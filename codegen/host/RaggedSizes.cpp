#include "codegen/host/RaggedSizes.h"

#include "ir/Ragged.h"

#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

void codegen::forEachTensor(func::FuncOp function,
                            llvm::function_ref<void(ir::NamedTensorType, Operation *)> visit) {
  for (Type type : function.getArgumentTypes())
    if (auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type))
      visit(tensor, function);
  function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type))
        visit(tensor, op);
  });
}

std::map<StringAttr, RaggedSize, ByName> codegen::raggedSizes(func::FuncOp function) {
  std::map<StringAttr, RaggedSize, ByName> sizes;
  forEachTensor(function, [&](ir::NamedTensorType type, Operation *) {
    for (const ir::Axis &axis : type.getAxes())
      if (StringAttr partner = axis.size().getRaggedOver())
        for (StringAttr symbol : axis.size().getSymbols())
          sizes.insert({symbol, {partner, type.sizeOf(partner.getValue())}});
  });
  // Lengths may be left as numbers alone, where no tensor has their axis any more.
  function.walk([&](ir::SizeOfOp number) {
    if (StringAttr partner = number.getSize().getRaggedOver())
      for (StringAttr symbol : number.getSize().getSymbols())
        sizes.insert({symbol, {partner, *number.getEntries()}});
  });
  return sizes;
}

std::vector<DerivedSize> codegen::derivedSizes(ModuleOp module) {
  std::map<std::string, DerivedSize> found;
  SymbolTable symbols(module);
  auto add = [&](const DerivedSize &size) {
    ir::SizeAttr &entries = found.insert({size.name, size}).first->second.entries;
    // One name has one maximum, and the functions that have it may differ in their entries.
    if (entries != size.entries &&
        ir::maximumOf(size.entries, symbols) > ir::maximumOf(entries, symbols))
      entries = size.entries;
  };
  auto addTotal = [&](std::vector<std::string> factors, ir::SizeAttr entries) {
    add({ir::totalSymbol(factors), true, std::move(factors), entries});
  };
  for (auto function : module.getOps<func::FuncOp>()) {
    for (const auto &[symbol, size] : raggedSizes(function)) {
      add({ir::longestSymbol(symbol), false, {symbol.str()}, nullptr});
      addTotal({symbol.str()}, size.entries);
    }
    // Only what lies in memory has a total of several lengths.
    forEachTensor(function, [&](ir::NamedTensorType type, Operation *op) {
      std::optional<ir::RaggedPart> part = ir::raggedPart(type);
      if (!part || op->getParentOfType<ir::KernelOp>())
        return;
      std::vector<std::string> factors;
      for (const ir::Axis &axis : part->axes)
        factors.push_back(axis.size().getSymbols().front().str());
      addTotal(std::move(factors), type.sizeOf(part->partner.getValue()));
    });
  }
  std::vector<DerivedSize> sizes;
  for (auto &[name, size] : found)
    sizes.push_back(std::move(size));
  return sizes;
}

std::vector<std::string> codegen::dimensionNames(ir::NamedTensorType type, ArrayAttr order) {
  std::optional<ir::RaggedPart> part = ir::raggedPart(type);
  std::vector<std::string> names;
  bool joined = false;
  for (auto axis : order.getAsRange<StringAttr>()) {
    bool joins = part && part->has(axis);
    if (joins && joined)
      names.front() += "." + axis.str();
    else
      names.push_back(axis.str());
    joined |= joins;
  }
  return names;
}

//===----------------------------------------------------------------------===//
// What cannot be
//===----------------------------------------------------------------------===//

namespace {
class RaggedCheck {
public:
  LogicalResult run(ModuleOp module);

private:
  ir::SizeAttr entriesOf(StringAttr symbol, const RaggedSize &size);
  LogicalResult checkType(ir::NamedTensorType type, Operation *op);
  LogicalResult checkNumber(ir::SizeOfOp op);
  LogicalResult checkOrder(Type type, DictionaryAttr attributes, Location where);

  std::map<StringAttr, RaggedSize, ByName> known; // in this function
};
} // namespace

/// The entries that a symbol has lengths for: those of its first use.
ir::SizeAttr RaggedCheck::entriesOf(StringAttr symbol, const RaggedSize &size) {
  return known.insert({symbol, size}).first->second.entries;
}

LogicalResult RaggedCheck::checkType(ir::NamedTensorType type, Operation *op) {
  auto refuse = [&](const ir::Axis &axis, const Twine &why) {
    return op->emitError("axis '")
           << axis.name.getValue() << "' has the ragged size " << axis.size().str() << why;
  };
  StringAttr partner;
  for (const ir::Axis &axis : type.getAxes()) {
    ir::SizeAttr size = axis.size();
    if (!size.isRagged())
      continue;
    if (size.getFactor() != 1 || size.getSymbols().size() != 1 ||
        size.getSymbols()[0].getValue().contains('.'))
      return refuse(axis, "; a program takes lengths of one symbol alone, such as S");
    if (partner && partner != size.getRaggedOver())
      return refuse(axis, ", beside one over '" + partner.getValue() +
                              "'; a tensor of a program is ragged over one axis");
    partner = size.getRaggedOver();
    ir::SizeAttr entries = type.sizeOf(partner.getValue());
    if (entries.isRagged())
      return refuse(axis, ", whose partner is ragged too");
    ir::SizeAttr others = entriesOf(size.getSymbols()[0], {partner, entries});
    if (others != entries)
      return refuse(axis, " for " + entries.str() + " entries, elsewhere for " + others.str());
  }
  return success();
}

/// Lengths as numbers are those of the tensors.
LogicalResult RaggedCheck::checkNumber(ir::SizeOfOp op) {
  ir::SizeAttr size = op.getSize();
  if (!size.isRagged())
    return success();
  ir::SizeAttr entries = *op.getEntries();
  for (StringAttr symbol : size.getSymbols())
    if (ir::SizeAttr others = entriesOf(symbol, {size.getRaggedOver(), entries}); others != entries)
      return op.emitError("the ragged size ")
             << size.str() << " is taken for " << entries.str() << " entries, but '"
             << symbol.getValue() << "' has lengths for " << others.str();
  return success();
}

/// Memory holds entry after entry, so the declared order must begin so.
LogicalResult RaggedCheck::checkOrder(Type declaredType, DictionaryAttr attributes,
                                      Location where) {
  auto type = llvm::dyn_cast<ir::NamedTensorType>(declaredType);
  std::optional<ir::RaggedPart> part = type ? ir::raggedPart(type) : std::nullopt;
  auto order = attributes ? attributes.getAs<ArrayAttr>("axloom.order") : nullptr;
  if (!part || !order)
    return success();
  SmallVector<StringAttr> declared = llvm::to_vector(order.getAsRange<StringAttr>());
  if (ir::raggedFirst(declared, type) == declared)
    return success();
  auto name = attributes.getAs<StringAttr>("axloom.name");
  return mlir::emitError(where) << "'" << (name ? name.getValue() : "a tensor")
                                << "' is ragged, so its axes must begin with '"
                                << part->partner.getValue() << "' and '"
                                << part->axes.front().name.getValue() << "'; it declares " << order;
}

LogicalResult RaggedCheck::run(ModuleOp module) {
  for (auto variable : module.getOps<ir::VariableOp>())
    if (ir::raggedPart(llvm::cast<ir::NamedTensorType>(variable.getType())))
      return variable.emitError("variable '")
             << variable.getSymName()
             << "' is ragged, but lengths come with a call and variables outlive it; give it the "
                "padded size";
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal()) // the first pass refuses those, and types that are no tensors
      continue;
    known.clear();
    LogicalResult checked = success();
    forEachTensor(function, [&](ir::NamedTensorType type, Operation *op) {
      if (succeeded(checked))
        checked = checkType(type, op);
    });
    function.walk([&](ir::SizeOfOp op) {
      if (succeeded(checked))
        checked = checkNumber(op);
    });
    if (failed(checked))
      return failure();
    for (BlockArgument argument : function.getArguments())
      if (failed(checkOrder(argument.getType(), function.getArgAttrDict(argument.getArgNumber()),
                            argument.getLoc())))
        return failure();
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      if (failed(checkOrder(type, function.getResultAttrDict(index), function.getLoc())))
        return failure();
  }
  return success();
}

LogicalResult codegen::checkRagged(ModuleOp module) { return RaggedCheck().run(module); }
