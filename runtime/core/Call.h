// Calls of generated functions: checks what the caller passed, finds the sizes, brings tensors to
// the device and back, and runs the entry.
#pragma once

#include "runtime/core/ModelState.h"

#include <string_view>

namespace axloom::runtime {

// Arguments and results in the order of the function's tables. `session` may be null.
void callFunction(ModelState &model, SessionState *session, int32_t function,
                  const AnyView *arguments, const AnyView *results);

// By name, in any order.
void callFunction(ModelState &model, SessionState *session, std::string_view function,
                  std::span<const Named> arguments, std::span<const Named> results);

// Index of a function or -1.
int32_t findFunction(const axl_model &model, std::string_view name);
// The same; throws with the names that exist.
int32_t functionIndex(const axl_model &model, std::string_view name);
// The function of an index; throws where there is none.
const axl_function &functionAt(const axl_model &model, int32_t index);

// Puts named tensors into the order of a table; each entry must be there exactly once. `kind`:
// "argument" or "result".
void orderByName(const axl_model &model, const axl_function &function, const char *kind,
                 std::span<const axl_value> table, std::span<const Named> named,
                 std::vector<AnyView> &ordered);

// Extents of a function's results, which have to follow from its arguments.
std::vector<std::vector<int64_t>> resultExtents(const ModelState &model, int32_t function,
                                                const AnyView *arguments);

} // namespace axloom::runtime
