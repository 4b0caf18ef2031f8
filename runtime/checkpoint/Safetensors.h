// Files of named tensors in the safetensors format, which other programs can read and write:
//   8 bytes       length of the header, little endian
//   header        JSON: dtype, shape and data_offsets of each tensor; strings in "__metadata__"
//   data          the tensors, one after the other, row-major, without gaps
//
// What we write is protected against damage. "__metadata__" holds
//   "crc32c.<tensor>"   the CRC-32C of the tensor's bytes, 8 hexadecimal digits
//   "crc32c"            that of everything before the data, computed with its own digits as zeros
// so a flipped byte anywhere in the file is found. Files of other programs have no checksums, and
// perhaps tensors of types that we do not know; they can be read if the caller says so.
// Tested by tests/runtime/SafetensorsTest.cpp, which flips every byte of a file.
#pragma once

#include "runtime/checkpoint/FileLayer.h"
#include "runtime/core/Tensor.h"

#include <map>

namespace axloom::runtime {

using Metadata = std::map<std::string, std::string>;

// Writes atomically. Names in `metadata` must not begin with "crc32c".
void writeSafetensors(const std::string &path, std::span<const Named> tensors,
                      const Metadata &metadata, FileLayer &files = FileLayer::system());

enum class Checksums { Required, Optional };

// A file whose header has been read and checked. Messages are AXL_ERROR_FILE if the system cannot
// read it, AXL_ERROR_FORMAT if its contents are wrong.
class SafetensorsFile {
public:
  struct Entry {
    std::string name;
    int32_t type;      // -1: none of ours
    std::string dtype; // as the file calls it
    std::vector<int64_t> extents;
    int64_t begin, end; // bytes of the data, which come after the header
  };

  explicit SafetensorsFile(const std::string &path, Checksums checksums = Checksums::Required);
  SafetensorsFile(const SafetensorsFile &) = delete;
  SafetensorsFile &operator=(const SafetensorsFile &) = delete;
  ~SafetensorsFile();

  const std::vector<Entry> &entries() const { return tensors; }
  const Metadata &metadata() const { return strings; } // without checksums
  const Entry *find(std::string_view name) const;      // or null

  // Whether a tensor can be read with these elements: they are its own, or f32 and its own are
  // 16-bit floating-point numbers, F16 or BF16, all of which f32 has.
  static bool isReadAs(const Entry &entry, int32_t type);

  // Reads a tensor and compares its checksum.
  Tensor read(const Entry &entry) const { return read(entry, entry.type); }
  // The same, with elements of this type.
  Tensor read(const Entry &entry, int32_t type) const;

private:
  void readHeader();
  void parseHeader(const std::string &text);
  void checkLayout();
  void readBytes(void *destination, int64_t offset, int64_t count) const;
  [[noreturn]] void damaged(const std::string &what) const;

  std::string path;
  Checksums checksums;
  int file = -1;
  int64_t fileSize = 0;
  int64_t dataStart = 0;
  std::vector<Entry> tensors;
  Metadata strings;
  Metadata sums; // of tensors, by name
};

} // namespace axloom::runtime
