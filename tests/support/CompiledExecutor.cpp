// One call of a compiled function, from arrays of the interpreter and back:
//   1. compile the module, unless it was before;
//   2. set the variables of a fresh model, and session variables of a fresh session, from the
//   inputs;
//   3. copy the arguments into tensors in their declared order, call, copy results and variables
//   back.

#include "tests/support/CompiledExecutor.h"

#include "runtime/Runtime.h"
#include "runtime/core/ModelState.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

CompiledExecutor::CompiledExecutor(codegen::CompilerOptions given)
    : options(std::move(given)), backend(codegen::createBackend(options.target)) {
  const char *folder = std::getenv("AXLOOM_TEST_CACHE");
  if (options.kernels.cacheFolder.empty())
    options.kernels.cacheFolder = folder ? folder : cache.path();
}

static codegen::CompilerOptions hostOptions() {
  codegen::CompilerOptions options;
  options.name = "compiled";
  options.target = codegen::Target::host();
  return options;
}

CompiledExecutor::CompiledExecutor() : CompiledExecutor(hostOptions()) {}

const SharedBundle *CompiledExecutor::compile(ModuleOp module) {
  std::unique_ptr<SharedBundle> &known = bundles[print(module)];
  if (known)
    return known.get();
  OwningOpRef<ModuleOp> copy(module.clone());
  FailureOr<codegen::Bundle> bundle = codegen::Compiler(options, *backend).compile(*copy);
  if (succeeded(bundle))
    known = std::make_unique<SharedBundle>(*bundle);
  return known.get();
}

/// The axes of a dimension: those of a ragged pair are one, "batch.position".
static std::vector<std::string> axesOf(const char *dimension) {
  SmallVector<StringRef> names;
  StringRef(dimension).split(names, '.');
  return {names.begin(), names.end()};
}

/// Calls visit(offset in a tensor of the declared order, offset in the array) for each element that
/// exists: ragged tensors are packed, arrays of the interpreter padded.
template <class Function>
static void forEachElement(const axl_value &value, const Array &array, Function visit) {
  std::vector<int64_t> places;
  int64_t count = 1;
  for (int32_t dimension = 0; dimension < value.rank; ++dimension)
    for (const std::string &axis : axesOf(value.axes[dimension])) {
      places.push_back(array.space.position(axis));
      count *= array.space.extents()[places.back()];
    }
  std::vector<int64_t> point(places.size());
  int64_t element = 0;
  for (int64_t index = 0; index < count; ++index) {
    int64_t rest = index, offset = 0;
    for (size_t i = places.size(); i-- > 0;) {
      int64_t extent = array.space.extents()[places[i]];
      point[places[i]] = rest % extent;
      offset += rest % extent * array.stride(array.space.axes()[places[i]].name.getValue());
      rest /= extent;
    }
    if (array.space.contains(point))
      visit(element++, offset);
  }
}

/// The extents of a tensor in the declared order.
static std::vector<int64_t> extentsOf(const axl_value &value, const Array &array,
                                      const Sizes &sizes) {
  std::vector<int64_t> extents;
  for (int32_t dimension = 0; dimension < value.rank; ++dimension) {
    std::vector<ir::Axis> axes;
    for (const std::string &axis : axesOf(value.axes[dimension]))
      axes.push_back(array.space.axes()[array.space.position(axis)]);
    int64_t extent = 0;
    Space(axes, sizes).forEach([&](Point) { ++extent; });
    extents.push_back(extent);
  }
  return extents;
}

/// Calls visit with a typed pointer to the elements of a tensor.
template <class Function> static void withElements(int32_t type, const void *data, Function visit) {
  auto *memory = const_cast<void *>(data);
  switch (type) {
  case AXL_F32:
    return visit(static_cast<float *>(memory));
  case AXL_BF16:
    return visit(static_cast<runtime::BFloat16 *>(memory));
  case AXL_F64:
    return visit(static_cast<double *>(memory));
  case AXL_I32:
    return visit(static_cast<int32_t *>(memory));
  default:
    return visit(static_cast<bool *>(memory));
  }
}

static runtime::Tensor toTensor(const axl_value &value, const Array &array, const Sizes &sizes) {
  runtime::Tensor tensor(value.type, extentsOf(value, array, sizes));
  withElements(value.type, tensor.data(), [&](auto *elements) {
    using Element = std::remove_pointer_t<decltype(elements)>;
    forEachElement(value, array, [&](int64_t to, int64_t from) {
      if constexpr (std::is_same_v<Element, runtime::BFloat16>)
        elements[to] = Element(float(array.values[from]));
      else
        elements[to] = Element(array.values[from]);
    });
  });
  return tensor;
}

static Array toArray(const axl_value &value, const runtime::Tensor &tensor,
                     ir::NamedTensorType type, const Sizes &sizes) {
  Array array(type.getAxes(), sizes);
  withElements(value.type, tensor.data(), [&](auto *elements) {
    forEachElement(value, array, [&](int64_t from, int64_t to) {
      if constexpr (std::is_same_v<decltype(elements), runtime::BFloat16 *>)
        array.values[to] = double(float(elements[from]));
      else
        array.values[to] = double(elements[from]);
    });
  });
  return array;
}

