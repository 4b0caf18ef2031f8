// Each case of the family against PyTorch: results and every gradient, interpreted and compiled.
#include "tests/support/CompiledExecutor.h"
#include "tests/system/family/Cases.h"
#include "tests/system/pytorch/Dump.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {
class Family : public testing::TestWithParam<FamilyCase> {
protected:
  Family()
      : dump(std::string(std::getenv("AXLOOM_SOURCE_DIR")) +
             "/tests/system/family/family.safetensors") {}

  Array stored(const std::string &kind, const std::string &name, NamedTensorType type,
               ArrayAttr order) const {
    return dump.array(std::string(GetParam().name) + "." + kind + "." + name, type, order, {});
  }
  void expectPyTorch(Graphs &graphs, Executor &executor, const Tolerance &tolerance);

  Dump dump;
};
} // namespace

void Family::expectPyTorch(Graphs &graphs, Executor &executor, const Tolerance &tolerance) {
  Program program;
  GetParam().build(program);
  OwningOpRef<ModuleOp> module = graphs.parse(program.print());
  ASSERT_TRUE(module) << graphs.takeErrors();
  Inputs inputs;
  for (auto variable : module->getOps<VariableOp>())
    inputs.variables[variable.getSymName().str()] =
        stored("start", variable.getSymName().str(),
               llvm::cast<NamedTensorType>(variable.getType()), variable.getOrder());
  FailureOr<Outputs> outputs = executor.run(*module, "f", inputs);
  ASSERT_TRUE(succeeded(outputs)) << graphs.takeErrors();
  auto function = functionOf(*module, "f");
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    std::string name = function.getResultAttrOfType<StringAttr>(index, "axloom.name").str();
    Array expected = stored("result", name, llvm::cast<NamedTensorType>(type),
                            function.getResultAttrOfType<ArrayAttr>(index, "axloom.order"));
    EXPECT_EQ(difference(expected, outputs->results[index], tolerance), "") << name;
  }
  for (auto variable : module->getOps<VariableOp>()) {
    std::string name = variable.getSymName().str();
    Array expected = stored("gradient", name, llvm::cast<NamedTensorType>(variable.getType()),
                            variable.getOrder());
    EXPECT_EQ(difference(expected, outputs->variables.at(name), tolerance), "") << name;
  }
}

// The dump holds numbers rounded to f32.
TEST_P(Family, InterpretedIsPyTorch) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  expectPyTorch(graphs, interpreter, Tolerance{1e-6});
}

TEST_P(Family, CompiledIsPyTorch) {
  Graphs graphs;
  CompiledExecutor compiled;
  expectPyTorch(graphs, compiled, Tolerance::f32());
}

INSTANTIATE_TEST_SUITE_P(All, Family, testing::ValuesIn(familyCases()),
                         [](const auto &info) { return info.param.name; });
