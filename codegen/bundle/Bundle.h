//===- Bundle.h - What the compiler hands to a program ----------*- C++ -*-===//
//
// lib<name>.a     the host program with the tables, and one object a distinct kernel
// <name>.h        typed entry points
// <name>.json     the parameter table: names, shapes, initializers
// <name>.txt      the report: kernels, their schedules, bytes of variables and of arenas
//
// Two compiles of one graph give the same bytes. Test: tests/codegen/bundle/BundleTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/host/Description.h"

namespace axloom::codegen {
struct Bundle {
  std::string name;
  std::string archive;
  std::string header;
  std::string parameters;
  std::string report;
};

/// An archive of objects with a symbol table; `members` are names and contents. Deterministic.
std::string makeArchive(llvm::ArrayRef<std::pair<std::string, std::string>> members);

/// The variables of a model as JSON.
std::string parameterTable(const Description &model);

/// What a model is made of, for people.
std::string report(const Description &model, mlir::ModuleOp planned);

/// Writes the files of a bundle into a folder, each at once or not at all. Returns a message if
/// that fails, or "".
std::string write(const Bundle &bundle, llvm::StringRef folder);
} // namespace axloom::codegen
