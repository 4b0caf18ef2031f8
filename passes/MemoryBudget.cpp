#include "passes/MemoryBudget.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::passes;

/// The bytes of `1.5G`; 0 if it is no such text.
static int64_t parseBytes(StringRef text) {
  double unit = 1;
  if (text.consume_back("G"))
    unit = 1e9;
  else if (text.consume_back("M"))
    unit = 1e6;
  else if (text.consume_back("K"))
    unit = 1e3;
  double number = 0;
  constexpr double limit = 1e18;
  return text.getAsDouble(number) || !(number > 0 && number * unit < limit)
             ? 0
             : int64_t(number * unit);
}

std::string MemoryBudget::parse(StringRef text, MemoryBudget &budget) {
  auto [amount, list] = text.split('@');
  budget.bytes = parseBytes(amount);
  if (budget.bytes == 0)
    return "the memory budget is '" + text.str() +
           "', expected bytes and sizes as in 1.5G@B=32,S=64";
  SmallVector<StringRef> entries;
  list.split(entries, ',', -1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    auto [name, number] = entry.split('=');
    int64_t value = 0;
    if (name.empty() || number.getAsInteger(10, value) || value <= 0)
      return "the memory budget '" + text.str() + "' has the size '" + entry.str() +
             "', expected a symbol and a positive number as in B=32";
    if (!budget.sizes.try_emplace(name.str(), value).second)
      return "the memory budget '" + text.str() + "' has the size '" + name.str() + "' twice";
  }
  return "";
}

std::optional<int64_t> MemoryBudget::valueOf(ir::SizeAttr size) const {
  bool known = llvm::all_of(size.getSymbols(),
                            [&](StringAttr symbol) { return sizes.contains(symbol.getValue()); });
  if (!known)
    return std::nullopt;
  return size.evaluate([&](StringAttr symbol) { return sizes.find(symbol.getValue())->second; });
}

std::string MemoryBudget::sizesText() const {
  SmallVector<std::string> texts;
  for (const auto &[name, value] : sizes)
    texts.push_back(name + "=" + std::to_string(value));
  return texts.empty() ? "none" : llvm::join(texts, ", ");
}
