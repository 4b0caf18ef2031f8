// State of one caller: the session variables of a model (such as key/value caches) and an arena.
//
//   Session session(model, {{"B", 4}, {"S", 12}, {"T", 64}});
//   session.call("encode", {{"source", source}}, {});
//
// The sizes fix the extents of the session variables; calls in the session must agree with them.
// Several sessions of one model may run at the same time as long as nothing writes its variables.
// The model must outlive its sessions.
#pragma once

#include "runtime/core/Model.h"

namespace axloom::runtime {

struct SessionState; // runtime/core/ModelState.h

class Session {
public:
  // Sizes for all symbols that session variables use; others may be left out.
  Session(Model &model, std::span<const NamedSize> sizes);
  Session(Model &model, std::initializer_list<NamedSize> sizes);
  Session(Session &&) noexcept;
  ~Session();

  // Starts anew with other sizes: session variables get their initial values. Memory is kept where
  // it is large enough. Wrong sizes change nothing; where right ones fail (AXL_ERROR_MEMORY, or
  // what the device says), the session is of no use until another reset succeeds.
  void reset(std::span<const NamedSize> sizes);

  void call(std::string_view function, std::span<const Named> arguments,
            std::span<const Named> results);
  void call(std::string_view function, std::initializer_list<Named> arguments,
            std::initializer_list<Named> results);
  void call(int32_t function, const AnyView *arguments, const AnyView *results);

  // A session variable, copied out.
  Tensor variable(std::string_view name) const;

  SessionState &internals() const { return *state; }

private:
  std::unique_ptr<SessionState> state;
};

} // namespace axloom::runtime
