//===- PassTimes.h - How long passes and stages take ------------*- C++ -*-===//

#pragma once

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace axloom::codegen {
/// After each pass, writes its flag and its time.
std::unique_ptr<mlir::PassInstrumentation> printTimes(llvm::raw_ostream &os);

/// A time as the traces write it: "12.3 ms".
std::string milliseconds(double seconds);
} // namespace axloom::codegen
