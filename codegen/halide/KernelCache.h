//===- KernelCache.h - Objects kept between runs ----------------*- C++ -*-===//
//
// A folder with one object file for each kernel, named by a hash of all that decides its bytes,
// with a checksum behind the object, which linkers do not look at. Files appear whole
// (codegen/WriteFile.h), so any number of compilers may share the folder. Test:
// tests/codegen/halide/BackendTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <string>

namespace axloom::codegen {
class KernelCache {
public:
  /// The folder is codegen::cacheFolder(folder).
  explicit KernelCache(const std::string &folder);

  /// Makes the folder. Returns what went wrong, or nothing.
  std::string prepare() const;
  std::string pathOf(const std::string &name) const;
  /// Whether there is a file that is as it was written; a damaged one is as good as none.
  bool has(const std::string &name) const;
  /// An object as it lies in a cache.
  static std::string withChecksum(std::string object);

private:
  std::string folder;
};
} // namespace axloom::codegen
