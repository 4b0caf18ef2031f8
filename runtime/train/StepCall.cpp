#include "runtime/train/StepCall.h"

#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"

#include <limits>

using namespace axloom::runtime;

namespace {

double numberOf(const Tensor &tensor) {
  switch (tensor.type()) {
  case AXL_F32:
    return double(tensor.view<float>()[0]);
  case AXL_BF16:
    return double(float(tensor.view<BFloat16>()[0]));
  case AXL_F64:
    return tensor.view<double>()[0];
  case AXL_I32:
    return double(tensor.view<int32_t>()[0]);
  default:
    return tensor.view<bool>()[0] ? 1 : 0;
  }
}

// Functions take them as i32.
int32_t asArgument(int64_t steps) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (steps > most)
    throw Error(AXL_ERROR_ARGUMENT, concat("training counts up to ", most, " steps, but this is ",
                                           steps, ": train for fewer steps"));
  return int32_t(steps);
}

} // namespace

StepCall::StepCall(Model &model, const std::string &function, const std::string &loss,
                   int64_t steps)
    : model(model), index(model.function(function)), lossName(loss), stepsValue(asArgument(steps)) {
  const axl_function &found = model.description().functions[index];
  for (const axl_value &value : std::span(found.arguments, size_t(found.argument_count)))
    if (value.name == std::string_view("steps") && steps <= 0)
      throw Error(AXL_ERROR_ARGUMENT,
                  concat(describe(model.description(), found),
                         " takes the number of steps, so there must be one: training by time alone "
                         "does not go with its schedule",
                         place(model.description(), value.location)));
  bool hasLoss = false;
  for (const axl_value &value : std::span(found.results, size_t(found.result_count))) {
    if (value.rank != 0)
      throw Error(AXL_ERROR_ARGUMENT,
                  concat(describe(model.description(), found), " has result '", value.name, "', ",
                         describe(model.description(), value),
                         "; in training and evaluation results must be numbers without axes",
                         place(model.description(), value.location)));
    hasLoss |= loss == value.name && value.type == AXL_F32;
    resultViews.push_back(results.emplace_back(value.type, std::span<const int64_t>()));
  }
  values.resize(results.size());
  if (!hasLoss)
    throw Error(AXL_ERROR_ARGUMENT,
                concat(describe(model.description(), found), " needs a result '", loss,
                       "', f32 without axes", place(model.description(), found.location)));
}

AnyView StepCall::find(const Batch &batch, const char *name) const {
  std::string_view wanted = name;
  if (wanted == "seed")
    return View<const int32_t>(seedValue);
  if (wanted == "step")
    return View<const int32_t>(stepValue);
  if (wanted == "steps")
    return View<const int32_t>(stepsValue);
  for (const NamedTensor &entry : batch.tensors)
    if (entry.name == wanted)
      return entry.tensor;
  const axl_model &description = model.description();
  throw Error(AXL_ERROR_ARGUMENT,
              concat(describe(description, description.functions[index]), " takes an argument '",
                     name, "', which batches do not have; they have: seed, step, steps, ",
                     nameList(batch.tensors, [](const NamedTensor &entry) { return entry.name; })));
}

void StepCall::run(const Batch &batch, uint32_t seed, int64_t step) {
  const axl_function &function = model.description().functions[index];
  seedValue = int32_t(seed);
  stepValue = asArgument(step);
  arguments.clear();
  for (const axl_value &value : std::span(function.arguments, size_t(function.argument_count)))
    arguments.push_back(find(batch, value.name));
  model.call(index, arguments.data(), resultViews.data());
  for (size_t i = 0; i < results.size(); ++i)
    values[i] = numberOf(results[i]);
}

const double *StepCall::result(std::string_view name) const {
  const axl_function &function = model.description().functions[index];
  for (size_t i = 0; i < results.size(); ++i)
    if (name == function.results[i].name)
      return &values[i];
  return nullptr;
}

std::vector<std::pair<std::string, double>> StepCall::others() const {
  const axl_function &function = model.description().functions[index];
  std::vector<std::pair<std::string, double>> found;
  for (size_t i = 0; i < results.size(); ++i)
    if (lossName != function.results[i].name)
      found.emplace_back(function.results[i].name, values[i]);
  return found;
}
