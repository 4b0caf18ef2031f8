//===- Error.h - errors that only the graph builder sees ----------------------===//
//
// A GraphError says what is wrong, at which line of the user's program, what was expected, what was
// found, and what to do. Test: tests/frontend/ErrorTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace axloom {

/// The place in the user's program that an operation, a parameter or an error belongs to.
using Where = std::source_location;

/// What a GraphError reports; the parts that do not apply stay empty.
struct Problem {
  std::string what;     // one sentence
  std::string expected; // the rule or the value that was wanted
  std::string found;    // what the program has instead
  std::string advice;   // what to do about it
};

/// A mistake in the user's graph. what() is the whole message:
///   model.cpp:12: error: <what>
///     expected: ...
///     found: ...
///     to do: ...
class GraphError : public std::runtime_error {
public:
  GraphError(const Where &where, Problem problem);

  const Where &where() const { return place; }
  const Problem &problem() const { return details; }

private:
  Where place;
  Problem details;
};

} // namespace axloom
