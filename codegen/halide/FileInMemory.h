//===- FileInMemory.h - A file that has no place on a disk ------*- C++ -*-===//
//
// For what other code writes to files alone: Halide its bitcode, a process its standard error.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <string>
#include <system_error>

namespace axloom::codegen {
class FileInMemory {
public:
  FileInMemory();
  FileInMemory(const FileInMemory &) = delete;
  FileInMemory &operator=(const FileInMemory &) = delete;
  ~FileInMemory();

  /// Why there is none.
  std::error_code error() const { return problem; }
  int descriptor() const { return number; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(number); }
  /// All that was written.
  std::string contents() const;

private:
  int number;
  std::error_code problem;
};
} // namespace axloom::codegen
