#include "runtime/plot/Png.h"

#include "runtime/core/Error.h"

#include <cstdint>
#include <zlib.h>

using namespace axloom::runtime;

namespace {

std::string bigEndian(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

// Length, type, contents, checksum of type and contents.
std::string chunk(const std::string &type, const std::string &contents) {
  std::string body = type + contents;
  auto sum = crc32(0, reinterpret_cast<const Bytef *>(body.data()), uInt(body.size()));
  return bigEndian(uint32_t(contents.size())) + body + bigEndian(uint32_t(sum));
}

} // namespace

std::string axloom::runtime::plot::encodePng(int columns, int rows,
                                             const std::vector<unsigned char> &pixels) {
  // Each row begins with its filter: 0, none.
  std::string raw;
  size_t rowBytes = size_t(columns) * 3;
  for (size_t row = 0; row < size_t(rows); ++row) {
    raw += '\0';
    raw.append(reinterpret_cast<const char *>(pixels.data()) + row * rowBytes, rowBytes);
  }
  uLongf size = compressBound(raw.size());
  std::string packed(size, '\0');
  int code = compress2(reinterpret_cast<Bytef *>(packed.data()), &size,
                       reinterpret_cast<const Bytef *>(raw.data()), raw.size(), 9);
  if (code != Z_OK)
    throw Error(AXL_ERROR_MEMORY, "no memory to compress a picture");
  packed.resize(size);
  constexpr char format[] = {8, 2, 0, 0, 0}; // 8 bits, RGB, deflate, no filters, not interlaced
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", bigEndian(uint32_t(columns)) + bigEndian(uint32_t(rows)) +
                           std::string(format, sizeof(format))) +
         chunk("IDAT", packed) + chunk("IEND", "");
}
