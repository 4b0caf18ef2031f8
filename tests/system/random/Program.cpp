#include "tests/system/random/Program.h"

#include "tests/support/Gradients.h"

#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

Program Program::clone() const {
  return {OwningOpRef<ModuleOp>(llvm::cast<ModuleOp>(module.get()->clone())), inputs};
}

std::vector<Operation *> Program::ops() {
  std::vector<Operation *> ops;
  for (Operation &op : function().front().without_terminator())
    ops.push_back(&op);
  return ops;
}

static void updateType(func::FuncOp function) {
  Operation *end = function.front().getTerminator();
  function.setType(FunctionType::get(function.getContext(), function.front().getArgumentTypes(),
                                     end->getOperandTypes()));
}

void Program::setResults(ArrayRef<Value> results) {
  func::FuncOp f = function();
  f.front().getTerminator()->setOperands(results);
  f.setAllResultAttrs(ArrayRef<DictionaryAttr>());
  updateType(f);
  Builder builder(f.getContext());
  for (auto [number, type] : llvm::enumerate(f.getResultTypes())) {
    f.setResultAttr(number, "axloom.name", builder.getStringAttr("result" + Twine(number)));
    f.setResultAttr(number, "axloom.order", test::declaredOrder(type));
  }
}

Value Program::addArgument(Type type, ir::reference::Array value) {
  func::FuncOp f = function();
  unsigned number = f.getNumArguments();
  (void)f.insertArgument(number, type, {}, UnknownLoc::get(f.getContext()));
  Builder builder(f.getContext());
  // Names stay unique although arguments are dropped again.
  std::set<std::string> taken;
  for (unsigned i = 0; i < number; ++i)
    taken.insert(f.getArgAttrOfType<StringAttr>(i, "axloom.name").str());
  unsigned suffix = 0;
  while (taken.count("x" + std::to_string(suffix)))
    ++suffix;
  f.setArgAttr(number, "axloom.name", builder.getStringAttr("x" + Twine(suffix)));
  f.setArgAttr(number, "axloom.order", test::declaredOrder(type));
  inputs.arguments.push_back(std::move(value));
  return f.getArgument(number);
}

void Program::dropUnused() {
  std::vector<Operation *> all = ops();
  for (Operation *op : llvm::reverse(all))
    if (op->use_empty() && !llvm::isa<ir::WriteOp>(op))
      op->erase();
  func::FuncOp f = function();
  for (int number = static_cast<int>(f.getNumArguments()) - 1; number >= 0; --number)
    if (f.getArgument(number).use_empty() && succeeded(f.eraseArgument(number)))
      inputs.arguments.erase(inputs.arguments.begin() + number);
  for (auto variable : llvm::make_early_inc_range(module->getOps<ir::VariableOp>()))
    if (SymbolTable::symbolKnownUseEmpty(variable, *module)) {
      inputs.variables.erase(variable.getSymName().str());
      variable.erase();
    }
}

std::string test::findDisagreement(Graphs &graphs, Executor &executor, Program &program,
                                   Tolerance tolerance) {
  std::string forward =
      disagreement(graphs, executor, *program.module, "f", program.inputs, tolerance);
  if (!forward.empty())
    return "forward: " + forward;

  Program withGradients = program.clone();
  func::FuncOp gradient = addGradientFunction(withGradients.function());
  if (!gradient)
    return "";
  withGradients.function().erase();
  Random weights(1);
  ir::reference::Inputs inputs = gradientInputs(gradient, program.inputs, weights);
  std::string backward =
      disagreement(graphs, executor, *withGradients.module, gradient.getName(), inputs, tolerance);
  return backward.empty() ? "" : "gradients: " + backward;
}
