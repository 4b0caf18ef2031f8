//===- KernelCache.h - Objects kept between runs ----------------*- C++ -*-===//
//
// A folder with one object file for each kernel, named by a hash of all that decides its bytes.
// Files appear by rename, so a reader never sees half of one, and any number of compilers may share
// the folder. Test: tests/codegen/halide/BackendTest.cpp.
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
  bool has(const std::string &name) const;
  /// A name for a file that is being written, next to where it will be.
  std::string temporaryPathOf(const std::string &name) const;
  /// Makes a file that was written under the temporary name the kernel's object.
  bool adopt(const std::string &temporary, const std::string &name) const;

private:
  std::string folder;
};
} // namespace axloom::codegen
