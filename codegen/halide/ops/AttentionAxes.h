//===- AttentionAxes.h - Which axis of attention is what --------*- C++ -*-===//

#pragma once

#include "ir/Dialect.h"

#include <optional>
#include <string>
#include <vector>

namespace axloom::codegen {
/// q: [shared.., query, depth] or [shared.., depth], k: [shared.., key, depth], v: [shared.., key,
/// value]
struct AttentionAxes {
  std::string query; // empty: there is one query
  std::string key, depth, value;
  std::vector<std::string> shared;
};

/// The axes, where there is one of each kind, of queries one at most, and each size is the same for
/// all of a batch.
std::optional<AttentionAxes> attentionAxes(mlir::Value q, mlir::Value k, mlir::Value v,
                                           llvm::StringRef depth, llvm::StringRef key);

template <typename Op> std::optional<AttentionAxes> attentionAxes(Op op) {
  return attentionAxes(op.getQ(), op.getK(), op.getV(), op.getDepth(), op.getKey());
}
} // namespace axloom::codegen
