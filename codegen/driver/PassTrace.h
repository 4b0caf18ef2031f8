//===- PassTrace.h - What each pass changed, and how long it took -*- C++ -*-===//

#pragma once

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace axloom::codegen {
/// After each pass, writes its flag and "unchanged" or the lines that it changed, and the time that
/// it took.
std::unique_ptr<mlir::PassInstrumentation> printChanges(llvm::raw_ostream &os);

/// After each pass, writes its flag and its time.
std::unique_ptr<mlir::PassInstrumentation> printTimes(llvm::raw_ostream &os);

/// Seconds, as the traces write them: "12.3 ms".
std::string milliseconds(double seconds);
} // namespace axloom::codegen
