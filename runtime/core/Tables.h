// What the tables of a model list, as ranges.
#pragma once

#include "runtime/abi/tables.h"

#include <span>

namespace axloom::runtime {

inline std::span<const axl_value> argumentsOf(const axl_function &function) {
  return {function.arguments, size_t(function.argument_count)};
}

inline std::span<const axl_value> resultsOf(const axl_function &function) {
  return {function.results, size_t(function.result_count)};
}

// What the elements of an argument must be below.
inline std::span<const axl_extent> limitsOf(const axl_value &value) {
  size_t count = 0;
  while (value.limits && value.limits[count].factor != 0)
    ++count;
  return {value.limits, count};
}

inline std::span<const int32_t> symbolsOf(const axl_extent &extent) {
  size_t count = 0;
  while (count < AXL_MAX_FACTORS && extent.symbols[count] >= 0)
    ++count;
  return {extent.symbols, count};
}

} // namespace axloom::runtime