static ir::NamedTensorType typeOfVariable(ModuleOp module, StringRef name) {
  return llvm::cast<ir::NamedTensorType>(module.lookupSymbol<ir::VariableOp>(name).getType());
}

namespace {
/// A call of one function of a loaded bundle.
class CompiledCall {
public:
  CompiledCall(const axl_model &tables, ModuleOp module, StringRef name, const Inputs &inputs);

  Outputs run();

private:
  void setVariables();
  void writeSession(int32_t index, const runtime::Tensor &value);
  runtime::Tensor lengthsOf(const axl_lengths &given) const;
  /// The order in which a module's functions stand is that of the tables.
  bool isSession(const axl_variable_info &variable) const { return variable.kind == AXL_SESSION; }

  const axl_model &tables;
  ModuleOp module;
  func::FuncOp function;
  const Inputs &inputs;
  runtime::Model model;
  std::optional<runtime::Session> session;
};
} // namespace

static std::vector<runtime::NamedSize> namedSizes(const Sizes &sizes) {
  std::vector<runtime::NamedSize> named;
  for (const auto &[symbol, value] : sizes.symbols)
    named.push_back({symbol, value});
  return named;
}

CompiledCall::CompiledCall(const axl_model &tables, ModuleOp module, StringRef name,
                           const Inputs &inputs)
    : tables(tables), module(module), function(functionOf(module, name)), inputs(inputs),
      model(tables) {
  if (tables.functions[model.function(name.str())].uses_session)
    session.emplace(model, namedSizes(inputs.sizes));
}

void CompiledCall::setVariables() {
  for (int32_t index = 0; index < tables.variable_count; ++index) {
    const axl_variable_info &variable = tables.variables[index];
    auto given = inputs.variables.find(variable.value.name);
    if (given == inputs.variables.end() || (isSession(variable) && !session))
      continue;
    runtime::Tensor value = toTensor(variable.value, given->second, inputs.sizes);
    if (isSession(variable))
      writeSession(index, value);
    else
      model.writeVariable(index, value);
  }
}

/// Programs fill a session's variables by calls alone.
void CompiledCall::writeSession(int32_t index, const runtime::Tensor &value) {
  const runtime::SessionState &state = session->internals();
  const axl_device &device = *state.owner->device;
  const axl_tensor &variable = state.variables.tensors[index];
  runtime::check(
      device.copy_in(&device, variable.memory, variable.offset, value.data(), value.bytes()));
}

/// Lengths follow the arguments of the graph.
runtime::Tensor CompiledCall::lengthsOf(const axl_lengths &given) const {
  const std::vector<int64_t> &lengths = inputs.sizes.lengths.at(tables.symbols[given.symbol].name);
  runtime::Tensor tensor = runtime::Tensor::of<int32_t>({int64_t(lengths.size())});
  llvm::copy(lengths, tensor.view<int32_t>().begin());
  return tensor;
}

Outputs CompiledCall::run() {
  setVariables();
  int32_t index = model.function(function.getSymName().str());
  const axl_function &table = tables.functions[index];
  std::vector<runtime::Tensor> arguments, results;
  std::vector<runtime::AnyView> in, out;
  for (size_t i = 0; i < inputs.arguments.size(); ++i)
    arguments.push_back(toTensor(table.arguments[i], inputs.arguments[i], inputs.sizes));
  for (const axl_lengths &given : std::span(table.lengths, size_t(table.lengths_count)))
    arguments.push_back(lengthsOf(given));
  for (int32_t i = 0; i < table.result_count; ++i) {
    Array shape(llvm::cast<ir::NamedTensorType>(function.getResultTypes()[i]).getAxes(),
                inputs.sizes);
    results.push_back(toTensor(table.results[i], shape, inputs.sizes));
    std::memset(results.back().data(), 0xff, size_t(results.back().bytes())); // all is written
  }
  for (runtime::Tensor &tensor : arguments)
    in.push_back(tensor);
  for (runtime::Tensor &tensor : results)
    out.push_back(tensor);
  if (session)
    session->call(index, in.data(), out.data());
  else
    model.call(index, in.data(), out.data());

  Outputs outputs;
  for (int32_t i = 0; i < table.result_count; ++i)
    outputs.results.push_back(toArray(table.results[i], results[i],
                                      llvm::cast<ir::NamedTensorType>(function.getResultTypes()[i]),
                                      inputs.sizes));
  for (int32_t i = 0; i < tables.variable_count; ++i) {
    const axl_variable_info &variable = tables.variables[i];
    const char *name = variable.value.name;
    if (isSession(variable) && !session)
      continue;
    runtime::Tensor value = isSession(variable) ? session->variable(name) : model.variable(name);
    outputs.variables[name] =
        toArray(variable.value, value, typeOfVariable(module, name), inputs.sizes);
  }
  return outputs;
}

FailureOr<Outputs> CompiledExecutor::run(ModuleOp module, StringRef name, const Inputs &inputs) {
  const SharedBundle *bundle = compile(module);
  if (!bundle)
    return failure();
  try {
    return CompiledCall(bundle->model(), module, name, inputs).run();
  } catch (const runtime::Error &error) {
    return module.emitError(error.what());
  }
}
