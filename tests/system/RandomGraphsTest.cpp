// The generator, the checker and the reducer themselves: correct executors pass, and a wrong op is
// found and boiled down to a graph that holds hardly anything else.

#include "tests/support/PassesExecutor.h"
#include "tests/system/random/Generator.h"
#include "tests/system/random/Reducer.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {
/// An interpreter that computes `Wrong` where the graph says `Right`.
template <typename Right, typename Wrong> class BrokenExecutor : public Executor {
public:
  explicit BrokenExecutor(Graphs &graphs) : interpreter(graphs) {}

  FailureOr<Outputs> run(ModuleOp module, StringRef name, const Inputs &inputs) override {
    OwningOpRef<ModuleOp> broken(module.clone());
    broken->walk([](Right op) {
      OpBuilder builder(op);
      op.replaceAllUsesWith(Wrong::create(builder, op.getLoc(), op->getResultTypes(),
                                          op->getOperands(), op->getAttrs())
                                ->getResult(0));
    });
    return interpreter.run(*broken, name, inputs);
  }

private:
  InterpreterExecutor interpreter;
};

/// Searches seeds until a program fails; gives it back reduced.
Program firstReducedFailure(Graphs &graphs, Executor &executor) {
  for (uint64_t seed = 1; seed < 200; ++seed) {
    Program program = generate(graphs, seed);
    Fails fails = disagrees(graphs, executor, Tolerance::f32());
    if (fails(program))
      return reduce(std::move(program), fails);
  }
  ADD_FAILURE() << "no program shows the injected mistake";
  return generate(graphs, 1);
}
} // namespace

TEST(RandomGraphs, ASeedGivesOneProgram) {
  Graphs graphs;
  EXPECT_EQ(print(*generate(graphs, 7).module), print(*generate(graphs, 7).module));
  EXPECT_NE(print(*generate(graphs, 7).module), print(*generate(graphs, 8).module));
}

TEST(RandomGraphs, ProgramsHoldManyDifferentOps) {
  Graphs graphs;
  std::set<StringRef> seen;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Program program = generate(graphs, seed);
    EXPECT_GE(program.ops().size(), 5u);
    for (Operation *op : program.ops())
      seen.insert(op->getName().stripDialect());
  }
  std::set<StringRef> missing;
  for (RegisteredOperationName op : graphs.context().getRegisteredOperationsByDialect("axloom"))
    if (!seen.count(op.stripDialect()))
      missing.insert(op.stripDialect());
  // Programs define no ops and declare sizes and variables outside functions; passes make kernels
  // and counters; gradients are not asked for through step functions, and differences do not stop
  // where they do.
  EXPECT_THAT(missing,
              testing::ElementsAre("attention_gradient", "counters", "custom", "floor", "gradient",
                                   "kernel", "rem", "size", "stop_gradient", "variable", "yield"));
}

TEST(RandomGraphs, TheInterpreterAgreesWithItself) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Program program = generate(graphs, seed);
    EXPECT_EQ(findDisagreement(graphs, interpreter, program, Tolerance::exact()), "");
  }
}

TEST(RandomGraphs, AProgramThatTheInterpreterRefusesFails) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  Program program = generate(graphs, 7);
  program.inputs.arguments.pop_back();
  EXPECT_THAT(findDisagreement(graphs, interpreter, program, Tolerance::exact()),
              testing::StartsWith("forward: the interpreter fails: "));
  EXPECT_FALSE(disagrees(graphs, interpreter, Tolerance::exact())(program)); // not the reducer's
}

TEST(RandomGraphs, TheLargestNumberHidesNoMistake) {
  Graphs graphs;
  Array expected(graphs.type("a: 2, f32").getAxes(), {}), actual = expected;
  expected.values = {std::numeric_limits<float>::lowest(), 1};
  actual.values = {expected.values[0], 1.00001};
  EXPECT_EQ(difference(expected, actual, Tolerance::f32()), "");
  actual.values[1] = 1.001;
  EXPECT_NE(difference(expected, actual, Tolerance::f32()), "");
  actual.values = {expected.values[0] / 2, 1};
  EXPECT_NE(difference(expected, actual, Tolerance{1}), "");
}

TEST(RandomGraphs, AWrongTanhIsReducedToATanh) {
  Graphs graphs;
  BrokenExecutor<ir::TanhOp, ir::SinOp> broken(graphs);
  Program small = firstReducedFailure(graphs, broken);
  ASSERT_EQ(small.ops().size(), 1u) << print(*small.module);
  EXPECT_TRUE(llvm::isa<ir::TanhOp>(small.ops()[0]));
}

TEST(RandomGraphs, AWrongMaximumIsReducedToAMaximum) {
  Graphs graphs;
  BrokenExecutor<ir::MaximumOp, ir::MinimumOp> broken(graphs);
  Program small = firstReducedFailure(graphs, broken);
  ASSERT_EQ(small.ops().size(), 1u) << print(*small.module);
  EXPECT_TRUE(llvm::isa<ir::MaximumOp>(small.ops()[0]));
}

namespace {
/// Correct forward, but one gradient is off in graphs that divide.
class WrongGradients : public Executor {
public:
  explicit WrongGradients(Graphs &graphs) : interpreter(graphs) {}

  FailureOr<Outputs> run(ModuleOp module, StringRef name, const Inputs &inputs) override {
    FailureOr<Outputs> outputs = interpreter.run(module, name, inputs);
    bool hasDivision =
        module.walk([](ir::DivOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (succeeded(outputs) && hasDivision && name == "f_gradient")
      for (double &value : outputs->results.back().values)
        value += 1;
    return outputs;
  }

private:
  InterpreterExecutor interpreter;
};
} // namespace

TEST(RandomGraphs, AWrongGradientIsReducedToo) {
  Graphs graphs;
  WrongGradients wrong(graphs);
  Program small = firstReducedFailure(graphs, wrong);
  ASSERT_EQ(small.ops().size(), 1u) << print(*small.module);
  EXPECT_TRUE(llvm::isa<ir::DivOp>(small.ops()[0]));
  for (auto &[symbol, extent] : small.inputs.sizes.symbols)
    EXPECT_EQ(extent, 1) << symbol;
}
