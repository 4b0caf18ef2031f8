//===- WriteFile.h - What the compiler writes -------------------*- C++ -*-===//
//
// Objects, bundles and the cache of schedules are replaced as a whole. On a full disk or where the
// place may not be written, what was there stays, and who asked says so in words of their own.
//
// Test: tests/codegen/WriteFileTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "llvm/ADT/StringRef.h"

#include <system_error>

namespace axloom::codegen {
/// Puts a file of these bytes at `path`, in place of one that is there, by rename: whoever reads it
/// sees all of one or all of the other. On an error everything is as before.
std::error_code writeFile(llvm::StringRef path, llvm::StringRef bytes);
} // namespace axloom::codegen
