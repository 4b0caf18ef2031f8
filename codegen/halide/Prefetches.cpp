#include "codegen/halide/Prefetches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace axloom;
using Halide::Expr;
using namespace Halide::Internal;

static bool isOverLines(const For *loop) {
  return llvm::StringRef(loop->name).starts_with("prefetch_split_");
}

/// Whether Halide made a loop for a prefetch: over its lines, or its rows.
static bool isOfPrefetch(const For *loop) {
  return isOverLines(loop) || llvm::StringRef(loop->name).starts_with("prefetch_reduce_");
}

/// The prefetch of a tensor that a loop over lines has, or null.
static const Call *prefetchIn(const For *lines) {
  const auto *asks = lines->body.as<Evaluate>();
  const Call *call = asks ? Call::as_intrinsic(asks->value, {Call::prefetch}) : nullptr;
  return call && call->args[0].as<Variable>() ? call : nullptr;
}

/// Where the prefetch of a loop over lines asks for one of them.
static Expr offsetOf(const Expr &line, const For *lines) {
  return substitute(lines->name, line, prefetchIn(lines)->args[1]);
}

/// The same prefetch at another offset.
static Stmt prefetchAt(const Call *prefetch, const Expr &offset) {
  std::vector<Expr> args = prefetch->args; // base, offset, extent, stride
  args[1] = simplify(offset);
  return Evaluate::make(Call::make(prefetch->type, Call::prefetch, args, Call::Intrinsic));
}

static Stmt withBody(const For *loop, const Stmt &body) {
  return For::make(loop->name, loop->min, loop->extent, loop->for_type, loop->partition_policy,
                   loop->device_api, body);
}

namespace {
/// What a statement has.
class Contents : public IRVisitor {
public:
  Contents(const Stmt &body, std::string tensor) : tensor(std::move(tensor)) { body.accept(this); }
  bool hasLoops = false, reads = false;

private:
  using IRVisitor::visit;
  void visit(const For *loop) override {
    hasLoops |= !isOfPrefetch(loop);
    IRVisitor::visit(loop);
  }
  void visit(const Load *load) override {
    reads |= load->name == tensor;
    IRVisitor::visit(load);
  }

  std::string tensor;
};

/// Has the innermost loops that read a tensor ask for a share, in each iteration, of the row of
/// lines of it that a loop asks for.
class Spread : public IRMutator {
public:
  explicit Spread(const For *lines) : lines(lines), prefetch(prefetchIn(lines)) {}
  bool found = false; // such loops

private:
  using IRMutator::visit;

  Stmt visit(const For *loop) override {
    Contents contents(loop->body, prefetch->args[0].as<Variable>()->name);
    if (isOfPrefetch(loop) || !contents.reads)
      return loop;
    Expr outerPlace = place, outerCount = count;
    place = place * loop->extent + (Variable::make(Halide::Int(32), loop->name) - loop->min);
    count = count * loop->extent;
    Stmt asking = contents.hasLoops ? withBody(loop, mutate(loop->body)) : withShare(loop);
    place = outerPlace;
    count = outerCount;
    return asking;
  }

  Stmt withShare(const For *loop) {
    found = true;
    std::string share = unique_name("share_of_prefetch");
    Expr first = offsetOf(lines->min, lines),
         elements = offsetOf(lines->min + lines->extent, lines) - first;
    Stmt ask = prefetchAt(prefetch, first + place * Variable::make(Halide::Int(32), share));
    return LetStmt::make(share, simplify(elements / count),
                         withBody(loop, Block::make(ask, loop->body)));
  }

  const For *lines;
  const Call *prefetch;
  Expr place = 0, count = 1; // of the iterations of all loops around
};

class Prefetches : public IRMutator {
  using IRMutator::visit;
  // In lines. A private cache waits for some 50 at once.
  static constexpr int64_t shortRow = 8, longRow = 64;

  Stmt visit(const For *loop) override {
    if (!isOverLines(loop) || !prefetchIn(loop))
      return IRMutator::visit(loop);
    Stmt corrected = withAllLines(loop);
    std::optional<int64_t> count = countOf(loop);
    return count && *count <= shortRow ? unrolled(corrected.as<For>(), int(*count)) : corrected;
  }

  Stmt visit(const Block *block) override {
    Stmt first = mutate(block->first), rest = mutate(block->rest), asks = first;
    std::vector<const LetStmt *> names;
    while (const auto *let = asks.as<LetStmt>()) {
      names.push_back(let);
      asks = let->body;
    }
    const For *lines = asks.as<For>();
    if (!lines || !isLong(lines))
      return Block::make(first, rest);
    Spread shares(lines);
    Stmt spread = shares.mutate(rest);
    if (!shares.found)
      return Block::make(first, rest);
    for (const LetStmt *let : llvm::reverse(names))
      spread = LetStmt::make(let->name, let->value, spread);
    return spread;
  }

  /// Divides the step from line to line by the size of an element.
  static Stmt withAllLines(const For *lines) {
    const Call *prefetch = prefetchIn(lines);
    Expr first = offsetOf(0, lines), step = simplify(offsetOf(1, lines) - first),
         line = Variable::make(Halide::Int(32), lines->name);
    return withBody(lines, prefetchAt(prefetch, first + line * (step / prefetch->type.bytes())));
  }

  static std::optional<int64_t> countOf(const For *lines) {
    return as_const_int(simplify(lines->extent));
  }

  static bool isLong(const For *loop) {
    std::optional<int64_t> count = countOf(loop);
    return isOverLines(loop) && prefetchIn(loop) && (!count || *count > longRow);
  }

  static Stmt unrolled(const For *lines, int count) {
    std::vector<Stmt> each;
    for (int line = 0; line < count; ++line)
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
