// The passes on the whole model of examples/translate, small: what they find in it, and that each
// of them, on or off, leaves every function's results as they are.

#include "examples/translate/model.h"
#include "frontend/Axloom.h"
#include "frontend/nn/Attention.h"
#include "passes/Pipeline.h"
#include "tests/support/Executor.h"
#include "tests/support/Values.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;
using ir::reference::Inputs;

namespace {
OwningOpRef<ModuleOp> transformer(Graphs &graphs, std::initializer_list<const char *> options) {
  Options all;
  for (const char *option :
       {"layers=2", "width=8", "heads=2", "depth=4", "value_depth=6", "hidden=12", "vocabulary=11"})
    all.set(option);
  for (const char *option : options)
    all.set(option);
  Program program;
  translate::build(program, all);
  return graphs.parse(program.print());
}

template <typename Op> unsigned count(ModuleOp module, StringRef function) {
  unsigned found = 0;
  functionOf(module, function).walk([&](Op) { ++found; });
  return found;
}

/// Tokens and small numbers for all arguments, a positive number for all that is remembered.
Inputs inputsFor(ModuleOp module, StringRef name) {
  Random random(7);
  Inputs inputs;
  inputs.sizes.symbols = {{"B", 2}, {"S", 3}, {"T", 4}};
  auto fillFor = [](Type type) {
    Type element = llvm::cast<ir::NamedTensorType>(type).getElementType();
    return element.isInteger(32)  ? integers(0, 4)
           : element.isInteger(1) ? mask()
                                  : uniform(0.1, 0.9);
  };
  for (Type type : functionOf(module, name).getArgumentTypes())
    inputs.arguments.push_back(
        filled(llvm::cast<ir::NamedTensorType>(type), fillFor(type), inputs.sizes, random));
  for (auto variable : module.getOps<ir::VariableOp>())
    inputs.variables[variable.getSymName().str()] =
        filled(llvm::cast<ir::NamedTensorType>(variable.getType()), fillFor(variable.getType()),
               inputs.sizes, random);
  return inputs;
}

std::string pipelineWithout(const std::string &optimizations) {
  return "axloom-pipeline{wide-contractions=true disable=" + optimizations + "}";
}

/// Runs the functions after a pipeline.
class AfterPipeline : public Executor {
public:
  AfterPipeline(Graphs &graphs, ModuleOp module, const std::string &pipeline)
      : changed(module.clone()) {
    valid = succeeded(graphs.run(*changed, pipeline));
  }
  FailureOr<ir::reference::Outputs> run(ModuleOp, StringRef name, const Inputs &inputs) override {
    if (!valid)
      return failure();
    return ir::reference::interpret(functionOf(*changed, name), inputs);
  }

  /// How many ops of a function a memory budget made it compute a second time.
  int64_t computedAgain(StringRef name) const {
    return llvm::count_if(functionOf(*changed, name).getBody().front(),
                          [](Operation &op) { return op.hasAttr("axloom.recomputed"); });
  }

private:
  OwningOpRef<ModuleOp> changed;
  bool valid;
};
} // namespace

TEST(Transformer, AttentionIsFoundHoweverItIsConfigured) {
  for (auto options : {std::initializer_list<const char *>{},
                       {"attention_dropout=0.1"},
                       {"attention_bias=true"}}) {
    Graphs graphs;
    auto module = transformer(graphs, options);
    ASSERT_TRUE(succeeded(graphs.run(*module, "axloom-pipeline{stop-after=differentiate}")))
        << graphs.takeErrors();
    for (const char *function : {"train_step", "evaluate", "forward"}) {
      EXPECT_EQ(count<ir::AttentionOp>(*module, function), 2 * 3u) << function;
      EXPECT_EQ(count<ir::SoftmaxOp>(*module, function), 0u) << function;
    }
    EXPECT_EQ(count<ir::AttentionGradientOp>(*module, "train_step"), 2 * 3u);
  }
}

