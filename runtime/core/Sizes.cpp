#include "runtime/core/Sizes.h"

#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"
#include "runtime/core/Tables.h"

using namespace axloom::runtime;

namespace {

std::span<const int32_t> symbolsOf(const axl_extent &extent) {
  size_t count = 0;
  while (count < AXL_MAX_FACTORS && extent.symbols[count] >= 0)
    ++count;
  return {extent.symbols, count};
}

// The symbol without a value, if there is exactly one and it occurs once; -1 otherwise.
int32_t onlyUnknown(const axl_extent &extent, std::span<const int64_t> sizes) {
  int32_t unknown = -1;
  for (int32_t symbol : symbolsOf(extent)) {
    if (sizes[symbol] >= 0)
      continue;
    if (unknown >= 0)
      return -1;
    unknown = symbol;
  }
  return unknown;
}

// Whether the extent counts the elements of all entries of a ragged batch.
bool isTotal(const axl_model &model, const axl_extent &extent) {
  auto symbols = symbolsOf(extent);
  return symbols.size() == 1 && model.symbols[symbols[0]].rule == AXL_SIZE_TOTAL;
}

} // namespace

int64_t axloom::runtime::evaluate(const axl_extent &extent, std::span<const int64_t> sizes) {
  int64_t product = extent.factor;
  for (int32_t symbol : symbolsOf(extent)) {
    if (sizes[symbol] < 0)
      return -1;
    if (__builtin_mul_overflow(product, sizes[symbol], &product))
      return INT64_MAX;
  }
  return product;
}

std::string axloom::runtime::describe(const axl_model &model, const axl_extent &extent,
                                      std::span<const int64_t> sizes) {
  int64_t value = evaluate(extent, sizes);
  bool isFound = value >= 0 && !symbolsOf(extent).empty();
  return describe(model, extent) + (isFound ? concat(" = ", value) : "");
}

void SizeResolver::bind(int32_t symbol, int64_t found, const char *kind, const axl_value &value,
                        int32_t axis) {
  const axl_symbol &size = model.symbols[symbol];
  if (found > size.maximum)
    throw Error(AXL_ERROR_SIZE, concat(describe(model, function), ": size ", size.name, " is ",
                                       found, " (axis '", value.axes[axis], "' of ", kind, " '",
                                       value.name, "'), but the model was compiled for at most ",
                                       size.maximum, place(model, value.location)));
  if (sizes[symbol] >= 0 && sizes[symbol] != found)
    throw Error(AXL_ERROR_SIZE,
                concat(describe(model, function), ": size ", size.name, " must be ", sizes[symbol],
                       " as in the other tensors of this call or session, but axis '",
                       value.axes[axis], "' of ", kind, " '", value.name, "' has size ", found,
                       place(model, value.location)));
  sizes[symbol] = found;
}

void SizeResolver::learn(const char *kind, const axl_value &value, const AnyView &view) {
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    const axl_extent &extent = value.extents[axis];
    bool isAlone = extent.factor == 1 && symbolsOf(extent).size() == 1;
    if (isAlone && model.symbols[extent.symbols[0]].rule == AXL_SIZE_FREE)
      bind(extent.symbols[0], view.extent(axis), kind, value, axis);
  }
}

bool SizeResolver::inferFrom(const char *kind, const axl_value &value, const AnyView &view) {
  bool found = false;
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    const axl_extent &extent = value.extents[axis];
    int32_t unknown = onlyUnknown(extent, sizes);
    if (unknown < 0)
      continue;
    sizes[unknown] = 1;
    int64_t rest = evaluate(extent, sizes);
    sizes[unknown] = -1;
    if (rest > 0 && view.extent(axis) % rest == 0) {
      bind(unknown, view.extent(axis) / rest, kind, value, axis);
      found = true;
    }
  }
  return found;
}

void SizeResolver::infer(const AnyView *arguments, const AnyView *results) {
  for (bool found = true; found;) {
    found = false;
    for (size_t i = 0; i < argumentsOf(function).size(); ++i)
      found |= inferFrom("argument", function.arguments[i], arguments[i]);
    for (size_t i = 0; results && i < resultsOf(function).size(); ++i)
      found |= inferFrom("result", function.results[i], results[i]);
  }
}

void SizeResolver::verify(const char *kind, const axl_value &value, const AnyView &view) {
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    const axl_extent &extent = value.extents[axis];
    int64_t expected = evaluate(extent, sizes);
    if (expected == view.extent(axis))
      continue;
    std::string size = describe(model, extent, sizes);
    if (isTotal(model, extent))
      size += ", the sum of the lengths";
    throw Error(AXL_ERROR_ARGUMENT,
                concat(describe(model, function), ": axis '", value.axes[axis], "' of ", kind, " '",
                       value.name, "' must have size ", size, ", but a tensor of ", describe(view),
                       " was passed", place(model, value.location)));
  }
}
