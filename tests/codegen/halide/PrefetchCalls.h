//===- PrefetchCalls.h - What lowered functions ask for ---------*- C++ -*-===//

#pragma once

#include "Halide.h"

#include "llvm/ADT/STLExtras.h"

#include <string>
#include <vector>

namespace axloom::test {
/// The prefetches of a lowered function, in their order.
class PrefetchCalls : public Halide::Internal::IRVisitor {
public:
  explicit PrefetchCalls(const Halide::Internal::Stmt &body) { body.accept(this); }

  std::vector<Halide::Expr> found; // where, in elements from the start of the tensor
  std::vector<std::string> loops;  // around the first one, outermost first
  std::vector<std::string> before; // loops that had begun when the last one was met

  /// Where, in this iteration of the loops; -1 for what is no number.
  std::vector<int64_t> offsets(const std::vector<int> &iteration) const {
    std::vector<int64_t> all;
    for (Halide::Expr offset : found) {
      for (const auto &[name, value] : llvm::reverse(values))
        offset = substitute(name, value, offset);
      for (auto [name, place] : llvm::zip_equal(loops, iteration))
        offset = substitute(name, place, offset);
      all.push_back(
          Halide::Internal::as_const_int(Halide::Internal::simplify(offset)).value_or(-1));
    }
    return all;
  }

private:
  using IRVisitor::visit;

  void visit(const Halide::Internal::For *loop) override {
    around.push_back(loop->name);
    begun.push_back(loop->name);
    IRVisitor::visit(loop);
    around.pop_back();
  }

  void visit(const Halide::Internal::LetStmt *let) override {
    values.emplace_back(let->name, let->value);
    IRVisitor::visit(let);
  }

  void visit(const Halide::Internal::Call *call) override {
    if (call->is_intrinsic(Halide::Internal::Call::prefetch)) {
      if (found.empty())
        loops = around;
      before = begun;
      found.push_back(call->args[1]);
    }
    IRVisitor::visit(call);
  }

  std::vector<std::string> around, begun;
  std::vector<std::pair<std::string, Halide::Expr>> values; // names never stand for two
};
} // namespace axloom::test
