//===- Build.h - Create ops whose types are inferred ------------*- C++ -*-===//
//
// MLIR's generated builders abort when inference fails; a user's mistake must not. This reports it
// as a diagnostic at the op's location and fails.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::ir {
template <typename Op> constexpr unsigned resultCount() {
  using namespace mlir::OpTrait;
  if constexpr (Op::template hasTrait<NResults<3>::template Impl>())
    return 3;
  else if constexpr (Op::template hasTrait<NResults<2>::template Impl>())
    return 2;
  else
    return 1;
}

/// Creates an op, with result types inferred from operands and attributes, which are given in the
/// op's order.
template <typename Op, typename... Arguments>
mlir::FailureOr<Op> create(mlir::OpBuilder &builder, mlir::Location location,
                           Arguments &&...arguments) {
  mlir::OperationState state(location, Op::getOperationName());
  llvm::SmallVector<mlir::Type> open(resultCount<Op>(), builder.getNoneType());
  Op::build(builder, state, mlir::TypeRange(open), std::forward<Arguments>(arguments)...);
  llvm::SmallVector<mlir::Type> inferred;
  if (failed(Op::inferReturnTypes(builder.getContext(), location, state.operands,
                                  state.attributes.getDictionary(builder.getContext()),
                                  state.getRawProperties(), mlir::RegionRange(), inferred)))
    return mlir::failure();
  state.types.assign(inferred.begin(), inferred.end());
  return llvm::cast<Op>(builder.create(state));
}
} // namespace axloom::ir
