// For each gradient that a function asks for:
//
// 1. Run the function on random inputs: the gradients, what its stop_gradients give, and what its
//    custom ops are given.
// 2. Compare the gradients with differences of the loss, in which stop_gradients give the same.
// 3. Compare the adjoint of each custom op with differences of the op alone, given the same.

#include "codegen/driver/CheckGradients.h"

#include "codegen/driver/Diagnostics.h"
#include "codegen/driver/GradientFunctions.h"
#include "codegen/driver/RandomInputs.h"
#include "frontend/GraphInternal.h"
#include "frontend/Program.h"
#include "ir/reference/Differences.h"
#include "passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::ir::reference;

namespace {
class Checker {
public:
  Checker(func::FuncOp function, const GradientCheckOptions &options, GradientReport &report)
      : function(function), options(options), report(report) {}

  LogicalResult check(size_t gradient);

private:
  void compare(ArrayRef<Subject> subjects, const Loss &loss, const std::vector<Array> &point,
               const std::vector<Array> &gradients);
  LogicalResult checkCustomOp(ir::CustomOp op, const std::vector<Array> &operands,
                              const Sizes &sizes);

  func::FuncOp function;
  const GradientCheckOptions &options;
  GradientReport &report;
};
} // namespace

void Checker::compare(ArrayRef<Subject> subjects, const Loss &loss, const std::vector<Array> &point,
                      const std::vector<Array> &gradients) {
  DifferenceOptions how{.step = options.step,
                        .relative = options.tolerance,
                        .absolute = 1e-8 * std::max(1.0, std::abs(loss(point))),
                        .elements = options.elements,
                        .seed = options.seed};
  for (auto [subject, found] : llvm::zip_equal(subjects, differences(loss, point, gradients, how)))
    report.checks.push_back({.function = function.getName().str(),
                             .tensor = subject.tensor,
                             .source = subject.source,
                             .place = found.place,
                             .gradient = found.predicted,
                             .difference = found.measured,
                             .error = found.error(),
                             .allowed = found.allowed,
                             .passed = found.isAllowed()});
}

/// Replaces the last of some arguments.
static Inputs withLast(Inputs inputs, const std::vector<Array> &last) {
  std::copy(last.rbegin(), last.rend(), inputs.arguments.rbegin());
  return inputs;
}

LogicalResult Checker::check(size_t gradient) {
  FailureOr<GradientFunctions> functions = gradientFunctions(function, gradient);
  if (failed(functions))
    return failure();
  Inputs inputs = randomInputs(functions->gradients, options);
  std::vector<Array> still; // nothing is moved yet
  for (Type type : functions->gradients.getArgumentTypes().take_back(functions->subjects.size()))
    still.emplace_back(llvm::cast<ir::NamedTensorType>(type).getAxes(), inputs.sizes);
  inputs = withLast(std::move(inputs), still);

  FailureOr<Outputs> outputs = interpret(functions->gradients, inputs); // Step 1.
  if (failed(outputs))
    return failure();
  auto split = outputs->results.begin() + static_cast<std::ptrdiff_t>(still.size()),
       held = split + static_cast<std::ptrdiff_t>(functions->stops);
  Inputs withHeld = inputs;
  withHeld.arguments.insert(withHeld.arguments.end() - static_cast<std::ptrdiff_t>(still.size()),
                            split, held);
  auto loss = [&](const std::vector<Array> &moved) { // Step 2.
    FailureOr<Outputs> result = interpret(functions->loss, withLast(withHeld, moved));
    return succeeded(result) ? result->results[0].values[0]
                             : std::numeric_limits<double>::quiet_NaN();
  };
  compare(functions->subjects, loss, still, {outputs->results.begin(), split});

  split = held;
  for (ir::CustomOp op : customOpsOf(function)) { // Step 3.
    auto next = split + op.getInputs().size();
    if (failed(checkCustomOp(op, {split, next}, inputs.sizes)))
      return failure();
    split = next;
  }
  return success();
}

