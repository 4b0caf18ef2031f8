// Each step proposes smaller programs; the first that still fails is taken, and all steps start
// again, until no proposal fails any more:
// 1. Return what one op computes, and nothing else (the earliest op that fails).
// 2. Drop one of several results, or the new value of a variable.
// 3. Make an op's results arguments, with the values they had (which drops what led to them).
// 4. Put an operand of the same type, or an argument, in the place of an op.
// 5. Let size symbols stand for 1, or 2, or half of what they are.

#include "tests/system/random/Reducer.h"

#include "tests/support/Gradients.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {
class Reduction {
public:
  Reduction(Program start, const Fails &fails) : program(std::move(start)), fails(fails) {}

  Program run() {
    while (returnOneOp() || returnFewer() || dropAWrite() || cutOffAnOp() || bypassAnOp() ||
           shrinkSizes())
      continue;
    return std::move(program);
  }

private:
  /// Takes the smaller program if it fails too.
  bool accept(Program smaller) {
    smaller.dropUnused();
    if (!fails(smaller))
      return false;
    program = std::move(smaller);
    return true;
  }

  bool returnOneOp();
  bool returnFewer();
  bool dropAWrite();
  bool cutOffAnOp();
  bool bypassAnOp();
  bool shrinkSizes();
  /// What the results of an op are.
  FailureOr<std::vector<Array>> valuesOf(size_t op);

  Program program;
  const Fails &fails;
};
} // namespace

bool Reduction::returnOneOp() {
  ValueRange returned = program.function().front().getTerminator()->getOperands();
  for (auto [number, op] : llvm::enumerate(program.ops())) {
    if (op->getNumResults() == 0)
      continue;
    if (returned.size() == 1 && returned[0] == op->getResult(0))
      return false; // later ones are larger
    Program smaller = program.clone();
    smaller.setResults(smaller.ops()[number]->getResult(0));
    for (auto write : llvm::make_early_inc_range(smaller.function().getOps<ir::WriteOp>()))
      write.erase();
    if (accept(std::move(smaller)))
      return true;
  }
  return false;
}

bool Reduction::returnFewer() {
  unsigned count = program.function().getNumResults();
  bool hasWrites = !program.function().getOps<ir::WriteOp>().empty();
  for (unsigned dropped = 0; count + hasWrites > 1 && dropped < count; ++dropped) {
    Program smaller = program.clone();
    SmallVector<Value> results(smaller.function().front().getTerminator()->getOperands());
    results.erase(results.begin() + dropped);
    smaller.setResults(results);
    if (accept(std::move(smaller)))
      return true;
  }
  return false;
}

bool Reduction::dropAWrite() {
  for (auto [number, op] : llvm::enumerate(program.ops())) {
    if (!llvm::isa<ir::WriteOp>(op))
      continue;
    Program smaller = program.clone();
    smaller.ops()[number]->erase();
    if (accept(std::move(smaller)))
      return true;
  }
  return false;
}

FailureOr<std::vector<Array>> Reduction::valuesOf(size_t number) {
  Program asked = program.clone();
  asked.setResults(SmallVector<Value>(asked.ops()[number]->getResults()));
  FailureOr<Outputs> outputs = interpret(asked.function(), asked.inputs);
  if (failed(outputs))
    return failure();
  return outputs->results;
}

bool Reduction::cutOffAnOp() {
  for (size_t number = program.ops().size(); number-- > 0;) {
    FailureOr<std::vector<Array>> values = valuesOf(number);
    if (failed(values) || values->empty())
      continue;
    Program smaller = program.clone();
    Operation *op = smaller.ops()[number];
    for (auto [result, value] : llvm::zip_equal(op->getResults(), *values))
      if (!result.use_empty())
        result.replaceAllUsesWith(smaller.addArgument(result.getType(), value));
    // A function that only hands on its arguments shows nothing.
    smaller.dropUnused();
    if (!smaller.ops().empty() && accept(std::move(smaller)))
      return true;
  }
  return false;
}

bool Reduction::bypassAnOp() {
  for (size_t number = program.ops().size(); number-- > 0;) {
    Operation *op = program.ops()[number];
    // Without a use, nothing would change: an op of several results may stay for another of them.
    bool isUsed = op->getNumResults() > 0 && !op->getResult(0).use_empty();
    for (unsigned operand = 0; isUsed && operand < op->getNumOperands(); ++operand) {
      if (op->getOperand(operand).getType() != op->getResult(0).getType())
        continue;
      Program smaller = program.clone();
      Operation *copy = smaller.ops()[number];
      copy->getResult(0).replaceAllUsesWith(copy->getOperand(operand));
      if (accept(std::move(smaller)))
        return true;
    }
  }
  return false;
}

/// The part of an array that smaller extents leave.
static Array cropped(const Array &array, const Sizes &sizes) {
  Array smaller(array.space.axes(), sizes);
  Read from(array, array.space);
  Write to(smaller, smaller.space);
  smaller.space.forEach([&](Point p) { to[p] = from[p]; });
  return smaller;
}

static Sizes withExtent(const Sizes &sizes, const std::string &symbol, int64_t extent) {
  Sizes smaller = sizes;
  smaller.symbols[symbol] = extent;
  for (auto &[name, lengths] : smaller.lengths) {
    if (symbol == "B")
      lengths.resize(extent);
    for (int64_t &length : lengths)
      length = std::min(length, smaller.symbols[name]);
  }
  return smaller;
}

bool Reduction::shrinkSizes() {
  for (auto &[symbol, extent] : program.inputs.sizes.symbols)
    for (int64_t wanted : {int64_t(1), int64_t(2), extent / 2}) {
      if (wanted < 1 || wanted >= extent)
        continue;
      Program smaller = program.clone();
      smaller.inputs.sizes = withExtent(program.inputs.sizes, symbol, wanted);
      for (Array &argument : smaller.inputs.arguments)
        argument = cropped(argument, smaller.inputs.sizes);
      if (accept(std::move(smaller)))
        return true;
    }
  return false;
}

Fails test::disagrees(Graphs &graphs, Executor &executor, Tolerance tolerance) {
  return [&graphs, &executor, tolerance](Program &program) {
    if (failed(InterpreterExecutor(graphs).run(*program.module, "f", program.inputs))) {
      graphs.takeErrors();
      return false;
    }
    return !findDisagreement(graphs, executor, program, tolerance).empty();
  };
}

Program test::reduce(Program program, const Fails &fails) {
  return Reduction(std::move(program), fails).run();
}
