// The classifiers of examples/classify against PyTorch in double precision: probabilities, losses,
// gradients, ten steps of AdamW with clipped gradients and a rate that rises and falls.
#include "examples/classify/model.h"
#include "frontend/Axloom.h"
#include "tests/support/CompiledExecutor.h"
#include "tests/system/pytorch/ModelCheck.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::test;

namespace {
struct ClassifierCase {
  const char *name; // in classifier.py
  std::vector<const char *> options;
};

class Classifier : public testing::TestWithParam<ClassifierCase> {
protected:
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
    return {program(),
            "classify/" + std::string(GetParam().name) + ".safetensors",
            {{"B", {"tokens", 0}}, {"S", {"tokens", 1}}}};
  }
};
} // namespace

TEST_P(Classifier, InterpretedIsPyTorch) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  expectResults(graphs, interpreter, dumped(), "classify", Tolerance{1e-6});
  expectPyTorch(graphs, interpreter, dumped(), ModelTolerances::inDouble());
}

TEST_P(Classifier, CompiledIsPyTorch) {
  Graphs graphs;
  CompiledExecutor compiled;
  expectResults(graphs, compiled, dumped(), "classify", Tolerance::f32());
  expectPyTorch(graphs, compiled, dumped(), ModelTolerances::inFloat());
}

INSTANTIATE_TEST_SUITE_P(All, Classifier,
                         testing::Values(ClassifierCase{"transformer", {}},
                                         ClassifierCase{"pooling_all", {"pooling=all"}},
                                         ClassifierCase{"bert", {"encoder=bert"}}),
                         [](const auto &info) { return info.param.name; });
