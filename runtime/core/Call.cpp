#include "runtime/core/Call.h"

#include "runtime/core/Describe.h"
#include "runtime/core/FiniteCheck.h"
#include "runtime/core/Lengths.h"
#include "runtime/core/Packed.h"
#include "runtime/core/Sizes.h"
#include "runtime/core/Tables.h"
#include "runtime/profile/Trace.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

// Type, rank, memory.
void checkKind(const axl_model &model, const axl_function &function, const char *kind,
               const axl_value &value, const AnyView &view) {
  auto fail = [&](const auto &...problem) {
    throw Error(AXL_ERROR_ARGUMENT, concat(describe(model, function), ": ", kind, " '", value.name,
                                           "' ", problem..., place(model, value.location)));
  };
  if (view.type() != value.type || view.rank() != value.rank)
    fail("must be ", describe(model, value), ", but a tensor of ", describe(view), " was passed");
  for (int64_t extent : view.extents())
    if (extent < 0)
      fail("has a negative extent: ", describe(view));
  if (view.bytes() < 0)
    fail("is larger than any memory: ", describe(view));
  if (!view.data() && view.size() > 0)
    fail("has no memory (null)");
}

void checkArguments(const axl_model &model, const axl_function &function,
                    const AnyView *arguments) {
  for (size_t i = 0; i < argumentsOf(function).size(); ++i)
    checkKind(model, function, "argument", function.arguments[i], arguments[i]);
}

// Whether two tensors have bytes in common.
bool overlap(const AnyView &a, const AnyView &b) {
  auto start = [](const AnyView &view) { return uintptr_t(view.data()); };
  auto end = [&](const AnyView &view) { return start(view) + uintptr_t(view.bytes()); };
  return std::max(start(a), start(b)) < std::min(end(a), end(b));
}

// One call, from its caller's tensors to the generated entry.
class Call {
public:
  Call(ModelState &model, SessionState *session, const axl_function &function,
       const AnyView *arguments, const AnyView *results)
      : model(model), session(session), function(function), arguments(arguments), results(results),
        buffers(session ? session->buffers : model.buffers) {}

  void run() {
    if (function.uses_session && !session)
      throw Error(AXL_ERROR_ARGUMENT,
                  concat(where(), " keeps state in a session; call it through a Session"));
    if (session && !session->hasVariables())
      failWithoutVariables(where());
    checkArguments(model.model, function, arguments);
    checkResults();
    resolveSizes();
    checkLimits();
    checkOverlaps();
    placeTensors();
    drawMissingValues(model);
    if (model.checkFinite)
      checkFiniteInputs(model, session, function, buffers.arguments);
    enter();
    bringBackResults();
  }

private:
  std::string where() const { return describe(model.model, function); }

  void checkResults() const {
    for (size_t i = 0; i < resultsOf(function).size(); ++i) {
      checkKind(model.model, function, "result", function.results[i], results[i]);
      if (!results[i].writable())
        throw Error(AXL_ERROR_ARGUMENT, concat(where(), ": result '", function.results[i].name,
                                               "' was given memory that is read only"));
    }
  }

  // Results are written while arguments are still read.
  void checkOverlaps() const {
    for (size_t i = 0; i < resultsOf(function).size(); ++i) {
      for (size_t other = 0; other < argumentsOf(function).size(); ++other)
        checkApart(i, "argument", function.arguments[other], arguments[other]);
      for (size_t other = 0; other < i; ++other)
        checkApart(i, "result", function.results[other], results[other]);
    }
  }

  void checkApart(size_t result, const char *kind, const axl_value &value,
                  const AnyView &view) const {
    if (overlap(results[result], view))
      throw Error(AXL_ERROR_ARGUMENT,
                  concat(where(), ": result '", function.results[result].name,
                         "' was given memory that ", kind, " '", value.name,
                         "' has; give each result memory of its own",
                         place(model.model, function.results[result].location)));
  }

  void resolveSizes() {
    std::span<int64_t> sizes = buffers.sizes;
    if (session)
      std::copy(session->sizes.begin(), session->sizes.end(), sizes.begin());
    else
      std::fill(sizes.begin(), sizes.end(), -1);
    SizeResolver resolver(model.model, function, sizes);
    for (size_t i = 0; i < argumentsOf(function).size(); ++i)
      resolver.learn("argument", function.arguments[i], arguments[i]);
    for (size_t i = 0; i < resultsOf(function).size(); ++i)
      resolver.learn("result", function.results[i], results[i]);
    buffers.offsets.resize(size_t(model.model.symbol_count));
    deriveRaggedSizes(model.model, function, arguments, sizes, &buffers.offsets);
    resolver.infer(arguments, results);
    checkLengths(model.model, function, arguments, sizes); // some are known only now
    resolver.takeAnything(arguments, results);
    for (size_t i = 0; i < argumentsOf(function).size(); ++i)
      resolver.verify("argument", function.arguments[i], arguments[i]);
    for (size_t i = 0; i < resultsOf(function).size(); ++i)
      resolver.verify("result", function.results[i], results[i]);
  }

