#include "runtime/core/Describe.h"
#include "runtime/core/Initialize.h"
#include "runtime/core/ModelState.h"
#include "runtime/core/Packed.h"
#include "runtime/core/Sizes.h"
#include "runtime/core/Tensor.h"

#include <utility>

using namespace axloom::runtime;

namespace {

// Gaps between variables, so that a kernel that walks through several of one shape does not meet
// the same cache sets in all of them.
constexpr int64_t stagger = 5 * AXL_ALIGNMENT;

bool livesIn(const axl_variable_info &variable, bool session) {
  return (variable.kind == AXL_SESSION) == session;
}

[[noreturn]] void tooLarge(const axl_model &model, const axl_value &value) {
  throw Error(AXL_ERROR_MEMORY,
              concat("no memory for variable '", value.name, "' of model '", model.name, "', ",
                     describe(model, value), place(model, value.location), ": it is too large"));
}

axl_tensor packed(const axl_model &model, const axl_value &value, std::span<const int64_t> sizes) {
  axl_tensor tensor{};
  tensor.type = value.type;
  tensor.rank = value.rank;
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    int64_t extent = evaluate(value.extents[axis], sizes);
    if (extent < 0)
      throw Error(AXL_ERROR_SIZE,
                  concat("variable '", value.name, "' of model '", model.name, "' is ",
                         describe(model, value), place(model, value.location),
                         ": a session needs the value of each of these sizes"));
    tensor.extent[axis] = extent;
  }
  if (packedBytes(tensor) < 0)
    tooLarge(model, value);
  setPackedStrides(tensor);
  return tensor;
}

// The end of a variable that lies at `start`, and of the gap behind it.
int64_t endOf(const axl_model &model, const axl_value &value, const axl_tensor &tensor,
              int64_t start) {
  int64_t end;
  if (__builtin_add_overflow(start, packedBytes(tensor), &end) ||
      __builtin_add_overflow(end, stagger + AXL_ALIGNMENT - 1, &end))
    tooLarge(model, value);
  return end / AXL_ALIGNMENT * AXL_ALIGNMENT;
}

// Bytes of all variables, which lie one after the other. What is wrong with the sizes shows here,
// before anything changes.
int64_t bytesOf(const axl_model &model, bool session, std::span<const int64_t> sizes) {
  int64_t end = 0;
  for (const axl_variable_info &info : std::span(model.variables, size_t(model.variable_count)))
    if (livesIn(info, session))
      end = endOf(model, info.value, packed(model, info.value, sizes), end);
  return end;
}

void initializeOne(const ModelState &owner, const axl_variable_info &variable, uint32_t seed,
                   const axl_tensor &tensor) {
  std::span<const int64_t> extents(tensor.extent, size_t(tensor.rank));
  if (owner.device->host_memory) {
    axl_host_tensor host{
        reinterpret_cast<char *>(tensor.memory) + tensor.offset, tensor.type, tensor.rank, {}};
    std::copy(extents.begin(), extents.end(), host.extent);
    return initialize(variable, seed, AnyView(host, true));
  }
  Tensor values(tensor.type, extents);
  initialize(variable, seed, values);
  check(owner.device->copy_in(owner.device, tensor.memory, tensor.offset, values.data(),
                              values.bytes()));
}

// Variables without values, of so many bytes.
void allocate(const axl_model &model, bool session, std::span<const int64_t> sizes, int64_t bytes,
              Variables &variables) {
  std::span infos(model.variables, size_t(model.variable_count));
  int64_t end = 0;
  check(variables.memory.reserve(bytes));
  variables.tensors.assign(infos.size(), axl_tensor{});
  for (size_t index = 0; index < infos.size(); ++index) {
    if (!livesIn(infos[index], session))
      continue;
    axl_tensor &tensor = variables.tensors[index] = packed(model, infos[index].value, sizes);
    tensor.memory = variables.memory.get();
    tensor.offset = std::exchange(end, endOf(model, infos[index].value, tensor, end));
  }
}

} // namespace

void axloom::runtime::createVariables(ModelState &model) {
  std::span<const int64_t> sizes = model.buffers.sizes;
  allocate(model.model, false, sizes, bytesOf(model.model, false, sizes), model.variables);
  for (size_t index = 0; index < model.variables.tensors.size(); ++index)
    if (model.variables.tensors[index].memory)
      requireInitializer(model.model.variables[index]);
  lackAllValues(model);
}

void axloom::runtime::createVariables(const ModelState &owner, std::span<const int64_t> sizes,
                                      Variables &ofSession) {
  int64_t bytes = bytesOf(owner.model, true, sizes);
  try {
    allocate(owner.model, true, sizes, bytes, ofSession);
    for (size_t index = 0; index < ofSession.tensors.size(); ++index)
      if (ofSession.tensors[index].memory)
        initializeOne(owner, owner.model.variables[index], owner.seed, ofSession.tensors[index]);
  } catch (...) {
    ofSession.tensors.clear(); // they are nowhere, or without values
    throw;
  }
}

void axloom::runtime::failWithoutVariables(const std::string &where) {
  throw Error(AXL_ERROR_ARGUMENT, concat(where, ": the session has had no variables since its last "
                                                "reset failed; reset it again"));
}

void axloom::runtime::lackAllValues(ModelState &model) {
  const std::vector<axl_tensor> &tensors = model.variables.tensors;
  model.missing.ofVariable.assign(tensors.size(), false);
  for (size_t index = 0; index < tensors.size(); ++index)
    model.missing.ofVariable[index] = tensors[index].memory != nullptr;
  model.missing.any = true;
}

void axloom::runtime::drawMissingValues(ModelState &model) {
  if (!model.missing.any)
    return;
  std::lock_guard lock(model.missing.drawing);
  std::vector<bool> &missing = model.missing.ofVariable;
  for (size_t index = 0; index < missing.size(); ++index)
    if (missing[index]) {
      initializeOne(model, model.model.variables[index], model.seed,
                    model.variables.tensors[index]);
      missing[index] = false;
    }
  model.missing.any = false;
}

int32_t axloom::runtime::variableIndex(const axl_model &model, std::string_view name,
                                       bool session) {
  std::span infos(model.variables, size_t(model.variable_count));
  std::string names;
  for (size_t index = 0; index < infos.size(); ++index) {
    if (!livesIn(infos[index], session))
      continue;
    if (name == infos[index].value.name)
      return int32_t(index);
    names += names.empty() ? "" : ", ";
    names += infos[index].value.name;
  }
  throw Error(AXL_ERROR_ARGUMENT,
              concat("model '", model.name, "' has no ", session ? "session " : "",
                     "variable named '", name, "'; it has: ", names.empty() ? "none" : names));
}

void axloom::runtime::readVariable(const ModelState &owner, const axl_tensor &variable,
                                   const AnyView &destination) {
  check(owner.device->wait(owner.device));
  check(owner.device->copy_out(owner.device, destination.data(), variable.memory, variable.offset,
                               destination.bytes()));
}
