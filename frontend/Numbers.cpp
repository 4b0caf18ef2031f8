//===- Numbers.cpp - checks of the numbers that users give to operations ---------------------===//
//
// Test: tests/frontend/NumberErrorTest.cpp
//
//===----------------------------------------------------------------------===//
#include "frontend/GraphInternal.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace axloom::graph {

/// Every digit that tells a number from its neighbours, and no other.
static std::string textOf(double value) {
  char text[32];
  return {text, std::to_chars(text, std::end(text), value).ptr};
}

double requireElement(double value, Element element, const Where &where) {
  using Limits = std::numeric_limits<std::int32_t>;
  bool isInteger = element == Element::i32 || element == Element::i1;
  double low = element == Element::i1 ? 0 : Limits::min(),
         high = element == Element::i1 ? 1 : Limits::max();
  if (!isInteger || (value >= low && value <= high && std::trunc(value) == value))
    return value;
  throw GraphError(place(where),
                   {"a number that the element type " +
                        std::string(element == Element::i1 ? "bool" : "int") + " does not have",
                    "a whole number from " + textOf(low) + " to " + textOf(high), textOf(value),
                    "cast the tensor to float, or use another number"});
}

void requireWithin(double value, double low, double high, const std::string &what,
                   const Where &where) {
  if (value >= low && value <= high)
    return;
  constexpr double most = std::numeric_limits<float>::max(); // of f32; as good as no limit
  std::string expected = high < most   ? "a number from " + textOf(low) + " to " + textOf(high)
                         : low > -most ? "a finite number, " + textOf(low) + " or more"
                                       : "a finite number";
  throw GraphError(place(where),
                   {what + " is out of range", expected, textOf(value), "give another number"});
}

void requireAtLeast(double value, double low, const std::string &what, const Where &where) {
  requireWithin(value, low, std::numeric_limits<float>::max(), what, where);
}

} // namespace axloom::graph
