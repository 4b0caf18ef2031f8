#include "tests/bench/Calls.h"

#include "runtime/checkpoint/Safetensors.h"
#include "runtime/core/Tables.h"
#include "runtime/device/ScratchPool.h"

using namespace axloom::runtime;

namespace axloom::bench {
namespace {

int64_t valueOf(std::string_view name, const Values &values) {
  auto found = values.find(name);
  if (found == values.end())
    throw Error(AXL_ERROR_ARGUMENT, concat("there is no value for '", name, "'"));
  return found->second;
}

int64_t evaluate(const axl_model &model, const axl_extent &extent, const Values &values) {
  int64_t size = extent.factor;
  for (int32_t symbol : extent.symbols) {
    if (symbol < 0)
      break;
    size *= valueOf(model.symbols[symbol].name, values);
  }
  return size;
}

// Spreads 0, 1, 2, ... over all 32-bit numbers.
uint32_t scatter(int64_t index) { return uint32_t(index) * 2654435761u; }

// Between -1 and 1.
template <class T> void fillWithNumbers(View<T> numbers) {
  for (int64_t i = 0; T &number : numbers)
    number = T(float(scatter(i++)) * 0x1p-31f - 1);
}

// Ids below all limits, or 1 where there is none. Those below a fixed limit are tokens, which begin
// behind the padding, unless there are two kinds of them only.
void fillWithIds(View<int32_t> ids, const axl_model &model, const axl_value &value,
                 const Values &values) {
  bool tokens = true;
  int64_t end = INT32_MAX;
  for (const axl_extent &limit : limitsOf(value)) {
    end = std::min(end, evaluate(model, limit, values));
    tokens &= limit.symbols[0] < 0 && end > 2;
  }
  int64_t first = tokens ? 1 : 0, range = end == INT32_MAX ? 1 : end - first;
  for (int64_t i = 0; int32_t &id : ids)
    id = int32_t(first + int64_t(scatter(i++)) % range);
}

void fill(Tensor &tensor, const axl_model &model, const axl_value &value, const Values &values) {
  if (tensor.type() == AXL_I32) {
    fillWithIds(tensor.view<int32_t>(), model, value, values);
  } else if (tensor.type() == AXL_F32) {
    fillWithNumbers(tensor.view<float>());
  } else if (tensor.type() == AXL_BF16) {
    fillWithNumbers(tensor.view<BFloat16>());
  } else {
    throw Error(AXL_ERROR_ARGUMENT, concat("'", value.name, "' is none of i32, f32 and bf16"));
  }
}

} // namespace

Call::Call(Model &model, Session *session, const std::string &name, const Values &values)
    : model(model), session(session), function(model.function(name)) {
  const axl_function &called = model.description().functions[function];
  for (int32_t i = 0; i < called.argument_count; ++i) {
    const axl_value &value = called.arguments[i];
    Tensor &tensor = tensors.emplace_back(make(value, values));
    if (value.rank == 0 && value.type == AXL_I32)
      tensor.view<int32_t>()[0] = int32_t(valueOf(value.name, values));
    else
      fill(tensor, model.description(), value, values);
    arguments.emplace_back(tensor);
  }
  for (int32_t i = 0; i < called.result_count; ++i)
    results.emplace_back(tensors.emplace_back(make(called.results[i], values)));
}

Tensor Call::make(const axl_value &value, const Values &values) const {
  std::vector<int64_t> extents;
  extents.reserve(size_t(value.rank));
  for (int32_t axis = 0; axis < value.rank; ++axis)
    extents.push_back(evaluate(model.description(), value.extents[axis], values));
  return Tensor(value.type, extents);
}

void Call::run() {
  if (session)
    session->call(function, arguments.data(), results.data());
  else
    model.call(function, arguments.data(), results.data());
}

std::vector<Named> Call::named() const {
  const axl_function &called = model.description().functions[function];
  std::vector<Named> found;
  found.reserve(tensors.size());
  for (int32_t i = 0; i < called.argument_count; ++i)
    found.push_back({called.arguments[i].name, arguments[size_t(i)]});
  for (int32_t i = 0; i < called.result_count; ++i)
    found.push_back({called.results[i].name, results[size_t(i)]});
  return found;
}

Call &Calls::find(const std::string &function, const Values &values) {
  auto key = std::pair(function, values);
  if (auto found = calls.find(key); found != calls.end())
    return found->second;
  bool needsSession = model.description().functions[model.function(function)].uses_session;
  return calls.try_emplace(key, model, needsSession ? &session(values) : nullptr, function, values)
      .first->second;
}

Session &Calls::session(const Values &values) {
  std::unique_ptr<Session> &found = sessions[values];
  if (!found) {
    std::vector<NamedSize> sizes;
    for (int32_t i = 0; i < model.description().symbol_count; ++i) {
      const char *name = model.description().symbols[i].name;
      sizes.push_back({name, valueOf(name, values)});
    }
    found = std::make_unique<Session>(model, sizes);
  }
  return *found;
}

int64_t Calls::workingBytes() const { return model.arenaBytes() + int64_t(scratchBytes()); }

void Calls::writeParameters(const std::string &path) {
  model.initialize(model.seed());
  std::span variables(model.description().variables, size_t(model.description().variable_count));
  std::vector<NamedTensor> parameters;
  for (const axl_variable_info &variable : variables)
    if (variable.kind == AXL_PARAMETER)
      parameters.push_back({variable.value.name, model.variable(variable.value.name)});
  std::vector<Named> views;
  views.reserve(parameters.size());
  for (NamedTensor &parameter : parameters)
    views.push_back({parameter.name, parameter.tensor});
  writeSafetensors(path, views, {});
}

void Calls::writeExample(const std::string &path, const std::string &function,
                         const Values &values) {
  Call &call = find(function, values);
  model.initialize(model.seed());
  call.run();
  writeSafetensors(path, call.named(), {});
}

} // namespace axloom::bench
