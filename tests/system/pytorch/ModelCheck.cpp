#include "tests/system/pytorch/ModelCheck.h"

#include "examples/translate/model.h"
#include "frontend/Axloom.h"
#include "tests/system/pytorch/Dump.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::ir::reference;
using namespace axloom::test;

/// d_v differs from d_k.
DumpedModel test::dumpedTransformer(const std::string &dump, double dropout) {
  Options options;
  for (const char *option : {"layers=2", "width=16", "heads=2", "depth=8", "value_depth=12",
                             "hidden=32", "vocabulary=23", "warmup=10"})
    options.set(option);
  options.set("dropout=" + std::to_string(dropout));
  Program program;
  translate::build(program, options);
  return {program.print(),
          "pytorch/" + dump + ".safetensors",
          {{"B", {"source", 0}}, {"S", {"source", 1}}, {"T", {"target_in", 1}}}};
}

static OwningOpRef<ModuleOp> parsed(Graphs &graphs, const std::string &graph) {
  if (OwningOpRef<ModuleOp> module = graphs.parse(graph))
    return module;
  throw std::runtime_error("the model cannot be read: " + graphs.takeErrors());
}

namespace {
/// A function of the model with the arguments and parameters that PyTorch had before the first
/// step.
class Comparison {
public:
  Comparison(Graphs &graphs, Executor &executor, const DumpedModel &model, StringRef name)
      : graphs(graphs), executor(executor),
        dump(std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/tests/system/" + model.dump),
        module(parsed(graphs, model.graph)), function(functionOf(*module, name)) {
    for (const auto &[symbol, axis] : model.sizes)
      inputs.sizes.symbols[symbol] = dump.extent(axis.first, axis.second);
    readArguments();
    for (auto variable : module->getOps<VariableOp>())
      if (variable.getKind() != "session")
        inputs.variables[variable.getSymName().str()] = start(variable);
  }

  void runSteps(const ModelTolerances &tolerances);
  void runOnce(const Tolerance &tolerance);

private:
  void readArguments();
  Array start(VariableOp variable) const;
  Array stored(const std::string &name, Type type, ArrayAttr order) const {
    return dump.array(name, llvm::cast<NamedTensorType>(type), order, inputs.sizes);
  }
  Array stored(const std::string &prefix, VariableOp variable) const {
    return stored(prefix + variable.getSymName().str(), variable.getType(), variable.getOrder());
  }
  void expectGradients(double tolerance);
  void expectParameters(double tolerance);

  Graphs &graphs;
  Executor &executor;
  Dump dump;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  Inputs inputs;
};
} // namespace

void Comparison::readArguments() {
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto name = function.getArgAttrOfType<StringAttr>(index, "axloom.name").str();
    if (name == "seed")
      inputs.arguments.push_back(Array(1234.0));
    else
      inputs.arguments.push_back(
          stored(name, type, function.getArgAttrOfType<ArrayAttr>(index, "axloom.order")));
  }
}

/// Parameters as in the dump; Adam's state is zeros.
Array Comparison::start(VariableOp variable) const {
  if (variable.getKind() == "parameter")
    return stored("start.", variable);
  return Array(llvm::cast<NamedTensorType>(variable.getType()).getAxes(), inputs.sizes);
}

static double largest(const std::vector<double> &values) {
  double largest = 0;
  for (double value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

/// Not-a-number where one of them is.
static double farthest(const std::vector<double> &a, const std::vector<double> &b) {
  double farthest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    if (double apart = std::abs(a[i] - b[i]); !(apart <= farthest))
      farthest = apart;
  return farthest;
}

/// After one step the first moment of Adam is (1 - 0.9) times the gradient.
void Comparison::expectGradients(double tolerance) {
  double all = 0;
  for (auto variable : module->getOps<VariableOp>())
    if (variable.getKind() == "parameter")
      all = std::max(all, largest(stored("gradient.", variable).values));
  for (auto variable : module->getOps<VariableOp>()) {
    if (variable.getKind() != "parameter")
      continue;
    Array expected = stored("gradient.", variable);
    Array actual = inputs.variables.at("adam.first." + variable.getSymName().str());
    for (double &value : actual.values)
      value /= 0.1;
    EXPECT_LE(farthest(expected.values, actual.values),
              tolerance * std::max(largest(expected.values), all / 50))
        << "gradient of " << variable.getSymName().str();
  }
}

void Comparison::expectParameters(double tolerance) {
  for (auto variable : module->getOps<VariableOp>())
    if (variable.getKind() == "parameter") {
      EXPECT_LE(farthest(stored("end.", variable).values,
                         inputs.variables.at(variable.getSymName().str()).values),
                tolerance)
          << variable.getSymName().str() << " after ten steps";
    }
}

void Comparison::runSteps(const ModelTolerances &tolerances) {
  std::vector<double> losses = dump.list("losses");
  for (size_t step = 0; step < losses.size(); ++step) {
    FailureOr<Outputs> outputs = executor.run(*module, function.getName(), inputs);
    ASSERT_TRUE(succeeded(outputs)) << graphs.takeErrors();
    EXPECT_NEAR(outputs->results[0].values[0], losses[step], tolerances.loss) << "step " << step;
    for (auto &[name, value] : outputs->variables)
      inputs.variables[name] = value;
    if (step == 0)
      expectGradients(tolerances.gradient);
  }
  expectParameters(tolerances.parameter);
}

void Comparison::runOnce(const Tolerance &tolerance) {
  FailureOr<Outputs> outputs = executor.run(*module, function.getName(), inputs);
  ASSERT_TRUE(succeeded(outputs)) << graphs.takeErrors();
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    auto name = function.getResultAttrOfType<StringAttr>(index, "axloom.name").str();
    Array expected =
        stored(name, type, function.getResultAttrOfType<ArrayAttr>(index, "axloom.order"));
    EXPECT_EQ(difference(expected, outputs->results[index], tolerance), "") << name;
  }
}

void test::expectPyTorch(Graphs &graphs, Executor &executor, const DumpedModel &model,
                         const ModelTolerances &tolerances) {
  Comparison(graphs, executor, model, "train_step").runSteps(tolerances);
}

void test::expectResults(Graphs &graphs, Executor &executor, const DumpedModel &model,
                         StringRef function, const Tolerance &tolerance) {
  Comparison(graphs, executor, model, function).runOnce(tolerance);
}
