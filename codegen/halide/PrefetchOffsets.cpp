#include "codegen/halide/PrefetchOffsets.h"

#include "llvm/ADT/StringRef.h"

using namespace axloom;
using Halide::Expr;
using namespace Halide::Internal;

namespace {
/// Divides the step of one loop over lines, in the prefetch inside it, by the size of an element.
class Step : public IRMutator {
public:
  explicit Step(std::string line) : line(std::move(line)) {}

private:
  using IRMutator::visit;

  Expr visit(const Call *call) override {
    if (!call->is_intrinsic(Call::prefetch))
      return IRMutator::visit(call);
    std::vector<Expr> args = call->args; // base, offset, extent, stride
    Expr start = substitute(line, 0, args[1]);
    Expr step = simplify(substitute(line, 1, args[1]) - start);
    args[1] = start + Variable::make(Halide::Int(32), line) * (step / call->type.bytes());
    return Call::make(call->type, Call::prefetch, args, Call::Intrinsic);
  }

  std::string line;
};

class Prefetches : public IRMutator {
  using IRMutator::visit;

  Stmt visit(const For *loop) override {
    Stmt inner = IRMutator::visit(loop);
    if (!llvm::StringRef(loop->name).starts_with("prefetch_split_"))
      return inner;
    return Step(loop->name).mutate(inner);
  }
};
} // namespace

Stmt codegen::correctPrefetches(const Stmt &body) { return Prefetches().mutate(body); }
