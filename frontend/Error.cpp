#include "frontend/Error.h"

#include <utility>

namespace axloom {

static std::string render(const Where &where, const Problem &problem) {
  std::string text = std::string(where.file_name()) + ":" + std::to_string(where.line()) +
                     ": error: " + problem.what;
  auto add = [&](const char *label, const std::string &part) {
    if (!part.empty())
      text += std::string("\n  ") + label + ": " + part;
  };
  add("expected", problem.expected);
  add("found", problem.found);
  add("to do", problem.advice);
  return text;
}

GraphError::GraphError(const Where &where, Problem problem)
    : std::runtime_error(render(where, problem)), place(where), details(std::move(problem)) {}

} // namespace axloom
