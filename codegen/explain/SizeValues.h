//===- SizeValues.h - Size symbols with values ------------------*- C++ -*-===//
//
// What a user gives as `--sizes B=32,S=64`, or after another flag. Ragged batches are taken as
// full: each length is as long as its symbol says. Test: tests/codegen/explain/SizeValuesTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace axloom::codegen {
class SizeValues {
public:
  /// Values for all sizes that the module declares. Otherwise `problem` says what is wrong, for the
  /// user.
  SizeValues(mlir::ModuleOp module, llvm::ArrayRef<std::string> given,
             llvm::StringRef flag = "--sizes");

  std::string problem;
  /// Whether there are values to compute with; a module without size symbols needs none.
  bool areKnown() const { return known; }
  /// The value of a symbol, also of one that follows from lengths (ir/Ragged.h) in that function.
  double of(llvm::StringRef symbol, mlir::func::FuncOp function) const;
  /// "B=32, S=64"
  std::string str() const;

private:
  std::string read(mlir::ModuleOp module, llvm::StringRef given, const std::string &flag);

  bool known = false;
  llvm::StringMap<int64_t> values;
  std::vector<std::string> names; // as they are declared
};
} // namespace axloom::codegen
