//===- Numbers.cpp - checks of the numbers that users give to operations ---------------------===//
//
// Test: tests/frontend/NumberErrorTest.cpp
//
//===----------------------------------------------------------------------===//
#include "frontend/Graph.h"

#include "llvm/Support/ErrorHandling.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace axloom::graph {

std::string textOf(double value) {
  char text[32];
  return {text, std::to_chars(text, std::end(text), value).ptr};
}

namespace {
/// The numbers that an element type has, as C++ calls it.
struct Range {
  const char *type;
  double low, high;
  bool whole;
};
} // namespace

static Range rangeOf(Element element) {
  auto floats = [](const char *type, double most) { return Range{type, -most, most, false}; };
  switch (element) {
  case Element::f32:
    return floats("float", std::numeric_limits<float>::max());
  case Element::f64:
    return floats("double", std::numeric_limits<double>::max());
  case Element::bf16:
    return floats("bfloat16", 0x1.fep127);
  case Element::i32:
    return {"int", std::numeric_limits<std::int32_t>::min(),
            std::numeric_limits<std::int32_t>::max(), true};
  case Element::i1:
    return {"bool", 0, 1, true};
  }
  llvm_unreachable("all elements are listed");
}

double requireElement(double value, Element element, const Where &where) {
  Range range = rangeOf(element);
  if (value >= range.low && value <= range.high && (!range.whole || std::trunc(value) == value))
    return value;
  throw GraphError(
      place(where),
      {std::string("a number that the element type ") + range.type + " does not have",
       std::string(range.whole ? "a whole number" : "a finite number") + " from " +
           textOf(range.low) + " to " + textOf(range.high),
       textOf(value),
       range.whole ? "cast the tensor to float, or use another number"
                   : "hide elements by where(mask, x), which softmax, sum, max and mean take; else "
                     "use another number"});
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

void requireBelowOne(double value, const std::string &what, const Where &where) {
  bool isBelow = value >= 0 && value < 1;
  if (isBelow && float(value) < 1) // graphs have it in f32
    return;
  throw GraphError(place(where), {what + " is out of range",
                                  std::string("a number of at least 0 and less than 1") +
                                      (isBelow ? ", also in f32" : ""),
                                  textOf(value), "give another number"});
}

void requireAtLeast(double value, double low, const std::string &what, const Where &where) {
  requireWithin(value, low, std::numeric_limits<float>::max(), what, where);
}

} // namespace axloom::graph
