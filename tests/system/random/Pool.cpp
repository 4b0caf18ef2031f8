#include "tests/system/random/Pool.h"

#include "tests/support/Gradients.h"

#include <cmath>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

Pool::Pool(Graphs &graphs, Program &program, Random &random)
    : random(random), builder(program.function().front().getTerminator()), graphs(graphs),
      program(program) {}

void Pool::addArgument(StringRef typeText, const Fill &fill) {
  ir::NamedTensorType type = graphs.type(typeText);
  Array array = filled(type, fill, program.inputs.sizes, random);
  Value value = program.addArgument(type, array);
  arrays[value] = std::move(array);
  values.push_back(value);
}

void Pool::addVariable(StringRef typeText, const Fill &fill) {
  ir::NamedTensorType type = graphs.type(typeText);
  Array array = filled(type, fill, program.inputs.sizes, random);
  std::string name = "v" + std::to_string(program.inputs.variables.size());
  program.inputs.variables[name] = array;
  OpBuilder outside(program.function());
  auto kind = outside.getNamedAttr("kind", outside.getStringAttr("zeros"));
  SmallVector<Attribute> order(declaredOrder(type).getValue());
  if (chance(0.3))
    std::reverse(order.begin(), order.end());
  ir::VariableOp::create(outside, outside.getUnknownLoc(), name, type, "state",
                         outside.getArrayAttr(order), outside.getDictionaryAttr(kind));
  Value old = ir::ReadOp::create(builder, builder.getUnknownLoc(), type, name);
  arrays[old] = std::move(array);
  values.push_back(old);
}

Value Pool::pick(llvm::function_ref<bool(Value)> wanted) {
  std::vector<Value> fitting;
  for (Value value : values)
    if (wanted(value))
      fitting.push_back(value);
  if (fitting.empty())
    return {};
  int64_t number = std::max(below(fitting.size()), below(fitting.size()));
  return fitting[number];
}

Value Pool::pickFloat() {
  return pick(
      [](Value v) { return isDifferentiable(v.getType()) && !ir::tensorType(v).isScalar(); });
}

const ir::Axis *Pool::pickAxis(Value value) {
  ArrayRef<ir::Axis> axes = ir::tensorType(value).getAxes();
  return axes.empty() ? nullptr : &axes[below(axes.size())];
}

//===----------------------------------------------------------------------===//
// Sane values
//===----------------------------------------------------------------------===//

/// Whether the interpreter is done with an op soon.
static bool isSmall(Operation *op, const Sizes &sizes) {
  return llvm::all_of(op->getResults(), [&](Value result) {
    ir::NamedTensorType type = ir::tensorType(result);
    return type.rank() <= 5 && Space(type.getAxes(), sizes).volume() <= 30000;
  });
}

static bool isSane(Value value, const Array &array) {
  double limit = isDifferentiable(value.getType()) ? 50 : 1e6;
  return llvm::all_of(array.values, [&](double number) { return std::abs(number) <= limit; });
}

static bool areSane(Operation *op, ArrayRef<Array> results) {
  return llvm::all_of(llvm::zip_equal(op->getResults(), results),
                      [](auto pair) { return isSane(std::get<0>(pair), std::get<1>(pair)); });
}

/// Whether no two values that the op compares are nearly equal.
static bool isFarFromKinks(Operation *op, ArrayRef<const Array *> operands, const Array &result) {
  constexpr double margin = 1e-3;
  bool far = true;
  const Array &x = *operands[0];
  if (llvm::isa<ir::AbsOp>(op)) {
    x.space.forEach([&, from = Read(x, x.space)](Point p) { far &= std::abs(from[p]) > margin; });
  } else if (llvm::isa<ir::MaximumOp, ir::MinimumOp, ir::CompareOp>(op)) {
    Value a = op->getOperand(0);
    if (!isDifferentiable(a.getType()))
      return true; // integers are exact
    Space all = result.space;
    Read left(x, all), right(*operands[1], all);
    all.forEach([&](Point p) { far &= std::abs(left[p] - right[p]) > margin; });
  } else if (auto reduce = llvm::dyn_cast<ir::ReduceOp>(op); reduce && reduce.getKind() != "sum") {
    Array near(result.space);
    Read from(x, x.space), best(result, x.space);
    Write count(near, x.space);
    x.space.forEach([&](Point p) { count[p] += std::abs(from[p] - best[p]) <= margin; });
    far = llvm::all_of(near.values, [](double count) { return count <= 1; });
  }
  return far;
}

/// Whether the last digits of the operands do not decide the result, as they do for jumps.
static bool isStable(Operation *op, ArrayRef<const Array *> operands, const Array &result,
                     const Sizes &sizes, Random &random) {
  std::vector<Array> moved;
  for (auto [array, value] : llvm::zip_equal(operands, op->getOperands())) {
    moved.push_back(*array);
    if (isDifferentiable(value.getType()))
      for (double &number : moved.back().values)
        number += 1e-5 * (static_cast<double>(random() % 2001) / 1000 - 1);
  }
  SmallVector<const Array *> movedOperands;
  for (const Array &array : moved)
    movedOperands.push_back(&array);
  FailureOr<std::vector<Array>> again = evaluate(op, movedOperands, sizes);
  return succeeded(again) && difference(result, again->front(), {2e-3}).empty();
}

Operation *Pool::reject() {
  graphs.takeErrors();
  return nullptr;
}

Operation *Pool::keepIfSane(Operation *op) {
  SmallVector<const Array *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&arrays.at(operand));
  if (!isSmall(op, program.inputs.sizes)) {
    op->erase();
    return reject();
  }
  FailureOr<std::vector<Array>> results = evaluate(op, operands, program.inputs.sizes);
  bool keep = succeeded(results) && areSane(op, *results) &&
              (operands.empty() ||
               (isFarFromKinks(op, operands, results->front()) &&
                isStable(op, operands, results->front(), program.inputs.sizes, random)));
  if (!keep) {
    op->erase();
    return reject();
  }
  // Further results serve the backward pass alone; they have no adjoints.
  for (auto [value, array] : llvm::zip_equal(op->getResults(), *results))
    arrays[value] = std::move(array);
  values.push_back(op->getResult(0));
  return op;
}

bool Pool::tryAdd(const std::function<bool(Pool &)> &maker) {
  size_t before = values.size();
  if (maker(*this))
    return true;
  while (values.size() > before) {
    Operation *op = values.back().getDefiningOp();
    for (Value result : op->getResults())
      arrays.erase(result);
    values.pop_back();
    op->erase();
  }
  return false;
}
