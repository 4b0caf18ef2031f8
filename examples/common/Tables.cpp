#include "examples/common/Tables.h"

#include "runtime/core/Error.h"

#include <algorithm>
#include <span>

using axloom::runtime::concat;
using axloom::runtime::Error;

namespace example {
namespace {

template <class Entry> const Entry *find(std::span<const Entry> table, std::string_view name) {
  for (const Entry &entry : table)
    if (name == entry.name)
      return &entry;
  return nullptr;
}

const axl_function &functionOf(const axl_model &model, std::string_view name) {
  std::span functions(model.functions, size_t(model.function_count));
  if (const axl_function *found = find(functions, name))
    return *found;
  throw Error(AXL_ERROR_ARGUMENT, concat("the model '", model.name, "' has no function '", name,
                                         "', which this program needs"));
}

std::span<const axl_value> argumentsOf(const axl_function &function) {
  return {function.arguments, size_t(function.argument_count)};
}

std::span<const axl_value> resultsOf(const axl_function &function) {
  return {function.results, size_t(function.result_count)};
}

void checkValue(const axl_model &model, const axl_function &function,
                std::span<const axl_value> values, const Needed &needed) {
  const axl_value *found = find(values, needed.first);
  if (found && found->rank == needed.second)
    return;
  throw Error(AXL_ERROR_ARGUMENT,
              concat("the function '", function.name, "' of the model '", model.name,
                     "' needs a tensor '", needed.first, "' with ", needed.second, " axes, and ",
                     found ? concat("has one with ", found->rank) : "has none"));
}

} // namespace

void needs(const axl_model &model, std::string_view function,
           std::initializer_list<Needed> arguments, std::initializer_list<Needed> results) {
  const axl_function &checked = functionOf(model, function);
  for (const Needed &argument : arguments)
    checkValue(model, checked, argumentsOf(checked), argument);
  for (const Needed &result : results)
    checkValue(model, checked, resultsOf(checked), result);
}

int64_t largest(const axl_model &model, std::string_view function, std::string_view tensor,
                int32_t axis) {
  const axl_function &owner = functionOf(model, function);
  const axl_value *value = find(argumentsOf(owner), tensor);
  if (!value)
    value = find(resultsOf(owner), tensor);
  if (!value || axis >= value->rank)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("the function '", function, "' of the model '", model.name,
                       "' has no tensor '", tensor, "' with an axis ", axis));
  const axl_extent &extent = value->extents[axis];
  int64_t size = extent.factor;
  for (int32_t symbol : extent.symbols) {
    if (symbol < 0)
      break;
    size *= model.symbols[symbol].maximum;
  }
  return size;
}

std::optional<int64_t> longestEntry(const axl_model &model, std::string_view function,
                                    std::string_view lengths) {
  const axl_function &owner = functionOf(model, function);
  for (const axl_lengths &given : std::span(owner.lengths, size_t(owner.lengths_count)))
    if (lengths == owner.arguments[given.argument].name)
      return model.symbols[given.symbol].maximum;
  return std::nullopt;
}

int64_t extentOf(const axl_model &model, std::string_view variable, int32_t axis) {
  for (const axl_variable_info &info : std::span(model.variables, size_t(model.variable_count)))
    if (variable == info.value.name && axis < info.value.rank)
      return info.value.extents[axis].factor;
  throw Error(AXL_ERROR_ARGUMENT, concat("the model '", model.name, "' has no variable '", variable,
                                         "' with an axis ", axis));
}

int64_t batchSize(std::string_view option, std::optional<int64_t> given, int64_t usual,
                  int64_t most, std::string_view things) {
  if (given && *given > most)
    throw Error(AXL_ERROR_ARGUMENT,
                concat(option, " is ", *given, ", but the model was compiled for at most ", most,
                       " ", things, " in a batch: choose fewer, or compile it with more"));
  return given.value_or(std::min(usual, most));
}

int64_t countParameters(const axl_model &model) {
  int64_t total = 0;
  for (int32_t i = 0; i < model.variable_count; ++i) {
    const axl_variable_info &variable = model.variables[i];
    int64_t elements = 1;
    for (int32_t axis = 0; axis < variable.value.rank; ++axis)
      elements *= variable.value.extents[axis].factor;
    total += variable.kind == AXL_PARAMETER ? elements : 0;
  }
  return total;
}

} // namespace example