/// The loss is the sum of the result, each element with a random weight.
LogicalResult Checker::checkCustomOp(ir::CustomOp op, const std::vector<Array> &operands,
                                     const Sizes &sizes) {
  FailureOr<CustomOpFunctions> functions = customOpFunctions(op);
  if (failed(functions))
    return failure();
  std::mt19937_64 random(options.seed);
  Array weights = randomArray(Space(ir::tensorType(op.getY()).getAxes(), sizes), -1, 1, random);
  std::vector<Subject> subjects;
  std::vector<Array> point;
  std::vector<size_t> numbers; // of the operands that are differentiated
  for (auto [number, operand] : llvm::enumerate(op.getInputs())) {
    if (!isDifferentiable(operand))
      continue;
    subjects.push_back(
        {llvm::formatv("operand {0} of custom op '{1}'", number + 1, op.getDefinition()),
         placeOf(op.getLoc())});
    point.push_back(operands[number]);
    numbers.push_back(number);
  }
  Inputs inputs{sizes, operands, {}};
  inputs.arguments.push_back(weights);
  FailureOr<Outputs> adjoints = interpret(functions->adjoints, inputs);
  if (failed(adjoints))
    return failure();
  auto loss = [&](const std::vector<Array> &moved) {
    Inputs at{sizes, operands, {}};
    for (auto [number, array] : llvm::zip_equal(numbers, moved))
      at.arguments[number] = array;
    FailureOr<Outputs> result = interpret(functions->result, at);
    return failed(result) ? std::numeric_limits<double>::quiet_NaN()
                          : std::inner_product(weights.values.begin(), weights.values.end(),
                                               result->results[0].values.begin(), 0.0);
  };
  compare(subjects, loss, point, adjoints->results);
  return success();
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

bool GradientReport::passed() const {
  return problem.empty() && !checks.empty() &&
         llvm::all_of(checks, [](const GradientCheck &check) { return check.passed; });
}

static std::string lineFor(const GradientCheck &check) {
  std::string source = check.source.empty() ? "" : " (" + check.source + ")";
  if (check.passed)
    return llvm::formatv("ok     {0}: {1}{2}: error {3:e1}, allowed {4:e1}\n", check.function,
                         check.tensor, source, check.error, check.allowed);
  return llvm::formatv("WRONG  {0}: {1}{2} {3}: the gradient is {4:e6}, differences give {5:e6}; "
                       "error {6:e1}, allowed {7:e1}\n",
                       check.function, check.tensor, source, check.place, check.gradient,
                       check.difference, check.error, check.allowed);
}

std::string GradientReport::text() const {
  std::string text;
  size_t good = 0;
  for (const GradientCheck &check : checks) {
    text += lineFor(check);
    good += check.passed;
  }
  if (!problem.empty())
    return text + problem + (problem.back() == '\n' ? "" : "\n");
  return text +
         llvm::formatv("{0} of {1} gradients agree with central differences\n", good, checks.size())
             .str();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static void registerReference(MLIRContext *context) {
  DialectRegistry registry;
  registerModels(registry);
  context->appendDialectRegistry(registry);
}

GradientReport axloom::checkGradients(ModuleOp module, const GradientCheckOptions &options) {
  registerReference(module.getContext());
  GradientReport report;
  llvm::raw_string_ostream errors(report.problem);
  UserDiagnostics diagnostics(module.getContext(), errors);
  PassManager inference(module.getContext()); // a graph in text may leave sizes open
  inference.addPass(passes::createInfer());
  if (failed(inference.run(module)))
    return report;
  size_t asked = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!options.function.empty() && function.getName() != options.function)
      continue;
    auto gradients = function.getOps<ir::GradientOp>();
    const auto count = static_cast<size_t>(std::distance(gradients.begin(), gradients.end()));
    for (size_t number = 0; number < count; ++number, ++asked)
      if (failed(Checker(function, options, report).check(number)))
        return report;
  }
  if (asked == 0)
    report.problem = options.function.empty()
                         ? "error: no function of the program asks for a gradient"
                         : "error: the program has no function '" + options.function +
                               "' that asks for a gradient";
  return report;
}

GradientReport axloom::checkGradients(const Program &program, const GradientCheckOptions &options) {
  return checkGradients(moduleOf(program), options);
}