  // Indices into a table must lie inside it: generated code does not look.
  void checkLimits() const {
    for (size_t i = 0; i < argumentsOf(function).size(); ++i)
      for (const axl_extent &limit : limitsOf(function.arguments[i]))
        checkLimit(function.arguments[i], arguments[i], limit);
  }

  void checkLimit(const axl_value &value, const AnyView &indices, const axl_extent &limit) const {
    int64_t end = evaluate(limit, buffers.sizes);
    auto *elements = static_cast<const int32_t *>(indices.data());
    for (int64_t index = 0; index < indices.size(); ++index)
      if (elements[index] < 0 || elements[index] >= end)
        throw Error(AXL_ERROR_ARGUMENT,
                    concat(where(), ": argument '", value.name, "' has ", elements[index],
                           " as element ", index, "; values must be at least 0 and below ",
                           describe(model.model, limit, buffers.sizes),
                           place(model.model, value.location)));
  }

  // Device tensors for everything: in place on the host, in the staging block elsewhere.
  void placeTensors() {
    buffers.arguments.resize(argumentsOf(function).size());
    buffers.results.resize(resultsOf(function).size());
    int64_t end = 0;
    for (size_t i = 0; i < buffers.arguments.size(); ++i)
      buffers.arguments[i] = deviceTensor(arguments[i], end);
    for (size_t i = 0; i < buffers.results.size(); ++i)
      buffers.results[i] = deviceTensor(results[i], end);
    placeOffsets(end);
    if (model.device->host_memory)
      return;
    check(buffers.staging.reserve(end));
    for (size_t symbol = 0; symbol < buffers.offsets.size(); ++symbol) {
      axl_tensor &tensor = buffers.offsetTensors[symbol];
      tensor.memory = buffers.staging.get();
      const std::vector<int32_t> &offsets = buffers.offsets[symbol];
      copyIn(tensor, offsets.data(), int64_t(offsets.size() * sizeof(int32_t)));
    }
    for (axl_tensor &tensor : buffers.arguments)
      tensor.memory = buffers.staging.get();
    for (axl_tensor &tensor : buffers.results)
      tensor.memory = buffers.staging.get();
    for (size_t i = 0; i < buffers.arguments.size(); ++i)
      copyIn(buffers.arguments[i], arguments[i].data(), arguments[i].bytes());
  }

  // Where there is nothing to copy there may be no memory, either.
  void copyIn(const axl_tensor &tensor, const void *from, int64_t bytes) const {
    if (bytes > 0)
      check(model.device->copy_in(model.device, tensor.memory, tensor.offset, from, bytes));
  }

  // Where the entries of ragged batches start.
  void placeOffsets(int64_t &end) {
    buffers.offsetTensors.resize(buffers.offsets.size());
    for (size_t symbol = 0; symbol < buffers.offsets.size(); ++symbol) {
      axl_host_tensor offsets{buffers.offsets[symbol].data(), AXL_I32, 1, {}};
      offsets.extent[0] = int64_t(buffers.offsets[symbol].size());
      buffers.offsetTensors[symbol] = deviceTensor(AnyView(offsets, false), end);
    }
  }

  axl_tensor deviceTensor(const AnyView &view, int64_t &end) const {
    axl_tensor tensor{};
    tensor.type = view.type();
    tensor.rank = view.rank();
    for (int32_t axis = 0; axis < view.rank(); ++axis)
      tensor.extent[axis] = view.extent(axis);
    setPackedStrides(tensor);
    if (model.device->host_memory) {
      tensor.memory = static_cast<axl_memory>(view.data());
    } else {
      tensor.offset = end;
      end += (view.bytes() + AXL_ALIGNMENT - 1) / AXL_ALIGNMENT * AXL_ALIGNMENT;
    }
    return tensor;
  }

  void enter() {
    axl_context context{&model, session, &buffers};
    buffers.deferred.clear(); // of a call that failed
    buffers.prepared.clear();
    axl_report(AXL_OK, "");
    TracedCall traced(function.name);
    int code = function.entry(&context, buffers.arguments.data(), buffers.results.data());
    std::string message = code == AXL_OK ? "" : axl_last_error();
    // After a failure, too: what was asked for before it uses the caller's tensors.
    if (int waited = model.device->wait(model.device); code == AXL_OK && waited != AXL_OK) {
      code = waited;
      message = axl_last_error();
    }
    if (function.writes_variables)
      model.prepared.forget();
    else if (code != AXL_OK)
      model.prepared.forget(buffers.prepared);
    buffers.preparedInUse.clear();
    if (code != AXL_OK)
      throw Error(axl_code(code), concat(where(), ": ", message));
  }

