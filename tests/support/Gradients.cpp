#include "tests/support/Gradients.h"

#include "ir/Build.h"
#include "ir/reference/Differences.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

bool test::isDifferentiable(Type type) {
  return llvm::isa<FloatType>(llvm::cast<ir::NamedTensorType>(type).getElementType());
}

//===----------------------------------------------------------------------===//
// The function with gradients
//===----------------------------------------------------------------------===//

static SmallVector<Value> differentiable(ValueRange values) {
  return llvm::to_vector(
      llvm::make_filter_range(values, [](Value v) { return isDifferentiable(v.getType()); }));
}

/// The sum over all axes of weight * value: a scalar.
static Value weightedSum(OpBuilder &builder, Location location, Value value, Value weight) {
  SmallVector<StringRef> axes;
  for (const ir::Axis &axis : ir::tensorType(value).getAxes())
    axes.push_back(axis.name);
  Value product = *ir::create<ir::MulOp>(builder, location, value, weight);
  return *ir::create<ir::ReduceOp>(builder, location, "sum", product,
                                   builder.getStrArrayAttr(axes));
}

/// Arguments may carry names and orders; new ones get them too.
static void nameArgument(func::FuncOp function, unsigned number, StringRef name) {
  Builder builder(function.getContext());
  function.setArgAttr(number, "axloom.name", builder.getStringAttr(name));
  function.setArgAttr(number, "axloom.order",
                      declaredOrder(function.getArgument(number).getType()));
}

static void nameResults(func::FuncOp function) {
  Builder builder(function.getContext());
  for (auto [number, type] : llvm::enumerate(function.getResultTypes())) {
    function.setResultAttr(number, "axloom.name", builder.getStringAttr("result" + Twine(number)));
    function.setResultAttr(number, "axloom.order", declaredOrder(type));
  }
}

func::FuncOp test::addGradientFunction(func::FuncOp function) {
  OpBuilder builder(function);
  builder.setInsertionPointAfter(function);
  auto copy = llvm::cast<func::FuncOp>(builder.clone(*function));
  copy.setName((function.getName() + "_gradient").str());
  Operation *end = copy.front().getTerminator();
  SmallVector<Value> wrt = differentiable(copy.getArguments());
  SmallVector<Value> weighted = differentiable(end->getOperands());
  if (wrt.empty() || weighted.empty()) {
    copy.erase();
    return nullptr;
  }
  builder.setInsertionPoint(end);
  Value loss;
  for (auto [number, value] : llvm::enumerate(weighted)) {
    unsigned position = copy.getNumArguments();
    (void)copy.insertArgument(position, value.getType(), {}, value.getLoc());
    nameArgument(copy, position, ("weight" + Twine(number)).str());
    Value part = weightedSum(builder, value.getLoc(), value, copy.getArgument(position));
    loss = loss ? Value(*ir::create<ir::AddOp>(builder, value.getLoc(), loss, part)) : part;
  }
  auto gradient =
      ir::GradientOp::create(builder, function.getLoc(), ValueRange(wrt).getTypes(), loss, wrt);
  SmallVector<Value> results(end->getOperands());
  llvm::append_range(results, gradient.getResults());
  end->setOperands(results);
  copy.setType(FunctionType::get(copy.getContext(), copy.getArgumentTypes(),
                                 ValueRange(results).getTypes()));
  nameResults(copy);
  return copy;
}

Inputs test::gradientInputs(func::FuncOp gradientFunction, const Inputs &inputs, Random &random) {
  Inputs all = inputs;
  for (Type type : gradientFunction.getArgumentTypes().drop_front(inputs.arguments.size()))
    all.arguments.push_back(
        filled(llvm::cast<ir::NamedTensorType>(type), uniform(-1, 1), inputs.sizes, random));
  return all;
}

//===----------------------------------------------------------------------===//
// Finite differences
//===----------------------------------------------------------------------===//

/// The sum of weight * result over all results that are differentiable.
static double weightedSum(const Outputs &outputs, ArrayRef<Type> types, const Array *weights) {
  double sum = 0;
  for (auto [result, type] : llvm::zip_equal(outputs.results, types))
    if (isDifferentiable(type)) {
      sum += std::inner_product(result.values.begin(), result.values.end(), weights->values.begin(),
                                0.0);
      ++weights;
    }
  return sum;
}

std::string test::finiteDifferenceError(Graphs &graphs, func::FuncOp function,
                                        func::FuncOp gradientFunction, const Inputs &inputs,
                                        Random &random) {
  auto module = function->getParentOfType<ModuleOp>();
  FailureOr<Outputs> outputs =
      InterpreterExecutor(graphs).run(module, gradientFunction.getName(), inputs);
  if (failed(outputs))
    return "the gradient cannot be computed: " + graphs.takeErrors();
  const std::vector<Array> arguments(inputs.arguments.begin(),
                                     inputs.arguments.begin() + function.getNumArguments());
  std::vector<unsigned> wrt;
  std::vector<Array> point;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isDifferentiable(type)) {
      wrt.push_back(number);
      point.push_back(arguments[number]);
    }
  auto loss = [&](const std::vector<Array> &moved) {
    Inputs at{inputs.sizes, arguments, inputs.variables};
    for (auto [number, array] : llvm::zip_equal(wrt, moved))
      at.arguments[number] = array;
    return weightedSum(*interpret(function, at), function.getResultTypes(),
                       &inputs.arguments[arguments.size()]);
  };
  std::vector<Array> gradients(outputs->results.begin() + function.getNumResults(),
                               outputs->results.end());

  double scale = 1;
  for (const Array &gradient : gradients)
    for (double g : gradient.values)
      scale = std::max(scale, std::abs(g));
  DifferenceOptions options{
      .relative = 1e-6, .absolute = 1e-6 * scale, .elements = 3, .seed = random()};
  for (auto [number, found] : llvm::zip_equal(wrt, differences(loss, point, gradients, options)))
    if (!found.isAllowed())
      return llvm::formatv(
          "argument {0} {1}: finite differences give {2:e10}, the gradient {3:e10}", number,
          found.place, found.measured, found.predicted);
  return "";
}
