#include "codegen/driver/KeepFunctions.h"

#include "ir/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace axloom;

std::string codegen::keepFunctions(ModuleOp module, llvm::ArrayRef<std::string> names) {
  SmallVector<StringRef> known;
  for (auto function : module.getOps<func::FuncOp>())
    known.push_back(function.getName());
  std::string expected = ", expected some of " + llvm::join(known, ", ");
  if (names.empty())
    return "--functions names no function" + expected;
  for (const std::string &name : names)
    if (!llvm::is_contained(known, name))
      return "--functions names '" + name + "'" + expected;

  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!llvm::is_contained(names, function.getName()))
      function.erase();
  // Sizes stay: other flags give them values, with or without this one.
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (auto variable : llvm::make_early_inc_range(module.getOps<ir::VariableOp>()))
    if (users.useEmpty(variable))
      variable.erase();
  return "";
}
