//===- MemoryBudget.h - What a function's results may take ------*- C++ -*-===//
//
// `1.5G@B=32,S=64,T=64`: so many bytes for results between kernels, at these values of the size
// symbols. K, M and G are powers of 1000. Test: tests/passes/MemoryBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Types.h"

#include <map>
#include <string>

namespace axloom::passes {
struct MemoryBudget {
  int64_t bytes = 0;
  /// Values of size symbols. A sum over a ragged batch, as `total.S`, is a symbol too.
  std::map<std::string, int64_t, std::less<>> sizes;

  /// A budget from its text, or what is wrong with it as a sentence for the user.
  static std::string parse(llvm::StringRef text, MemoryBudget &budget);

  /// The value of a size, or nothing if it has a symbol that the budget has no value for.
  std::optional<int64_t> valueOf(ir::SizeAttr size) const;
  /// `B=32, S=64`, for messages.
  std::string sizesText() const;
};
} // namespace axloom::passes
