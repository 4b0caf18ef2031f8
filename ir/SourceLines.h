//===- SourceLines.h - Which lines an op comes from -------------*- C++ -*-===//
//
// What passes make of several ops carries the locations of all of them. Test:
// tests/ir/SourceLinesTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace axloom::ir {
/// A line of a user's file; files are told apart by their names without folders.
struct SourceLine {
  std::string file;
  unsigned line = 0;

  /// "model.cpp:40"
  std::string str() const;
  bool operator==(const SourceLine &other) const = default;
  auto operator<=>(const SourceLine &other) const = default;
};

/// The first place in a user's file that a location stands for, through all wrappers; null without
/// one.
mlir::FileLineColLoc filePlace(mlir::Location location);

/// The lines that a location stands for, through all wrappers, each once.
llvm::SmallVector<SourceLine> sourceLines(mlir::Location location);

/// The first of them as text; "an unknown line" if there is none.
std::string firstLine(mlir::Location location);

/// All of them as one location; that of `ops[0]` stays the first.
mlir::Location locationOf(llvm::ArrayRef<mlir::Operation *> ops);
} // namespace axloom::ir
