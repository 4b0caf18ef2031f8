#include "tests/support/Executor.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

static bool hasGradients(ModuleOp module) {
  return module.walk([](ir::GradientOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

FailureOr<Outputs> InterpreterExecutor::run(ModuleOp module, StringRef name, const Inputs &inputs) {
  if (!hasGradients(module))
    return interpret(functionOf(module, name), inputs);
  OwningOpRef<ModuleOp> differentiated(module.clone());
  if (failed(graphs.run(*differentiated, "differentiate")))
    return failure();
  return interpret(functionOf(*differentiated, name), inputs);
}

std::string axloom::test::disagreement(Graphs &graphs, Executor &executor, ModuleOp module,
                                       StringRef name, const Inputs &inputs, Tolerance tolerance) {
  FailureOr<Outputs> expected = InterpreterExecutor(graphs).run(module, name, inputs);
  if (failed(expected))
    return "the interpreter fails: " + graphs.takeErrors();
  FailureOr<Outputs> actual = executor.run(module, name, inputs);
  if (failed(actual))
    return "the executor fails: " + graphs.takeErrors();
  if (expected->results.size() != actual->results.size())
    return "the executor gives another number of results";
  for (auto [number, result] : llvm::enumerate(expected->results)) {
    std::string text = difference(result, actual->results[number], tolerance);
    if (!text.empty())
      return "result " + std::to_string(number) + " " + text;
  }
  for (auto &[variable, value] : expected->variables) {
    if (!actual->variables.count(variable))
      return "the executor has no variable '" + variable + "'";
    std::string text = difference(value, actual->variables[variable], tolerance);
    if (!text.empty())
      return "variable '" + variable + "' " + text;
  }
  return "";
}
