#include "codegen/halide/Prefetches.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

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
    return unrolled(Step(loop->name).mutate(inner).as<For>());
  }

  /// The lines of a short row without a loop.
  static Stmt unrolled(const For *lines) {
    constexpr int64_t longest = 8;
    std::optional<int64_t> count = as_const_int(simplify(lines->extent));
    if (!count || *count > longest)
      return lines;
    std::vector<Stmt> each;
    for (int line = 0; line < *count; ++line)
      each.push_back(substitute(lines->name, simplify(lines->min + line), lines->body));
    return Block::make(each);
  }
};
} // namespace

Stmt codegen::correctPrefetches(const Stmt &body) { return Prefetches().mutate(body); }

void codegen::prefetchToAllCaches(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::prefetch) {
        constexpr unsigned locality = 2, allCaches = 3;
        call->setArgOperand(
            locality, llvm::ConstantInt::get(call->getArgOperand(locality)->getType(), allCaches));
      }
}
