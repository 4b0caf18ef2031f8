// The classifiers of examples/classify against PyTorch in double precision: probabilities, losses,
// gradients, ten steps of AdamW with clipped gradients and a rate that rises and falls.
#include "examples/classify/model.h"
#include "frontend/Axloom.h"
#include "tests/support/CompiledExecutor.h"
#include "tests/system/pytorch/Dump.h"
#include "tests/system/pytorch/ModelCheck.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {
struct ClassifierCase {
  const char *name; // in classifier.py
  std::vector<const char *> options;
};

class Classifier : public testing::TestWithParam<ClassifierCase> {
protected:
  static std::string file() { return "classify/" + std::string(GetParam().name) + ".safetensors"; }

  /// The model of classifier.py.
  static std::string program() {
    Options options;
    for (const char *option : {"layers=2", "width=8", "heads=2", "hidden=12", "vocabulary=11",
                               "length=9", "classes=5", "dropout=0", "smoothing=0.1", "rate=0.01",
                               "warmup=4", "weight_decay=0.05", "epsilon=0.001", "clip=2"})
      options.set(option);
    for (const char *option : GetParam().options)
      options.set(option);
    Program program;
    classify::build(program, options);
    options.checkAllUsed();
    return program.print();
  }

  static DumpedModel dumped() {
    return {program(), file(), {{"B", {"tokens", 0}}, {"S", {"tokens", 1}}}};
  }

  static void expectProbabilities(Graphs &graphs, Executor &executor, const Tolerance &tolerance);
};

// What `classify` gives before the first step.
void Classifier::expectProbabilities(Graphs &graphs, Executor &executor,
                                     const Tolerance &tolerance) {
  OwningOpRef<ModuleOp> module = graphs.parse(program());
  ASSERT_TRUE(module) << graphs.takeErrors();
  auto function = functionOf(*module, "classify");
  Dump dump(std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/tests/system/" + file());
  Sizes sizes;
  sizes.symbols = {{"B", dump.extent("tokens", 0)}, {"S", dump.extent("tokens", 1)}};
  auto stored = [&](const std::string &name, Type type, ArrayAttr order) {
    return dump.array(name, llvm::cast<NamedTensorType>(type), order, sizes);
  };
  Inputs inputs;
  inputs.sizes = sizes;
  inputs.arguments = {stored("tokens", function.getArgumentTypes()[0],
                             function.getArgAttrOfType<ArrayAttr>(0, "axloom.order"))};
  for (auto variable : module->getOps<VariableOp>())
    if (variable.getKind() == "parameter")
      inputs.variables[variable.getSymName().str()] =
          stored("start." + variable.getSymName().str(), variable.getType(), variable.getOrder());
    else
      inputs.variables[variable.getSymName().str()] =
          Array(llvm::cast<NamedTensorType>(variable.getType()).getAxes(), sizes);
  FailureOr<Outputs> outputs = executor.run(*module, "classify", inputs);
  ASSERT_TRUE(succeeded(outputs)) << graphs.takeErrors();
  Array expected = stored("log_probabilities", function.getResultTypes()[0],
                          function.getResultAttrOfType<ArrayAttr>(0, "axloom.order"));
  EXPECT_EQ(difference(expected, outputs->results[0], tolerance), "");
}
} // namespace

TEST_P(Classifier, InterpretedIsPyTorch) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  expectProbabilities(graphs, interpreter, Tolerance{1e-6});
  expectPyTorch(graphs, interpreter, dumped(), ModelTolerances::inDouble());
}

TEST_P(Classifier, CompiledIsPyTorch) {
  Graphs graphs;
  CompiledExecutor compiled;
  expectProbabilities(graphs, compiled, Tolerance::f32());
  expectPyTorch(graphs, compiled, dumped(), ModelTolerances::inFloat());
}

INSTANTIATE_TEST_SUITE_P(All, Classifier,
                         testing::Values(ClassifierCase{"transformer", {}},
                                         ClassifierCase{"pooling_all", {"pooling=all"}},
                                         ClassifierCase{"bert", {"encoder=bert"}}),
                         [](const auto &info) { return info.param.name; });
