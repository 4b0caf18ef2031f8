#include "runtime/plot/ColorScale.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace axloom::runtime::plot;

namespace {

// At even distances. Their lightness L* falls by 10.2 each.
constexpr std::array<Color, 9> marks = {{{244, 247, 248},
                                         {183, 226, 242},
                                         {132, 200, 233},
                                         {92, 171, 221},
                                         {65, 141, 202},
                                         {53, 111, 177},
                                         {48, 82, 145},
                                         {41, 56, 108},
                                         {31, 35, 68}}};

} // namespace

Color axloom::runtime::plot::colorOfShare(double share) {
  double place = std::clamp(share, 0.0, 1.0) * double(marks.size() - 1);
  size_t below = std::min(size_t(place), marks.size() - 2);
  double rest = place - double(below);
  auto between = [&](unsigned char a, unsigned char b) {
    return static_cast<unsigned char>(std::lround(a + rest * (double(b) - a)));
  };
  Color from = marks[below], to = marks[below + 1];
  return {between(from.red, to.red), between(from.green, to.green), between(from.blue, to.blue)};
}

bool axloom::runtime::plot::isDark(Color color) {
  return 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue < 150;
}
