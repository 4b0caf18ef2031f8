// An open model: its variables, its arena, and calls of its functions by name or by index.
//
//   axloom::runtime::Model model(translate_model, /*seed=*/1);
//   float loss;
//   model.call("train_step", {{"source", source}, {"target", target}}, {{"loss",
//   View<float>(loss)}});
//
// A call checks every name, type, rank, extent and declared value range before anything runs, and
// throws Error with what, where, expected and found. Once shapes are known, calls allocate nothing.
#pragma once

#include "runtime/core/Tensor.h"

#include <memory>
#include <string>

namespace axloom::runtime {

class Session;
struct ModelState; // runtime/core/ModelState.h

// The value of a size symbol.
struct NamedSize {
  std::string_view name;
  int64_t value;
};

class Model {
public:
  // Throws AXL_ERROR_CPU if this machine lacks an instruction set that the model needs: before any
  // generated instruction runs. `description` must outlive the model. device 0: the one that the
  // model was compiled for. Variables get their initial values when something first needs them:
  // what a file or a caller sets before is never drawn.
  explicit Model(const axl_model &description, uint32_t seed = 1,
                 const axl_device *device = nullptr);
  Model(Model &&) noexcept;
  Model &operator=(Model &&) noexcept;
  ~Model();

  const axl_model &description() const;
  uint32_t seed() const;

  // Calls a function by name. All arguments and results are named, in any order; a result shares
  // memory with none of the others.
  void call(std::string_view function, std::span<const Named> arguments,
            std::span<const Named> results);
  void call(std::string_view function, std::initializer_list<Named> arguments,
            std::initializer_list<Named> results);
  // The same by index, with everything in the order of the model's tables: what generated headers
  // use.
  void call(int32_t function, const AnyView *arguments, const AnyView *results);

  // Calls a function and allocates its results, whose extents must follow from the arguments.
  std::vector<NamedTensor> run(std::string_view function, std::span<const Named> arguments);
  std::vector<NamedTensor> run(std::string_view function, std::initializer_list<Named> arguments);

  // The index of a function; -1 if the model has none of this name.
  int32_t findFunction(std::string_view name) const;
  // The same, but throws AXL_ERROR_ARGUMENT with the names that exist.
  int32_t function(std::string_view name) const;

  // Parameters and state, copied out and in. Unknown names and other shapes throw.
  Tensor variable(std::string_view name) const;
  void readVariable(int32_t index, const AnyView &destination) const;
  void writeVariable(int32_t index, const AnyView &source);
  void writeVariable(std::string_view name, const AnyView &source);
  int32_t findVariable(std::string_view name) const; // index or -1
  // All parameters and state get their initial values, as a new model with this seed has them.
  void initialize(uint32_t seed);

  // Bytes that the arena of this model takes at present.
  int64_t arenaBytes() const;

  // While set, each kernel's results are searched for infinity and not-a-number, and the call
  // throws AXL_ERROR_NOT_FINITE with the tensor, its kernel and the user's source line. Slow.
  void checkFinite(bool on);

  ModelState &internals() const { return *state; }

private:
  std::unique_ptr<ModelState> state;
};

} // namespace axloom::runtime
