#include "runtime/core/Model.h"

#include "runtime/core/Call.h"
#include "runtime/core/CpuFeatures.h"
#include "runtime/core/Describe.h"
#include "runtime/device/Registry.h"
#include "runtime/device/Threads.h"
#include "runtime/profile/Machine.h"
#include "runtime/profile/Trace.h"

#include <cstdio>

using namespace axloom::runtime;

namespace {

void checkTable(const axl_model &model, const char *what, int64_t count, int64_t maximum) {
  if (count > maximum)
    throw Error(AXL_ERROR_INTERNAL, concat("model '", model.name, "': ", what, " has ", count,
                                           " entries; the runtime takes ", maximum));
}

// What the runtime relies on without looking again.
void checkTables(const axl_model &model) {
  for (const axl_kernel &kernel : std::span(model.kernels, size_t(model.kernel_count))) {
    checkTable(model, kernel.name, kernel.operand_count, AXL_MAX_OPERANDS);
    checkTable(model, kernel.name, kernel.loop_count, AXL_MAX_LOOPS);
    checkTable(model, kernel.name, kernel.size_count, AXL_MAX_SIZES);
    for (const axl_loop &loop : std::span(kernel.loops, size_t(kernel.loop_count)))
      if (loop.chunk <= 0)
        throw Error(AXL_ERROR_INTERNAL, concat("model '", model.name, "': kernel '", kernel.name,
                                               "' has a loop with chunks of ", loop.chunk));
  }
}

void checkMachine(const axl_model &model) {
  if (model.abi_version != AXL_ABI_VERSION)
    throw Error(AXL_ERROR_ABI,
                concat("model '", model.name, "' was generated for version ", model.abi_version,
                       " of the runtime's interface, but this is "
                       "version ",
                       AXL_ABI_VERSION, "; generate it again"));
  auto missing = missingCpuFeatures(std::span(model.features, size_t(model.feature_count)));
  if (!missing.empty())
    throw Error(AXL_ERROR_CPU,
                concat("model '", model.name, "' was compiled for ", model.target,
                       ", but this machine lacks ",
                       nameList(missing, [](const std::string &name) { return name; }),
                       "; compile it with --target= for this machine"));
}

} // namespace

Model::Model(const axl_model &description, uint32_t seed, const axl_device *device) {
  checkMachine(description);
  checkTables(description);
  startHost();
  Trace::startFromEnvironment();
  if (!device)
    device = findDevice(description.device);
  state = std::make_unique<ModelState>(description, seed, device);
  state->buffers.sizes.assign(size_t(description.symbol_count), -1);
  createVariables(*state);
}

Model::Model(Model &&) noexcept = default;
Model &Model::operator=(Model &&other) noexcept {
  Model moved(std::move(other));
  std::swap(state, moved.state); // what was here ends as any other model does
  return *this;
}

Model::~Model() {
  if (!state || !state->profile)
    return;
  const axl_model &model = description();
  std::unique_ptr<Profile> profile = std::move(state->profile);
  state.reset(); // measuring takes memory
  try {
    int threads = threadCount();
    Limits machine{peakGflops(threads), readBandwidth(threads), peakBf16Gflops(threads)};
    std::fputs(profile->table(machine).c_str(), stderr);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "axloom: no profile of model '%s': %s\n", model.name, error.what());
  }
}

const axl_model &Model::description() const { return state->model; }

uint32_t Model::seed() const { return state->seed; }

void Model::call(std::string_view function, std::span<const Named> arguments,
                 std::span<const Named> results) {
  callFunction(*state, nullptr, function, arguments, results);
}

void Model::call(std::string_view function, std::initializer_list<Named> arguments,
                 std::initializer_list<Named> results) {
  call(function, std::span(arguments.begin(), arguments.size()),
       std::span(results.begin(), results.size()));
}

void Model::call(int32_t function, const AnyView *arguments, const AnyView *results) {
  callFunction(*state, nullptr, function, arguments, results);
}

