// Reads PNG files as runtime/plot/Png.h writes them.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <zlib.h>

namespace axloom::runtime {

struct Pixels {
  uint32_t columns = 0, rows = 0;
  std::vector<unsigned char> colors; // red, green, blue, row by row

  std::vector<int> at(size_t x, size_t y) const {
    auto first = colors.begin() + long(3 * (y * columns + x));
    return {first, first + 3};
  }
};

inline uint32_t bigEndian(const std::string &text, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value = value << 8 | uint8_t(text[at + i]);
  return value;
}

// Pixels of a PNG with one IDAT chunk and no filters, after checking all checksums.
inline Pixels decodePng(const std::string &png) {
  Pixels picture;
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string data;
  for (size_t at = 8; at < png.size();) {
    uint32_t length = bigEndian(png, at);
    std::string type = png.substr(at + 4, 4);
    auto sum = crc32(0, reinterpret_cast<const Bytef *>(png.data()) + at + 4, length + 4);
    EXPECT_EQ(bigEndian(png, at + 8 + length), sum) << type;
    if (type == "IHDR") {
      picture.columns = bigEndian(png, at + 8);
      picture.rows = bigEndian(png, at + 12);
    } else if (type == "IDAT") {
      data = png.substr(at + 8, length);
    }
    at += 12 + length;
  }
  size_t rowBytes = 3 * size_t(picture.columns);
  std::vector<unsigned char> raw(picture.rows * (1 + rowBytes));
  uLongf size = raw.size();
  EXPECT_EQ(
      uncompress(raw.data(), &size, reinterpret_cast<const Bytef *>(data.data()), data.size()),
      Z_OK);
  EXPECT_EQ(size, raw.size());
  for (size_t row = 0; row < picture.rows; ++row) {
    auto start = raw.begin() + long(row * (1 + rowBytes));
    EXPECT_EQ(*start, 0) << "filter";
    picture.colors.insert(picture.colors.end(), start + 1, start + 1 + long(rowBytes));
  }
  return picture;
}

} // namespace axloom::runtime
