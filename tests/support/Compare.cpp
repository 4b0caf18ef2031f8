#include "tests/support/Compare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace axloom::ir::reference;
using namespace axloom::test;

/// "[batch 3, position 0]"
static std::string place(const Space &space, Point point) {
  std::string text = "[";
  for (auto [axis, index] : llvm::zip_equal(space.axes(), point))
    text += (text.size() > 1 ? ", " : "") + axis.name.str() + " " + std::to_string(index);
  return text + "]";
}

/// The largest of nothing is not: beside it, all other numbers would be as good as 0.
static bool isOrdinary(double number) { return std::abs(number) <= 1e30; }

/// Infinite where only one is finite, or they differ and what is expected is not ordinary.
static double distance(double expected, double actual) {
  if (expected == actual)
    return 0;
  double distance = std::abs(expected - actual);
  bool isMeasured = isOrdinary(expected) && std::isfinite(distance);
  return isMeasured ? distance : std::numeric_limits<double>::infinity();
}

std::string axloom::test::difference(const Array &expected, const Array &actual,
                                     Tolerance tolerance) {
  if (expected.space.extents() != actual.space.extents())
    return "the arrays have different shapes";
  double scale = 1, worst = 0;
  std::string where;
  Read from(expected, expected.space), to(actual, expected.space);
  expected.space.forEach([&](Point p) {
    if (isOrdinary(from[p]))
      scale = std::max(scale, std::abs(from[p]));
  });
  expected.space.forEach([&](Point p) {
    if (distance(from[p], to[p]) <= worst)
      return;
    worst = distance(from[p], to[p]);
    where = llvm::formatv("at {0}: expected {1:e10}, found {2:e10}", place(expected.space, p),
                          from[p], to[p]);
  });
  if (worst <= tolerance.value * scale)
    return "";
  return llvm::formatv("{0}; they may differ by {1:e2}", where, tolerance.value * scale);
}
