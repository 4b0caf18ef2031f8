// What programs in C call (section 2 of the C interface): the C++ classes, with errors as codes.
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/core/Call.h"
#include "runtime/core/Error.h"
#include "runtime/core/Session.h"
#include "runtime/core/Tables.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>

using namespace axloom::runtime;

struct axl_instance {
  Model model;
  TrainingPosition position = {}; // of the checkpoint that was loaded last
};

struct axl_session {
  Session session;
};

namespace {

// Runs a piece of C++ and turns what it throws into a code.
template <class Action> int guarded(Action &&action) {
  try {
    action();
    return AXL_OK;
  } catch (const Error &error) {
    return axl_report(error.code(), error.what());
  } catch (const std::bad_alloc &) {
    return axl_report(AXL_ERROR_MEMORY, "the machine has no memory left");
  } catch (const std::exception &error) {
    return axl_report(AXL_ERROR_INTERNAL, error.what());
  }
}

// What a pointer of the caller points to.
template <class T> T &required(T *pointer, const char *name) {
  if (!pointer)
    throw Error(AXL_ERROR_ARGUMENT, concat("'", name, "' is NULL"));
  return *pointer;
}

// An array of the caller, which may be NULL if it has no elements.
template <class T> std::span<const T> array(const T *first, int32_t count, const char *name) {
  return {count > 0 ? &required(first, name) : first, size_t(count)};
}

// Whether a variable of sessions has this size.
bool isOfSession(const axl_model &model, int32_t symbol) {
  return std::ranges::any_of(
      std::span(model.variables, size_t(model.variable_count)),
      [&](const axl_variable_info &variable) {
        return variable.kind == AXL_SESSION &&
               std::ranges::any_of(std::span(variable.value.extents, size_t(variable.value.rank)),
                                   [&](const axl_extent &extent) {
                                     return std::ranges::count(symbolsOf(extent), symbol) > 0;
                                   });
      });
}

// A tensor whose rank can be trusted.
AnyView viewOf(const axl_host_tensor &tensor, bool writable) {
  if (tensor.rank < 0 || tensor.rank > AXL_MAX_RANK)
    throw Error(AXL_ERROR_ARGUMENT, concat("a tensor has ", tensor.rank, " axes; it must have at ",
                                           "least 0 and at most ", AXL_MAX_RANK));
  return AnyView(tensor, writable);
}

void call(Model &model, Session *session, int32_t function, const axl_host_tensor *arguments,
          const axl_host_tensor *results) {
  const axl_model &description = model.description();
  const axl_function &found = functionAt(description, function);
  ModelState &state = model.internals();
  if (session && session->internals().owner != &state)
    throw Error(AXL_ERROR_ARGUMENT, concat("this session is one of another instance of a model; "
                                           "open one of this instance of '",
                                           description.name, "'"));
  CallBuffers &buffers = session ? session->internals().buffers : state.buffers;
  buffers.orderedArguments.clear();
  for (const axl_host_tensor &tensor : array(arguments, found.argument_count, "arguments"))
    buffers.orderedArguments.push_back(viewOf(tensor, false));
  buffers.orderedResults.clear();
  for (const axl_host_tensor &tensor : array(results, found.result_count, "results"))
    buffers.orderedResults.push_back(viewOf(tensor, true));
  callFunction(state, session ? &session->internals() : nullptr, function,
               buffers.orderedArguments.data(), buffers.orderedResults.data());
}

// Models without variables that stay open: one for each description.
struct SharedModel {
  std::mutex mutex;
  std::unique_ptr<Model> model;
};

SharedModel &sharedModel(const axl_model *description) {
  static std::mutex mutex;
  static std::map<const axl_model *, SharedModel> models;
  std::lock_guard lock(mutex);
  return models[description];
}

} // namespace

int axl_open(const axl_model *model, uint32_t seed, axl_instance **instance) {
  return guarded([&] {
    axl_instance *&opened = required(instance, "instance");
    opened = new axl_instance{Model(required(model, "model"), seed)};
  });
}

void axl_close(axl_instance *instance) { delete instance; }

int axl_session_open(axl_instance *instance, const int64_t *sizes, axl_session **session) {
  return guarded([&] {
    Model &model = required(instance, "instance").model;
    const axl_model &description = model.description();
    std::vector<NamedSize> named;
    std::span given = array(sizes, description.symbol_count, "sizes");
    for (size_t i = 0; i < given.size(); ++i)
      if (given[i] != 0 || isOfSession(description, int32_t(i)))
        named.push_back({description.symbols[i].name, given[i]});
    axl_session *&opened = required(session, "session");
    opened = new axl_session{Session(model, named)};
  });
}

void axl_session_close(axl_session *session) { delete session; }

int axl_call(axl_instance *instance, axl_session *session, int32_t function,
             const axl_host_tensor *arguments, const axl_host_tensor *results) {
  return guarded([&] {
    call(required(instance, "instance").model, session ? &session->session : nullptr, function,
         arguments, results);
  });
}

int axl_call_kernel(const axl_model *model, int32_t function, const axl_host_tensor *arguments,
                    const axl_host_tensor *results) {
  return guarded([&] {
    SharedModel &shared = sharedModel(&required(model, "model"));
    std::lock_guard lock(shared.mutex);
    if (!shared.model)
      shared.model = std::make_unique<Model>(*model);
    call(*shared.model, nullptr, function, arguments, results);
  });
}

int axl_variable_get(axl_instance *instance, const char *name, const axl_host_tensor *tensor) {
  return guarded([&] {
    Model &model = required(instance, "instance").model;
    int32_t index = variableIndex(model.description(), &required(name, "name"), false);
    model.readVariable(index, viewOf(required(tensor, "tensor"), true));
  });
}

int axl_variable_set(axl_instance *instance, const char *name, const axl_host_tensor *tensor) {
  return guarded([&] {
    required(instance, "instance")
        .model.writeVariable(&required(name, "name"), viewOf(required(tensor, "tensor"), false));
  });
}

int axl_save(axl_instance *instance, const char *path) {
  return guarded([&] {
    axl_instance &saved = required(instance, "instance");
    saveCheckpoint(saved.model, saved.position, &required(path, "path"));
  });
}

int axl_load(axl_instance *instance, const char *path) {
  return guarded([&] {
    axl_instance &loaded = required(instance, "instance");
    loaded.position = loadCheckpoint(loaded.model, &required(path, "path")).position;
  });
}

int axl_load_parameters(axl_instance *instance, const char *path) {
  return guarded(
      [&] { loadParameters(required(instance, "instance").model, &required(path, "path")); });
}