  void bringBackResults() const {
    if (model.device->host_memory)
      return;
    for (size_t i = 0; i < buffers.results.size(); ++i)
      if (results[i].bytes() > 0)
        check(model.device->copy_out(model.device, results[i].data(), buffers.staging.get(),
                                     buffers.results[i].offset, results[i].bytes()));
  }

  ModelState &model;
  SessionState *session;
  const axl_function &function;
  const AnyView *arguments;
  const AnyView *results;
  CallBuffers &buffers;
};

} // namespace

void axloom::runtime::callFunction(ModelState &model, SessionState *session, int32_t function,
                                   const AnyView *arguments, const AnyView *results) {
  Call(model, session, functionAt(model.model, function), arguments, results).run();
}

void axloom::runtime::callFunction(ModelState &model, SessionState *session,
                                   std::string_view function, std::span<const Named> arguments,
                                   std::span<const Named> results) {
  int32_t index = functionIndex(model.model, function);
  const axl_function &found = model.model.functions[index];
  CallBuffers &buffers = session ? session->buffers : model.buffers;
  orderByName(model.model, found, "argument", argumentsOf(found), arguments,
              buffers.orderedArguments);
  orderByName(model.model, found, "result", resultsOf(found), results, buffers.orderedResults);
  callFunction(model, session, index, buffers.orderedArguments.data(),
               buffers.orderedResults.data());
}

int32_t axloom::runtime::findFunction(const axl_model &model, std::string_view name) {
  for (int32_t index = 0; index < model.function_count; ++index)
    if (name == model.functions[index].name)
      return index;
  return -1;
}

int32_t axloom::runtime::functionIndex(const axl_model &model, std::string_view name) {
  int32_t index = findFunction(model, name);
  if (index >= 0)
    return index;
  std::span functions(model.functions, size_t(model.function_count));
  throw Error(AXL_ERROR_ARGUMENT,
              concat("model '", model.name, "' has no function named '", name, "'; it has: ",
                     nameList(functions, [](const axl_function &other) { return other.name; })));
}

const axl_function &axloom::runtime::functionAt(const axl_model &model, int32_t index) {
  if (index < 0 || index >= model.function_count)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("model '", model.name, "' has no function number ", index));
  return model.functions[index];
}

void axloom::runtime::orderByName(const axl_model &model, const axl_function &function,
                                  const char *kind, std::span<const axl_value> table,
                                  std::span<const Named> named, std::vector<AnyView> &ordered) {
  auto fail = [&](std::string_view name, const char *problem) {
    throw Error(
        AXL_ERROR_ARGUMENT,
        concat(describe(model, function), ": ", kind, " '", name, "' ", problem, "; its ", kind,
               "s are: ", nameList(table, [](const axl_value &value) { return value.name; }),
               place(model, function.location)));
  };
  ordered.assign(table.size(), AnyView());
  for (size_t i = 0; i < table.size(); ++i) {
    size_t found = 0;
    for (const Named &candidate : named)
      if (candidate.name == table[i].name) {
        ordered[i] = candidate.view;
        ++found;
      }
    if (found != 1)
      fail(table[i].name, found ? "is passed twice" : "is missing");
  }
  for (const Named &candidate : named) {
    bool known = false;
    for (const axl_value &value : table)
      known |= candidate.name == value.name;
    if (!known)
      fail(candidate.name, "is unknown");
  }
}

std::vector<std::vector<int64_t>> axloom::runtime::resultExtents(const ModelState &model,
                                                                 int32_t function,
                                                                 const AnyView *arguments) {
  const axl_function &found = functionAt(model.model, function);
  checkArguments(model.model, found, arguments);
  std::vector<int64_t> sizes(size_t(model.model.symbol_count), -1);
  SizeResolver resolver(model.model, found, sizes);
  for (size_t i = 0; i < argumentsOf(found).size(); ++i)
    resolver.learn("argument", found.arguments[i], arguments[i]);
  deriveRaggedSizes(model.model, found, arguments, sizes, nullptr);
  resolver.infer(arguments, nullptr);
  resolver.takeAnything(arguments, nullptr);
  std::vector<std::vector<int64_t>> extents;
  for (const axl_value &result : resultsOf(found)) {
    extents.emplace_back();
    for (const axl_extent &extent : std::span(result.extents, size_t(result.rank))) {
      extents.back().push_back(evaluate(extent, sizes));
      if (extents.back().back() < 0)
        throw Error(AXL_ERROR_ARGUMENT,
                    concat(describe(model.model, found), ": the extents of result '", result.name,
                           "', ", describe(model.model, result),
                           ", do not follow from its arguments"));
    }
  }
  return extents;
}
