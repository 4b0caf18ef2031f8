// PNG files.
#pragma once

#include <string>
#include <vector>

namespace axloom::runtime::plot {

// The bytes of a PNG file for `columns` × `rows` pixels of red, green and blue.
std::string encodePng(int columns, int rows, const std::vector<unsigned char> &pixels);

} // namespace axloom::runtime::plot