std::vector<NamedTensor> Model::run(std::string_view function, std::span<const Named> arguments) {
  int32_t index = this->function(function);
  const axl_function &found = description().functions[index];
  std::vector<AnyView> ordered;
  orderByName(description(), found, "argument",
              std::span(found.arguments, size_t(found.argument_count)), arguments, ordered);
  auto extents = resultExtents(*state, index, ordered.data());
  std::vector<NamedTensor> results;
  std::vector<AnyView> views;
  for (int32_t i = 0; i < found.result_count; ++i) {
    results.push_back({found.results[i].name, Tensor(found.results[i].type, extents[i])});
    views.push_back(results.back().tensor);
  }
  call(index, ordered.data(), views.data());
  return results;
}

std::vector<NamedTensor> Model::run(std::string_view function,
                                    std::initializer_list<Named> arguments) {
  return run(function, std::span(arguments.begin(), arguments.size()));
}

int32_t Model::findFunction(std::string_view name) const {
  return axloom::runtime::findFunction(description(), name);
}

int32_t Model::function(std::string_view name) const { return functionIndex(description(), name); }

int32_t Model::findVariable(std::string_view name) const {
  std::span infos(description().variables, size_t(description().variable_count));
  for (size_t index = 0; index < infos.size(); ++index)
    if (infos[index].kind != AXL_SESSION && name == infos[index].value.name)
      return int32_t(index);
  return -1;
}

Tensor Model::variable(std::string_view name) const {
  const axl_tensor &found = state->variables.tensors[variableIndex(description(), name, false)];
  Tensor copy(found.type, std::span(found.extent, size_t(found.rank)));
  drawMissingValues(*state);
  axloom::runtime::readVariable(*state, found, copy);
  return copy;
}

namespace {

// The table's entry of a parameter or state.
const axl_variable_info &variableAt(const axl_model &model, int32_t index) {
  if (index < 0 || index >= model.variable_count)
    throw Error(AXL_ERROR_ARGUMENT, concat("model '", model.name, "' has no variable number ",
                                           index, "; it has ", model.variable_count));
  const axl_variable_info &info = model.variables[index];
  if (info.kind == AXL_SESSION)
    throw Error(AXL_ERROR_ARGUMENT, concat("variable '", info.value.name, "' of model '",
                                           model.name, "' belongs to its sessions"));
  return info;
}

// The tensor of a variable, after a check that `view` has its type and extents.
const axl_tensor &matching(const ModelState &state, int32_t index, const AnyView &view) {
  const axl_value &value = variableAt(state.model, index).value;
  const axl_tensor &tensor = state.variables.tensors[index];
  bool fits = view.type() == tensor.type && view.rank() == tensor.rank;
  for (int32_t axis = 0; fits && axis < tensor.rank; ++axis)
    fits = view.extent(axis) == tensor.extent[axis];
  if (!fits)
    throw Error(AXL_ERROR_ARGUMENT, concat("variable '", value.name, "' of model '",
                                           state.model.name, "' is ", describe(state.model, value),
                                           ", but the tensor passed is ", describe(view)));
  if (!view.data() && view.size() > 0)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("the tensor passed for variable '", value.name, "' of model '",
                       state.model.name, "' has no memory (null)"));
  return tensor;
}

} // namespace

void Model::readVariable(int32_t index, const AnyView &destination) const {
  if (!destination.writable())
    throw Error(AXL_ERROR_ARGUMENT,
                concat("variable '", variableAt(description(), index).value.name, "' of model '",
                       description().name, "' was to be copied into memory that is read only"));
  const axl_tensor &tensor = matching(*state, index, destination);
  drawMissingValues(*state);
  axloom::runtime::readVariable(*state, tensor, destination);
}

void Model::writeVariable(int32_t index, const AnyView &source) {
  const axl_tensor &tensor = matching(*state, index, source);
  state->prepared.forget();
  check(state->device->wait(state->device));
  check(state->device->copy_in(state->device, tensor.memory, tensor.offset, source.data(),
                               source.bytes()));
  std::lock_guard lock(state->missing.drawing);
  state->missing.ofVariable[size_t(index)] = false;
}

void Model::writeVariable(std::string_view name, const AnyView &source) {
  writeVariable(variableIndex(description(), name, false), source);
}

void Model::initialize(uint32_t seed) {
  state->seed = seed;
  state->prepared.forget();
  lackAllValues(*state);
}

int64_t Model::arenaBytes() const { return state->buffers.arena.bytes(); }

void Model::checkFinite(bool on) { state->checkFinite = on; }
