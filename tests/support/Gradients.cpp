#include "tests/support/Gradients.h"

#include "ir/Build.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

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

namespace {
/// The loss and its gradients at one point, and how to walk away from it.
struct Checker {
  func::FuncOp function;
  ArrayRef<Type> argumentTypes, resultTypes;
  const Inputs &inputs; // those of the gradient function
  std::vector<unsigned> wrt;
  std::vector<Array> gradients; // one for each of `wrt`

  double loss(const std::vector<Array> &arguments) const;
  double slope(const std::vector<Array> &direction, double step) const;
  double predicted(const std::vector<Array> &direction) const;
  std::vector<Array> randomDirection(Random &random) const;
  std::vector<Array> singleElement(unsigned number, int64_t element) const;
};
} // namespace

double Checker::loss(const std::vector<Array> &arguments) const {
  Outputs outputs = *interpret(function, {inputs.sizes, arguments, inputs.variables});
  double loss = 0;
  size_t weight = arguments.size();
  for (auto [number, result] : llvm::enumerate(outputs.results)) {
    if (!isDifferentiable(resultTypes[number]))
      continue;
    const Array &weights = inputs.arguments[weight++];
    for (auto [w, y] : llvm::zip_equal(weights.values, result.values))
      loss += w * y;
  }
  return loss;
}

/// (loss(x + h d) - loss(x - h d)) / 2h
double Checker::slope(const std::vector<Array> &direction, double step) const {
  auto lossAt = [&](double distance) {
    std::vector<Array> moved(inputs.arguments.begin(),
                             inputs.arguments.begin() + argumentTypes.size());
    for (auto [number, d] : llvm::zip_equal(wrt, direction))
      for (auto [x, dx] : llvm::zip_equal(moved[number].values, d.values))
        x += distance * dx;
    return loss(moved);
  };
  return (lossAt(step) - lossAt(-step)) / (2 * step);
}

double Checker::predicted(const std::vector<Array> &direction) const {
  double sum = 0;
  for (auto [gradient, d] : llvm::zip_equal(gradients, direction))
    for (auto [g, dx] : llvm::zip_equal(gradient.values, d.values))
      sum += g * dx;
  return sum;
}

std::vector<Array> Checker::randomDirection(Random &random) const {
  std::vector<Array> direction;
  for (unsigned number : wrt)
    direction.push_back(filled(llvm::cast<ir::NamedTensorType>(argumentTypes[number]),
                               uniform(-1, 1), inputs.sizes, random));
  return direction;
}

std::vector<Array> Checker::singleElement(unsigned number, int64_t element) const {
  std::vector<Array> direction;
  for (unsigned argument : wrt)
    direction.emplace_back(inputs.arguments[argument].space);
  direction[number].values[element] = 1;
  return direction;
}

std::string test::finiteDifferenceError(Graphs &graphs, func::FuncOp function,
                                        func::FuncOp gradientFunction, const Inputs &inputs,
                                        Random &random) {
  auto module = function->getParentOfType<ModuleOp>();
  FailureOr<Outputs> outputs =
      InterpreterExecutor(graphs).run(module, gradientFunction.getName(), inputs);
  if (failed(outputs))
    return "the gradient cannot be computed: " + graphs.takeErrors();
  Checker checker{function, function.getArgumentTypes(), function.getResultTypes(), inputs, {}, {}};
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    if (isDifferentiable(function.getArgumentTypes()[number]))
      checker.wrt.push_back(number);
  checker.gradients.assign(outputs->results.begin() + function.getNumResults(),
                           outputs->results.end());

  double scale = 1;
  for (const Array &gradient : checker.gradients)
    for (double g : gradient.values)
      scale = std::max(scale, std::abs(g));
  auto check = [&](const std::vector<Array> &direction, const Twine &what) -> std::string {
    double measured = checker.slope(direction, 1e-5), predicted = checker.predicted(direction);
    if (std::abs(measured - predicted) <= 1e-6 * std::max(scale, std::abs(measured)))
      return "";
    return llvm::formatv("{0}: finite differences give {1:e10}, the gradient {2:e10}", what.str(),
                         measured, predicted);
  };

  for (int round = 0; round < 2; ++round)
    if (std::string error = check(checker.randomDirection(random), "in a random direction");
        !error.empty())
      return error;
  for (auto [number, argument] : llvm::enumerate(checker.wrt)) {
    int64_t volume = inputs.arguments[argument].space.volume();
    for (int64_t tries = std::min<int64_t>(volume, 3); tries > 0; --tries) {
      int64_t element = static_cast<int64_t>(random() % volume);
      if (std::string error = check(checker.singleElement(number, element),
                                    "argument " + Twine(argument) + ", element " + Twine(element));
          !error.empty())
        return error;
    }
  }
  return "";
}
