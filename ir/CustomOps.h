//===- CustomOps.h - The custom ops that a context knows --------*- C++ -*-===//
//
// `axloom.custom @gate(...)` names a definition that is C++ in the user's program: its meaning, its
// adjoint, its body. The dialect keeps those of its context; text alone does not bring them along.
// Test: tests/ir/CustomOpTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/CustomBody.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"

#include <functional>
#include <map>
#include <memory>

namespace axloom::ir {
class Adjoints;
class CustomOp;

struct CustomDefinition {
  /// One element of the result from one element of each operand.
  using Reference = std::function<double(llvm::ArrayRef<double>)>;
  /// The adjoint of each operand, null for those that are no floating-point tensors.
  using Adjoint =
      std::function<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(CustomOp, Adjoints &)>;

  std::string name;
  llvm::SmallVector<mlir::Type> elements; // of each operand
  mlir::Location location;                // where the user wrote it
  Reference reference;
  Adjoint adjoint;                        // empty: no gradient goes through the op
  std::string adjointText = {};           // its ops on numbers without axes, or empty
  std::shared_ptr<const CustomBody> body; // empty: no backend can compile it

  /// Whether both say the same, as far as that can be told of functions.
  bool sameAs(const CustomDefinition &other) const;
};

class CustomOps {
public:
  /// Takes a definition up. Fails if another one has its name.
  mlir::LogicalResult add(CustomDefinition definition);
  /// Null if there is none of this name.
  const CustomDefinition *find(llvm::StringRef name) const;

private:
  std::map<std::string, CustomDefinition, std::less<>> definitions;
};
} // namespace axloom::ir
