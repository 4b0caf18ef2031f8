#include "runtime/core/Lengths.h"

#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <limits>

using namespace axloom::runtime;

namespace {

std::span<const int32_t> elementsOf(const AnyView &lengths) {
  return {static_cast<const int32_t *>(lengths.data()), size_t(lengths.size())};
}

class Derivation {
public:
  Derivation(const axl_model &model, const axl_function &function, const AnyView *arguments,
             std::span<int64_t> sizes)
      : model(model), function(function), arguments(arguments), sizes(sizes) {}

  void checkLengths() const {
    for (const axl_lengths &given : all()) {
      const axl_symbol &symbol = model.symbols[given.symbol];
      int64_t size = sizes[given.symbol], limit = size >= 0 ? size : symbol.maximum;
      std::span<const int32_t> lengths = elementsOf(arguments[given.argument]);
      for (size_t entry = 0; entry < lengths.size(); ++entry)
        if (lengths[entry] < 0 || lengths[entry] > limit)
          fail(given, concat("has ", lengths[entry], " as element ", entry, "; lengths of ",
                             symbol.name, " must be at least 0 and at most ", limit));
    }
  }

  void derive(std::vector<std::vector<int32_t>> *offsets) {
    for (int32_t index = 0; index < model.symbol_count; ++index) {
      const axl_symbol &symbol = model.symbols[index];
      if (symbol.rule == AXL_SIZE_LONGEST)
        sizes[index] = longest(symbol);
      if (symbol.rule == AXL_SIZE_TOTAL)
        sizes[index] = total(symbol, offsets ? &(*offsets)[size_t(index)] : nullptr);
    }
  }

private:
  std::span<const axl_lengths> all() const {
    return {function.lengths, size_t(function.lengths_count)};
  }

  [[noreturn]] void fail(const axl_lengths &given, std::string_view problem) const {
    const axl_value &value = function.arguments[given.argument];
    throw Error(AXL_ERROR_SIZE, concat(describe(model, function), ": argument '", value.name, "' ",
                                       problem, place(model, value.location)));
  }

  // The argument with the lengths of a symbol, or null if the function has none.
  const axl_lengths *lengthsOf(int32_t symbol) const {
    for (const axl_lengths &given : all())
      if (given.symbol == symbol)
        return &given;
    return nullptr;
  }

  // -1 where the function does not know the lengths.
  int64_t longest(const axl_symbol &symbol) const {
    const axl_lengths *given = lengthsOf(symbol.lengths[0]);
    if (!given)
      return -1;
    int64_t largest = 0;
    for (int32_t length : elementsOf(arguments[given->argument]))
      largest = std::max<int64_t>(largest, length);
    return largest;
  }

  int64_t total(const axl_symbol &symbol, std::vector<int32_t> *offsets) const {
    std::array<std::span<const int32_t>, AXL_MAX_FACTORS> factors;
    size_t count = 0;
    while (count < AXL_MAX_FACTORS && symbol.lengths[count] >= 0) {
      const axl_lengths *given = lengthsOf(symbol.lengths[count]);
      if (!given)
        return -1;
      factors[count] = elementsOf(arguments[given->argument]);
      if (factors[count].size() != factors[0].size())
        fail(*given, concat("has ", factors[count].size(), " lengths, but those of ",
                            model.symbols[symbol.lengths[0]].name, " are ", factors[0].size()));
      ++count;
    }
    if (offsets)
      offsets->assign(1, 0);
    int64_t sum = 0;
    for (size_t entry = 0; entry < factors[0].size(); ++entry) {
      int64_t product = 1;
      bool isTooLarge = false;
      for (size_t factor = 0; factor < count; ++factor)
        isTooLarge |= __builtin_mul_overflow(product, factors[factor][entry], &product);
      isTooLarge |= __builtin_add_overflow(sum, product, &sum);
      if (isTooLarge || sum > std::numeric_limits<int32_t>::max())
        fail(*lengthsOf(symbol.lengths[0]), "makes a batch of more than 2^31 - 1 elements");
      if (offsets)
        offsets->push_back(int32_t(sum));
    }
    return sum;
  }

  const axl_model &model;
  const axl_function &function;
  const AnyView *arguments;
  std::span<int64_t> sizes;
};

} // namespace

void axloom::runtime::deriveRaggedSizes(const axl_model &model, const axl_function &function,
                                        const AnyView *arguments, std::span<int64_t> sizes,
                                        std::vector<std::vector<int32_t>> *offsets) {
  checkLengths(model, function, arguments, sizes);
  Derivation(model, function, arguments, sizes).derive(offsets);
}

void axloom::runtime::checkLengths(const axl_model &model, const axl_function &function,
                                   const AnyView *arguments, std::span<int64_t> sizes) {
  Derivation(model, function, arguments, sizes).checkLengths();
}
