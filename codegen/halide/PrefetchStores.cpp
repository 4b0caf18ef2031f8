#include "codegen/halide/PrefetchStores.h"

#include "llvm/ADT/STLExtras.h"

using namespace axloom;
using Halide::Expr;
using namespace Halide::Internal;

namespace {
/// Whether a statement has loops.
class Loops : public IRVisitor {
public:
  explicit Loops(const Stmt &body) { body.accept(this); }
  bool found = false;

private:
  using IRVisitor::visit;
  void visit(const For *) override { found = true; }
};

/// Asks for the lines of the vectors that a statement stores on no condition and in no loop, except
/// to some tensors.
class Lines : public IRVisitor {
public:
  Lines(const Stmt &body, const llvm::StringSet<> &except) : except(except) { body.accept(this); }
  std::vector<Stmt> asks;

private:
  using IRVisitor::visit;
  static constexpr int bytesOfLine = 64;

  void visit(const LetStmt *let) override {
    names.push_back(let);
    IRVisitor::visit(let);
    names.pop_back();
  }

  void visit(const For *) override {}
  void visit(const IfThenElse *) override {}

  void visit(const Store *store) override {
    const auto *vector = store->index.as<Ramp>();
    if (!vector || !is_const_one(vector->stride) || !is_const_one(store->predicate) ||
        except.contains(store->name))
      return;
    Expr first = vector->base;
    for (const LetStmt *let : llvm::reverse(names))
      first = substitute(let->name, let->value, first);
    if (!is_pure(first)) // it may read what is not there yet
      return;
    int elements = bytesOfLine / store->value.type().element_of().bytes();
    for (int element = 0; element < vector->lanes; element += elements)
      ask(store, simplify(first + element), elements);
  }

  void ask(const Store *store, const Expr &element, int elementsOfLine) {
    Expr &last = asked[store->name];
    std::optional<int64_t> step =
        last.defined() ? as_const_int(simplify(element - last)) : std::nullopt;
    if (step && *step >= 0 && *step < elementsOfLine) // the same line
      return;
    last = element;
    asks.push_back(Evaluate::make(Call::make(
        store->value.type().element_of(), Call::prefetch,
        {Variable::make(Halide::type_of<void *>(), store->name), element, 1, elementsOfLine},
        Call::Intrinsic)));
  }

  const llvm::StringSet<> &except;
  std::vector<const LetStmt *> names; // around the statement, outermost first
  std::map<std::string, Expr> asked;  // the last line of each tensor
};

class Allocations : public IRVisitor {
public:
  explicit Allocations(llvm::StringSet<> &names) : names(names) {}

private:
  using IRVisitor::visit;
  void visit(const Allocate *allocate) override {
    names.insert(allocate->name);
    IRVisitor::visit(allocate);
  }

  llvm::StringSet<> &names;
};

class Tiles : public IRMutator {
public:
  explicit Tiles(llvm::StringSet<> scratch) : own(std::move(scratch)) {}

private:
  using IRMutator::visit;

  Stmt visit(const Allocate *allocate) override {
    own.insert(allocate->name);
    Stmt body = mutate(allocate->body);
    if (allocate->memory_type == Halide::MemoryType::Register)
      body = withAsks(body, allocate->name);
    return Allocate::make(allocate->name, allocate->type, allocate->memory_type, allocate->extents,
                          allocate->condition, body, allocate->new_expr, allocate->free_function,
                          allocate->padding);
  }

  /// A statement that computes `sums`, and what reads them.
  Stmt withAsks(const Stmt &body, const std::string &sums) {
    const auto *both = body.as<Block>();
    const auto *produces = both ? both->first.as<ProducerConsumer>() : nullptr;
    if (!produces || !produces->is_producer || produces->name != sums || !Loops(both->first).found)
      return body;
    std::vector<Stmt> asks = Lines(both->rest, own).asks;
    return asks.empty() ? body : Block::make(Block::make(asks), body);
  }

  llvm::StringSet<> own; // what the function, or a task around it, has allocated
};
} // namespace

void codegen::collectAllocations(const Stmt &body, llvm::StringSet<> &names) {
  Allocations visitor(names);
  body.accept(&visitor);
}

Stmt codegen::prefetchStores(const Stmt &body, llvm::StringSet<> scratch) {
  return Tiles(std::move(scratch)).mutate(body);
}
