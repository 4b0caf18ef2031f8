// What is behind Model, Session and axl_context.
#pragma once

#include "runtime/core/Memory.h"
#include "runtime/core/Prepared.h"
#include "runtime/core/View.h"
#include "runtime/profile/Profile.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace axloom::runtime {

// Device memory and tensors of a model's variables, or of a session's. Entries of the other kind
// have no memory.
struct Variables {
  explicit Variables(const axl_device *device) : memory(device) {}

  DeviceMemory memory;
  std::vector<axl_tensor> tensors; // one for each entry of axl_model.variables
};

// Kernels that wait for the next launch, and the tensors and sizes of each, one after the other.
struct Deferred {
  std::vector<int32_t> kernels;
  std::vector<axl_tensor> tensors;
  std::vector<int32_t> sizes;

  void clear() {
    kernels.clear();
    tensors.clear();
    sizes.clear();
  }
};

// What calls use again and again; it grows with the shapes.
struct CallBuffers {
  explicit CallBuffers(const axl_device *device) : arena(device), staging(device) {}

  DeviceMemory arena;
  DeviceMemory staging;       // arguments and results, on devices with a memory of their own
  std::vector<int64_t> sizes; // a value for each size symbol; -1: not known
  // Of each symbol that is a total, where the entries of ragged tensors start; empty for others.
  std::vector<std::vector<int32_t>> offsets;
  std::vector<axl_tensor> offsetTensors; // the same on the device
  std::vector<axl_tensor> arguments;
  std::vector<axl_tensor> results;
  std::vector<AnyView> orderedArguments; // of a call by name
  std::vector<AnyView> orderedResults;
  Deferred deferred;
  std::vector<int32_t> prepared; // what this call has had made: indices of axl_model.prepared
  std::vector<std::shared_ptr<DeviceMemory>> preparedInUse; // memory of what it has asked for
};

// Which of a model's variables still lack their initial values: they are drawn when something needs
// them, since a checkpoint often brings others first.
struct MissingValues {
  std::atomic<bool> any = false;
  std::mutex drawing; // calls of several sessions may be the first at the same time
  std::vector<bool> ofVariable;
};

struct ModelState {
  ModelState(const axl_model &model, uint32_t seed, const axl_device *device)
      : model(model), device(device), seed(seed), variables(device), prepared(model, device),
        buffers(device), profile(Profile::fromEnvironment(model)) {}

  const axl_model &model;
  const axl_device *device;
  uint32_t seed;
  Variables variables;
  MissingValues missing;
  Prepared prepared;
  CallBuffers buffers;
  bool checkFinite = false;
  std::unique_ptr<Profile> profile; // or null
};

struct SessionState {
  explicit SessionState(ModelState &owner)
      : owner(&owner), variables(owner.device), buffers(owner.device) {}

  // False after a reset that has failed.
  bool hasVariables() const {
    return variables.tensors.size() == size_t(owner->model.variable_count);
  }

  ModelState *owner;
  Variables variables;
  CallBuffers buffers;
  std::vector<int64_t> sizes;    // those fixed for the session; -1: each call decides
  std::vector<int64_t> proposed; // those that a reset tries; kept, so that none allocates
};

// Allocates the variables of a model, without values.
void createVariables(ModelState &model);

// Allocates and initializes the variables of a session, with these values of the size symbols.
void createVariables(const ModelState &owner, std::span<const int64_t> sizes, Variables &ofSession);

// Throws that a session has none; `where` they are needed.
[[noreturn]] void failWithoutVariables(const std::string &where);

// All of a model's variables are to get their initial values, whatever they have.
void lackAllValues(ModelState &model);

// Draws the initial values that a model still lacks; afterwards it lacks none.
void drawMissingValues(ModelState &model);

// Index of a variable by name that lives in a model or in a session; throws with the names that
// exist.
int32_t variableIndex(const axl_model &model, std::string_view name, bool session);

// A variable that has a value, as a host tensor.
void readVariable(const ModelState &owner, const axl_tensor &variable, const AnyView &destination);

} // namespace axloom::runtime

// One call in progress.
struct axl_context {
  axloom::runtime::ModelState *model;
  axloom::runtime::SessionState *session; // or null
  axloom::runtime::CallBuffers *buffers;
};
