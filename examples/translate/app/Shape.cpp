#include "examples/translate/app/Shape.h"

#include "runtime/core/Error.h"

#include <span>
#include <string_view>

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

const axl_function &function(const axl_model &model, std::string_view name) {
  std::span functions(model.functions, size_t(model.function_count));
  if (const axl_function *found = find(functions, name))
    return *found;
  throw Error(AXL_ERROR_ARGUMENT, concat("the model '", model.name, "' has no function '", name,
                                         "', which translation needs"));
}

const axl_value &value(const axl_model &model, const axl_function &function,
                       std::span<const axl_value> values, std::string_view name, int32_t rank) {
  const axl_value *found = find(values, name);
  if (found && found->rank == rank)
    return *found;
  throw Error(AXL_ERROR_ARGUMENT,
              concat("the function '", function.name, "' of the model '", model.name,
                     "' needs a tensor '", name, "' with ", rank, " axes, and ",
                     found ? concat("has one with ", found->rank) : "has none"));
}

void checkValues(const axl_model &model, std::string_view name,
                 std::initializer_list<std::pair<std::string_view, int32_t>> arguments,
                 std::initializer_list<std::pair<std::string_view, int32_t>> results) {
  const axl_function &checked = function(model, name);
  for (auto [argument, rank] : arguments)
    value(model, checked, {checked.arguments, size_t(checked.argument_count)}, argument, rank);
  for (auto [result, rank] : results)
    value(model, checked, {checked.results, size_t(checked.result_count)}, result, rank);
}

// The largest value that an extent can take.
int64_t largest(const axl_model &model, const axl_extent &extent) {
  int64_t size = extent.factor;
  for (int32_t symbol : extent.symbols) {
    if (symbol < 0)
      break;
    size *= model.symbols[symbol].maximum;
  }
  return size;
}

} // namespace

ModelShape shapeOf(const axl_model &model) {
  checkValues(model, "train_step",
              {{"source", 2}, {"target_in", 2}, {"target_out", 2}, {"seed", 0}},
              {{"loss", 0}, {"tokens", 0}});
  checkValues(model, "evaluate", {{"source", 2}, {"target_in", 2}, {"target_out", 2}},
              {{"loss", 0}, {"tokens", 0}});
  checkValues(model, "encode", {{"source", 2}}, {});
  checkValues(model, "decode_step", {{"token", 1}, {"position", 0}}, {{"logits", 2}});

  const axl_function &train = function(model, "train_step");
  const axl_function &step = function(model, "decode_step");
  std::span arguments(train.arguments, size_t(train.argument_count));
  std::span results(step.results, size_t(step.result_count));
  return {
      .vocabulary = int32_t(largest(model, value(model, step, results, "logits", 2).extents[1])),
      .sourceLength = largest(model, value(model, train, arguments, "source", 2).extents[1]),
      .targetLength = largest(model, value(model, train, arguments, "target_in", 2).extents[1]),
  };
}

} // namespace example
