//===- Amount.h - Sums of products of sizes ---------------------*- C++ -*-===//
//
// How many multiply-adds or bytes, before the values of size symbols are known: as a formula, and
// as a number once they are. Test: tests/codegen/explain/AmountTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace axloom::codegen {
/// The value of a size symbol.
using SymbolValue = llvm::function_ref<double(llvm::StringRef symbol)>;

class Amount {
public:
  /// Adds factor * dimension * dimension * ...
  void add(int64_t factor, llvm::ArrayRef<Dimension> dimensions);
  void add(int64_t factor, ir::SizeAttr size);
  Amount &operator+=(const Amount &other);

  bool isZero() const { return terms.empty(); }
  double at(SymbolValue valueOf) const;
  /// "2048 + 4*B*S + 512*ceil(B*S / 6)"
  std::string str() const;
  bool operator==(const Amount &other) const = default;

private:
  /// ceil(factor * symbols / divisor); a symbol alone has the factor and the divisor 1.
  struct Atom {
    int64_t factor = 1;
    std::vector<std::string> symbols;
    int64_t divisor = 1;
    auto operator<=>(const Atom &other) const = default;

    double at(SymbolValue valueOf) const;
    std::string str() const;
  };

  /// The factor of each product; its atoms are sorted.
  std::map<std::vector<Atom>, int64_t> terms;
};
} // namespace axloom::codegen
