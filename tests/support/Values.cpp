#include "tests/support/Values.h"

#include <algorithm>
#include <cmath>

using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

Fill test::uniform(double low, double high) { return {Fill::Uniform, low, high}; }
Fill test::spaced() { return {Fill::Spaced}; }
Fill test::integers(int64_t low, int64_t high) {
  return {Fill::Integers, static_cast<double>(low), static_cast<double>(high)};
}
Fill test::mask(double probability) { return {Fill::Mask, 0, probability}; }

/// In [0, 1), the same for every standard library.
static double fraction(Random &random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

static double draw(const Fill &fill, Random &random) {
  double number = fraction(random);
  switch (fill.kind) {
  case Fill::Integers:
    return std::floor(fill.low + number * (fill.high - fill.low));
  case Fill::Mask:
    return number < fill.high;
  default:
    return static_cast<float>(fill.low + number * (fill.high - fill.low));
  }
}

/// Shuffled neighbours of 0: -3/8, -1/8, 1/8, 3/8, ...
static std::vector<double> spacedNumbers(int64_t count, Random &random) {
  std::vector<double> numbers(count);
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = 0.25 * static_cast<double>(i - count / 2) + 0.125;
  for (int64_t i = count - 1; i > 0; --i)
    std::swap(numbers[i], numbers[random() % (i + 1)]);
  return numbers;
}

Array test::filled(ir::NamedTensorType type, const Fill &fill, const Sizes &sizes, Random &random) {
  Array array(type.getAxes(), sizes);
  std::vector<double> spaced;
  if (fill.kind == Fill::Spaced)
    spaced = spacedNumbers(array.space.volume(), random);
  Write to(array, array.space);
  array.space.forEach([&](Point p) {
    if (spaced.empty()) {
      to[p] = draw(fill, random);
      return;
    }
    to[p] = spaced.back();
    spaced.pop_back();
  });
  return array;
}
