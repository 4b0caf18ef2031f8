#include "runtime/core/Session.h"

#include "runtime/core/Call.h"
#include "runtime/core/Describe.h"

using namespace axloom::runtime;

namespace {

int32_t symbolIndex(const axl_model &model, std::string_view name) {
  std::span symbols(model.symbols, size_t(model.symbol_count));
  for (size_t index = 0; index < symbols.size(); ++index)
    if (name == symbols[index].name)
      return int32_t(index);
  throw Error(AXL_ERROR_ARGUMENT,
              concat("model '", model.name, "' has no size named '", name, "'; it has: ",
                     nameList(symbols, [](const axl_symbol &symbol) { return symbol.name; })));
}

} // namespace

Session::Session(Model &model, std::span<const NamedSize> sizes)
    : state(std::make_unique<SessionState>(model.internals())) {
  state->buffers.sizes.assign(size_t(model.description().symbol_count), -1);
  reset(sizes);
}

Session::Session(Model &model, std::initializer_list<NamedSize> sizes)
    : Session(model, std::span(sizes.begin(), sizes.size())) {}

Session::Session(Session &&) noexcept = default;
Session::~Session() = default;

void Session::reset(std::span<const NamedSize> sizes) {
  const axl_model &model = state->owner->model;
  std::vector<int64_t> &proposed = state->proposed;
  proposed.assign(size_t(model.symbol_count), -1);
  for (const NamedSize &size : sizes) {
    int32_t symbol = symbolIndex(model, size.name);
    if (size.value < 0 || size.value > model.symbols[symbol].maximum)
      throw Error(AXL_ERROR_SIZE,
                  concat("size ", size.name, " of a session of model '", model.name, "' is ",
                         size.value, "; it must be at least 0 and at most ",
                         model.symbols[symbol].maximum));
    if (proposed[size_t(symbol)] >= 0)
      throw Error(AXL_ERROR_ARGUMENT, concat("size ", size.name, " of a session of model '",
                                             model.name, "' is given twice"));
    proposed[size_t(symbol)] = size.value;
  }
  createVariables(*state->owner, proposed, state->variables);
  state->sizes = proposed;
}

void Session::call(std::string_view function, std::span<const Named> arguments,
                   std::span<const Named> results) {
  callFunction(*state->owner, state.get(), function, arguments, results);
}

void Session::call(std::string_view function, std::initializer_list<Named> arguments,
                   std::initializer_list<Named> results) {
  call(function, std::span(arguments.begin(), arguments.size()),
       std::span(results.begin(), results.size()));
}

void Session::call(int32_t function, const AnyView *arguments, const AnyView *results) {
  callFunction(*state->owner, state.get(), function, arguments, results);
}

Tensor Session::variable(std::string_view name) const {
  int32_t index = variableIndex(state->owner->model, name, true);
  if (!state->hasVariables())
    failWithoutVariables(concat("variable '", name, "'"));
  const axl_tensor &found = state->variables.tensors[index];
  Tensor copy(found.type, std::span(found.extent, size_t(found.rank)));
  readVariable(*state->owner, found, copy);
  return copy;
}
