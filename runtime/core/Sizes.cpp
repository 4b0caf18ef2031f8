#include "runtime/core/Sizes.h"

#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"
#include "runtime/core/Tables.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

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

bool SizeResolver::divide(const char *kind, const axl_value &value, int32_t axis, int64_t size) {
  const axl_extent &extent = value.extents[axis];
  int32_t unknown = onlyUnknown(extent, sizes);
  if (unknown < 0)
    return false;
  sizes[unknown] = 1;
  int64_t rest = evaluate(extent, sizes);
  sizes[unknown] = -1;
  if (rest <= 0 || size % rest != 0)
    return false;
  bind(unknown, size / rest, kind, value, axis);
  return true;
}

bool SizeResolver::takeAnything(const axl_extent &extent, int64_t size) {
  auto symbols = symbolsOf(extent);
  auto isEmpty = [&](int32_t symbol) { return sizes[symbol] == 0; };
  auto isUnknown = [&](int32_t symbol) { return sizes[symbol] < 0; };
  if (size != 0 || std::ranges::none_of(symbols, isEmpty) ||
      std::ranges::none_of(symbols, isUnknown))
    return false;
  for (int32_t symbol : symbols)
    sizes[symbol] = std::max<int64_t>(sizes[symbol], 0);
  return true;
}

template <class Use>
void SizeResolver::forEachAxis(const AnyView *arguments, const AnyView *results, const Use &use) {
  auto visit = [&](const char *kind, std::span<const axl_value> values, const AnyView *views) {
    for (size_t i = 0; views && i < values.size(); ++i)
      for (int32_t axis = 0; axis < values[i].rank; ++axis)
        use(kind, values[i], axis, views[i].extent(axis));
  };
  visit("argument", argumentsOf(function), arguments);
  visit("result", resultsOf(function), results);
}

// Until no axis tells anything new.
template <class Step>
void SizeResolver::repeat(const AnyView *arguments, const AnyView *results, const Step &step) {
  for (bool found = true; found;) {
    found = false;
    forEachAxis(arguments, results, [&](auto... axis) { found |= step(axis...); });
  }
}

void SizeResolver::infer(const AnyView *arguments, const AnyView *results) {
  repeat(arguments, results,
         [&](const char *kind, const axl_value &value, int32_t axis, int64_t size) {
           return divide(kind, value, axis, size);
         });
}

void SizeResolver::takeAnything(const AnyView *arguments, const AnyView *results) {
  repeat(arguments, results, [&](const char *, const axl_value &value, int32_t axis, int64_t size) {
    return takeAnything(value.extents[axis], size);
  });
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