TEST(Transformer, AttentionOfBf16WithDropoutIsFoundToo) {
  struct Query : Axis<"query"> {};
  struct Key : Axis<"key"> {};
  Program program;
  Size S = program.size("S", 64);
  program.function("attend", [&](Function &f) {
    auto q = f.argument<bfloat16, Query, nn::Depth>("q", S, 16);
    auto k = f.argument<bfloat16, Key, nn::Depth>("k", S, 16);
    auto v = f.argument<bfloat16, Key, nn::ValueDepth>("v", S, 24);
    Randomness randomness(f.argument<int>("seed"), constant(1));
    f.result<Query, nn::ValueDepth>(
        "y", nn::attention<Key, nn::Depth>(q, nn::KeysValues<decltype(k), decltype(v)>{k, v},
                                           constant(true), {0.1, randomness}));
  });
  Graphs graphs;
  auto module = graphs.parse(program.print());
  ASSERT_TRUE(succeeded(graphs.run(*module, "axloom-pipeline{stop-after=differentiate}")))
      << graphs.takeErrors();
  EXPECT_EQ(count<ir::AttentionOp>(*module, "attend"), 1u);
}

TEST(Transformer, AMemoryBudgetChangesNoResult) {
  Graphs graphs;
  auto module = transformer(graphs, {});
  Inputs inputs = inputsFor(*module, "train_step");
  auto within = [&](const char *budget) {
    return AfterPipeline(graphs, *module,
                         std::string("axloom-pipeline{stop-after=rematerialize memory-budget=") +
                             budget + "@B=8,S=8,T=8}");
  };
  AfterPipeline plenty = within("200K");
  auto expected = plenty.run(*module, "train_step", inputs);
  ASSERT_TRUE(succeeded(expected)) << graphs.takeErrors();
  int64_t before = plenty.computedAgain("train_step");
  EXPECT_EQ(before, 0);
  // Normalizations, products of one layer, of two.
  for (const char *budget : {"120K", "100K", "80K"}) {
    AfterPipeline tight = within(budget);
    auto actual = tight.run(*module, "train_step", inputs);
    ASSERT_TRUE(succeeded(actual)) << graphs.takeErrors();
    for (auto [a, b] : llvm::zip_equal(expected->results, actual->results))
      EXPECT_EQ(difference(a, b, Tolerance::exact()), "") << budget;
    for (const auto &[name, value] : expected->variables)
      EXPECT_EQ(difference(value, actual->variables.at(name), Tolerance::exact()), "")
          << budget << " " << name;
    EXPECT_GT(tight.computedAgain("train_step"), before) << budget;
    before = tight.computedAgain("train_step");
  }
}

TEST(Transformer, NarrowResultsLeaveGradients) {
  Graphs graphs;
  auto module = transformer(graphs, {});
  Inputs inputs = inputsFor(*module, "train_step");
  // From nothing, the first moments that a step leaves are a tenth of its gradients. Those would be
  // next to nothing with parameters that are all alike.
  for (auto &[name, value] : inputs.variables)
    for (double &number : value.values)
      number = StringRef(name).starts_with("adam.first.") ? 0
               : StringRef(name).starts_with("adam.")     ? number
                                                          : 2 * number - 1;
  AfterPipeline narrow(graphs, *module, "axloom-pipeline{bf16=true}"),
      wide(graphs, *module, "axloom-pipeline{bf16=true disable=narrow-results}");
  auto expected = wide.run(*module, "train_step", inputs);
  auto actual = narrow.run(*module, "train_step", inputs);
  ASSERT_TRUE(succeeded(expected) && succeeded(actual)) << graphs.takeErrors();
  // Nothing is rounded in the forward pass that was not rounded before.
  for (auto [a, b] : llvm::zip_equal(expected->results, actual->results))
    EXPECT_EQ(difference(a, b, Tolerance::exact()), "");
  for (const auto &[name, value] : expected->variables) {
    if (!StringRef(name).starts_with("adam.first."))
      continue;
    double largest = 1e-3; // those of queries and keys are differences of larger numbers
    for (double number : value.values)
      largest = std::max(largest, std::abs(number));
    Tolerance tolerance{Tolerance::bf16().value * largest};
    EXPECT_EQ(difference(value, actual->variables.at(name), tolerance), "") << name;
  }
}

