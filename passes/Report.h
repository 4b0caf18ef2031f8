//===- Report.h - What each pass changed ------------------------*- C++ -*-===//
//
// "simplify: unchanged (0.4 ms)", or the lines that went (-) and came (+). Values are renumbered by
// every change, so lines that differ in the numbers of values only count as equal. Test:
// tests/passes/report.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "llvm/ADT/StringRef.h"

#include <memory>

namespace mlir {
class Pass;
}

namespace axloom::passes {
/// The graph as it was last seen, and when.
struct Snapshot;
std::shared_ptr<Snapshot> makeSnapshot();

/// A pass that says on standard error what changed since the snapshot was taken, under the name of
/// the pass before it, and takes a new one. With an empty name it only takes it.
std::unique_ptr<mlir::Pass> createReport(std::shared_ptr<Snapshot> snapshot,
                                         llvm::StringRef passName);
} // namespace axloom::passes
