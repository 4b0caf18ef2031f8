// Text as pictures show it: what can be read of it, how wide it is, and the strokes of a font.
// Test: tests/runtime/FontTest.cpp
#pragma once

#include "runtime/plot/Canvas.h"

#include <string_view>

namespace axloom::runtime::plot {

// The strokes of a character in a box whose capital letters are 7 high, with the baseline at y = 7;
// `advance` is its width.
struct Glyph {
  std::vector<std::vector<Point>> strokes;
  double advance;
};

// What a text looks like: ASCII, most letters of Latin scripts with their accents, and some
// punctuation. Other characters are empty boxes.
std::vector<Glyph> glyphsOf(std::string_view text);

// How much larger a text's size is than a unit of its glyphs.
constexpr double sizeOfUnit = 10;

// Valid UTF-8: bytes that are none, and control characters, become the replacement character.
std::string readable(std::string_view text);

// In points, as the font of strokes has it.
double textWidth(std::string_view text, double size);

// The text, or as much of its beginning as `width` points have room for, with an ellipsis.
std::string fitted(std::string_view text, double size, double width);

} // namespace axloom::runtime::plot
