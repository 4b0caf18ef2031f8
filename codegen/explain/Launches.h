//===- Launches.h - What a call of a function does --------------*- C++ -*-===//
//
// The kernels that a function launches and the copies at its end, each with its source lines and
// with what it has to do at least. Operands are read or written once, as in the profiles that
// running programs make (runtime/profile/Profile.h). Launches of the same code on the same sizes
// for the same lines, as those of equal layers are, are one entry; so are kernels that run
// together, with the sums of what they do. Test: tests/codegen/explain/ExplainTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/explain/Amount.h"
#include "codegen/host/Description.h"
#include "ir/SourceLines.h"
#include "passes/Remarks.h"

namespace axloom::codegen {
/// How many ops of which name come from a line.
using OpsByLine = std::map<ir::SourceLine, std::map<std::string, int>>;

struct Launch {
  std::vector<std::string> names; // as profiles have them
  bool isGroup = false;           // the names are of kernels that run together, once
  std::string code;               // which launches share
  std::string family;             // the schedule family, or "copy"
  OpsByLine ops;
  Amount multiplyAdds;     // of all factors but
  Amount bf16MultiplyAdds; // those of bf16
  Amount bytesRead, bytesWritten;
  std::vector<std::string> reasons; // why its ops are here and not elsewhere

  /// How often it happens.
  size_t count() const { return isGroup ? 1 : names.size(); }

  /// Whether it holds what a remark is about.
  bool holds(const passes::Remark &remark) const;
};

/// The launches of a planned function in their order, equal ones at the first.
std::vector<Launch> launchesOf(mlir::func::FuncOp function, const Description &model);

/// Gives each launch the remarks on its ops; returns those that no launch holds.
std::vector<std::string> addReasons(llvm::MutableArrayRef<Launch> launches,
                                    llvm::StringRef function,
                                    llvm::ArrayRef<passes::Remark> remarks);
} // namespace axloom::codegen