TEST(Transformer, TheLossNeverHoldsAllLogits) {
  Graphs graphs;
  auto module = transformer(graphs, {});
  ASSERT_TRUE(succeeded(graphs.run(*module, "axloom-pipeline{stop-after=differentiate}")))
      << graphs.takeErrors();
  for (const char *function : {"train_step", "evaluate"}) {
    EXPECT_EQ(count<ir::LinearCrossEntropyOp>(*module, function), 1u) << function;
    EXPECT_EQ(count<ir::CrossEntropyOp>(*module, function), 0u) << function;
  }
}

TEST(Transformer, ProjectionsOfOneTensorAreOne) {
  Graphs graphs;
  auto module = transformer(graphs, {});
  ASSERT_TRUE(succeeded(
      graphs.run(*module, "axloom-pipeline{wide-contractions=true stop-after=fuse-horizontal}")))
      << graphs.takeErrors();
  // Queries, keys and values of self-attention; keys and values of cross-attention.
  EXPECT_EQ(count<ir::ConcatOp>(*module, "forward"), 2 * 3u);
}

/// Contractions of a function after a pipeline with these options.
static unsigned contractions(StringRef function, const std::string &options) {
  Graphs graphs;
  auto module = transformer(graphs, {});
  EXPECT_TRUE(succeeded(graphs.run(*module, "axloom-pipeline{" + options + "}")));
  return count<ir::ContractOp>(*module, function);
}

TEST(Transformer, FusedProjectionsHaveOneAdjoint) {
  unsigned fused = contractions("train_step", "wide-contractions=true stop-after=simplify");
  unsigned alone = contractions("train_step", "stop-after=simplify");
  // Forward, for the input's adjoint and for the weights': one contraction instead of three in each
  // of four self-attentions, and instead of two in each of two cross-attentions.
  EXPECT_EQ(alone - fused, 3 * (4 * 2u + 2 * 1u));
}

TEST(Transformer, FeedForwardBlocksAreOneKernelUnlessTheBackwardPassReadsThem) {
  Graphs graphs;
  auto module = transformer(graphs, {});
  ASSERT_TRUE(succeeded(graphs.run(*module, "axloom-pipeline"))) << graphs.takeErrors();
  auto blocks = [&](StringRef function) {
    unsigned found = 0;
    functionOf(*module, function).walk([&](ir::KernelOp kernel) {
      auto contractions = kernel.getBody().getOps<ir::ContractOp>();
      found += std::distance(contractions.begin(), contractions.end()) == 2;
    });
    return found;
  };
  EXPECT_EQ(blocks("forward"), 4u);
  EXPECT_EQ(blocks("encode"), 2u);
  EXPECT_EQ(blocks("train_step"), 0u);
}

class WithoutOptimizations : public testing::TestWithParam<std::string> {};

TEST_P(WithoutOptimizations, ResultsAreTheSame) {
  Graphs graphs;
  auto module = transformer(graphs, {"attention_dropout=0.1"});
  AfterPipeline executor(graphs, *module, pipelineWithout(GetParam()));
  for (const char *name : {"train_step", "evaluate", "forward", "encode", "decode_step"})
    EXPECT_EQ(
        disagreement(graphs, executor, *module, name, inputsFor(*module, name), Tolerance{1e-5}),
        "")
        << name;
}

/// None, all, each one, and 16 random sets of optimizations.
static std::vector<std::string> switchedOff() {
  std::vector<std::string> all = {"", llvm::join(passes::optimizations(), ",")};
  for (StringRef optimization : passes::optimizations())
    all.push_back(optimization.str());
  Random random(16);
  for (int i = 0; i < 16; ++i) {
    std::vector<StringRef> some;
    llvm::copy_if(passes::optimizations(), std::back_inserter(some),
                  [&](StringRef) { return random() % 2 == 0; });
    all.push_back(llvm::join(some, ","));
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, WithoutOptimizations, testing::ValuesIn(switchedOff()));
