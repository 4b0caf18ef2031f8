// Passes change no result: each graph, interpreted before and after them. The graphs are those of
// every op with its gradient, and the variants of attention and loss in the lit tests of the
// recognition passes.

#include "tests/support/Gradients.h"
#include "tests/support/OpCases.h"
#include "tests/support/PassesExecutor.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;
using ir::reference::Inputs;
using ir::reference::Sizes;

namespace {
/// Folding rounds constants to f32.
const Tolerance rounded{1e-7};

const char *const pipelines[] = {
    "infer",
    "simplify",
    "differentiate,simplify",
    "axloom-pipeline{stop-after=simplify}",
    "axloom-pipeline{wide-contractions=true}",
    "axloom-pipeline{disable=simplify,recognize-attention,recognize-"
    "linear-cross-entropy,fuse-horizontal,"
    "recompute-activations,fuse-epilogues,fuse-ffn,narrow-results,group-updates,in-place-updates}"};
} // namespace

class PassesPreserve : public testing::TestWithParam<size_t> {};

TEST_P(PassesPreserve, Results) {
  const OpCase &opCase = opCases()[GetParam()];
  Graphs graphs;
  Random random(GetParam());
  OwningOpRef<ModuleOp> module = build(graphs, opCase);
  func::FuncOp function = functionOf(*module, "f");
  func::FuncOp gradient = opCase.differentiable ? addGradientFunction(function) : func::FuncOp();
  std::vector<Sizes> all = sizesFor(function, random);
  // All 1, and others: passes do not know the sizes, so more would show nothing.
  for (const Sizes &sizes : llvm::ArrayRef(all).take_front(2)) {
    Inputs inputs = inputsFor(opCase, function, sizes, random);
    Inputs withWeights = gradient ? gradientInputs(gradient, inputs, random) : inputs;
    StringRef name = gradient ? gradient.getName() : "f";
    for (const char *passes : pipelines) {
      PassesExecutor executor(graphs, passes);
      ASSERT_EQ(disagreement(graphs, executor, *module, name, withWeights, rounded), "")
          << passes << "\n"
          << print(*module);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PassesPreserve, testing::Range<size_t>(0, opCases().size()),
                         caseName);

static std::string readTest(const std::string &name) {
  std::ifstream file(std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/tests/passes/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A mask that holds everywhere but at one key: a query sees something, whether it shows or hides.
static void holdExceptAt(int64_t key, ir::reference::Array &mask) {
  int64_t stride = mask.stride("key");
  for (auto [i, value] : llvm::enumerate(mask.values))
    value = stride == 0 || static_cast<int64_t>(i) / stride % 5 != key;
}

/// Random arguments; integers are labels of at least 100 classes.
static Inputs randomInputs(func::FuncOp function, const Sizes &sizes, Random &random) {
  Inputs inputs;
  inputs.sizes = sizes;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = llvm::cast<ir::NamedTensorType>(type);
    Fill fill = tensor.getElementType().isInteger(1)    ? mask()
                : tensor.getElementType().isInteger(32) ? integers(0, 100)
                                                        : uniform(0.5, 2);
    inputs.arguments.push_back(filled(tensor, fill, sizes, random));
    if (tensor.getElementType().isInteger(1) && tensor.has("key"))
      holdExceptAt(static_cast<int64_t>(number), inputs.arguments.back());
  }
  for (auto variable : function->getParentOfType<ModuleOp>().getOps<ir::VariableOp>())
    inputs.variables[variable.getSymName().str()] =
        filled(llvm::cast<ir::NamedTensorType>(variable.getType()), uniform(-2, 2), sizes, random);
  return inputs;
}

class RecognitionPreserves : public testing::TestWithParam<const char *> {};

TEST_P(RecognitionPreserves, Results) {
  Graphs graphs;
  Random random(1);
  OwningOpRef<ModuleOp> module = graphs.parse(readTest(std::string(GetParam()) + ".mlir"));
  ASSERT_TRUE(module) << graphs.takeErrors();
  Sizes sizes;
  sizes.symbols = {{"B", 2}, {"S", 5}, {"T", 3}};
  PassesExecutor executor(graphs, GetParam());
  unsigned functions = 0;
  for (auto function : module->getOps<func::FuncOp>()) {
    Inputs inputs = randomInputs(function, sizes, random);
    EXPECT_EQ(disagreement(graphs, executor, *module, function.getName(), inputs, rounded), "")
        << function.getName().str();
    ++functions;
  }
  EXPECT_GE(functions, 3u);
}

INSTANTIATE_TEST_SUITE_P(All, RecognitionPreserves,
                         testing::Values("recognize-attention", "recognize-linear-cross-entropy",
                                         "fuse-horizontal"));
