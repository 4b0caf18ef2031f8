#include "codegen/explain/SizeValues.h"

#include "codegen/host/FullBatches.h"
#include "ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

SizeValues::SizeValues(ModuleOp module, ArrayRef<std::string> given, StringRef flag) {
  for (auto size : module.getOps<ir::SizeOp>())
    names.push_back(size.getSymName().str());
  known = names.empty() || !given.empty();
  for (const std::string &assignment : given)
    if (problem = read(module, assignment, flag.str()); !problem.empty())
      return;
  for (const std::string &name : names)
    if (known && !values.contains(name)) {
      problem = flag.str() + " lacks '" + name + "'; the sizes are " + llvm::join(names, ", ");
      return;
    }
}

std::string SizeValues::read(ModuleOp module, StringRef given, const std::string &flag) {
  auto [name, text] = given.split('=');
  int64_t value = 0;
  if (text.getAsInteger(10, value) || value < 1)
    return flag + " has '" + given.str() + "', expected SIZE=NUMBER, with a number from 1";
  if (!llvm::is_contained(names, name))
    return flag + " gives '" + name.str() + "', which is no size; the sizes are " +
           (names.empty() ? "none" : llvm::join(names, ", "));
  for (auto size : module.getOps<ir::SizeOp>())
    if (size.getSymName() == name && value > int64_t(size.getMax()))
      return flag + " gives " + name.str() + "=" + text.str() + ", at most " +
             std::to_string(size.getMax());
  if (!values.try_emplace(name, value).second)
    return flag + " gives '" + name.str() + "' twice";
  return "";
}

double SizeValues::of(StringRef symbol, func::FuncOp function) const {
  return valueInFullBatch(symbol, function,
                          [&](StringRef declared) { return double(values.lookup(declared)); });
}

std::string SizeValues::str() const {
  return llvm::join(llvm::map_range(names,
                                    [&](const std::string &name) {
                                      return name + "=" + std::to_string(values.lookup(name));
                                    }),
                    ", ");
}
