#include "codegen/host/FullBatches.h"

#include "codegen/host/RaggedSizes.h"
#include "ir/Ragged.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// How many entries have lengths of this name.
static ir::SizeAttr entriesOf(StringRef lengths, func::FuncOp function) {
  for (const auto &[symbol, ragged] : raggedSizes(function))
    if (symbol.getValue() == lengths)
      return ragged.entries;
  return ir::SizeAttr::fixed(function.getContext(), 1);
}

double codegen::valueInFullBatch(StringRef symbol, func::FuncOp function, DeclaredValue valueOf) {
  if (StringRef longest = ir::ofLongest(symbol); !longest.empty())
    return valueOf(longest);
  SmallVector<StringRef> factors = ir::factorsOfTotal(symbol);
  if (factors.empty())
    return valueOf(symbol);
  ir::SizeAttr entries = entriesOf(factors.front(), function);
  auto total = double(entries.getFactor());
  for (StringAttr factor : entries.getSymbols())
    total *= valueOf(factor.getValue());
  for (StringRef factor : factors)
    total *= valueOf(factor);
  return total;
}
