// Numbers as colors.
#pragma once

#include "runtime/plot/Canvas.h"

namespace axloom::runtime::plot {

// From nearly white (0) to dark blue (1). Lightness falls evenly: equal differences look equal, in
// print without colors too. Smaller and larger shares have the colors of the ends.
// Test: tests/runtime/HeatMapTest.cpp
Color colorOfShare(double share);

// Whether text on this color has to be white.
bool isDark(Color color);

} // namespace axloom::runtime::plot
