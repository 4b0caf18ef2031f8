//===- AttentionPattern.h - Attention as users write it ---------*- C++ -*-===//
//
// Steps 1 to 4 of recognize-attention: see there. Test: tests/passes/recognize-attention.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"
#include "passes/Remarks.h"

#include <optional>

namespace axloom::passes {
/// A product of scalars: a number, and values multiplied or divided by.
struct Factor {
  double number = 1;
  llvm::SmallVector<mlir::Value> times, by;
};

/// What an attention is made of.
struct AttentionPattern {
  /// Ends a way that leads behind the softmax.
  bool refuse(const llvm::Twine &why) const { return obstacle->end(softmax, steps, why); }

  Obstacle *obstacle = nullptr;
  unsigned steps = 0; // from the softmax
  ir::ContractOp scoresOp;
  ir::SoftmaxOp softmax;
  mlir::Value weights; // as the contraction with the values takes them
  mlir::Value q, k, v;
  /// Axes of q beside depth and query that k and v lack: heads that share their keys and values.
  llvm::SmallVector<ir::Axis> groups;
  bool hasOneQuery = false; // beside depth and groups, q has no axis that k lacks
  mlir::StringAttr key, depth;
  Factor scale;
  /// Each mask shows (true) or hides (false) the scores where it holds.
  llvm::SmallVector<std::pair<mlir::Value, bool>> masks;
  /// Each bias comes with its sign and the factor that was applied after it.
  struct Bias {
    mlir::Value value;
    double sign;
    Factor factor;
  };
  llvm::SmallVector<Bias> biases;
  /// Factors of the weights; a mask keeps the weights where it is equal to the flag.
  llvm::SmallVector<mlir::Value> keeps;
  llvm::SmallVector<std::pair<mlir::Value, bool>> keepMasks;
  Factor keepScale;
};

/// The attention that the contraction with the values ends, or nothing. Where a softmax stands in
/// it, `obstacle` says what does not fit.
std::optional<AttentionPattern> findAttention(ir::ContractOp op, Obstacle &obstacle);
} // namespace axloom::passes
