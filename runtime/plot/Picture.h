// What all pictures share: the colors of their text, and their files.
#pragma once

#include "runtime/plot/Canvas.h"

#include <string>

namespace axloom::runtime::plot {

constexpr Color ink{45, 49, 58}, soft{110, 116, 128};

// Written atomically; throw AXL_ERROR_FILE.
void save(const SvgCanvas &canvas, const std::string &path);
void save(const PixelCanvas &canvas, const std::string &path);

} // namespace axloom::runtime::plot
