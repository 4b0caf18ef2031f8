// 1. Copy the function's module, with f32 in place of bf16: what is rounded is flat between its
//    steps, so that differences would be of the rounding. To each value that is differentiated, add
//    an argument: moving the argument moves the value, wherever it comes from.
// 2. Copy the function once more; let one return the loss and the other the gradients, and drop
//    what that does not need: updates of variables, above all. What stop_gradient gives is an
//    argument of the loss, so that it stays where the subjects move.
// 3. Differentiate.

#include "codegen/driver/GradientFunctions.h"

#include "codegen/driver/Diagnostics.h"
#include "ir/Build.h"
#include "passes/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

bool codegen::isDifferentiable(Value value) {
  return llvm::isa<FloatType>(ir::tensorType(value).getElementType());
}

static ir::GradientOp gradientAt(func::FuncOp function, size_t number) {
  auto gradients = function.getOps<ir::GradientOp>();
  return *std::next(gradients.begin(), static_cast<std::ptrdiff_t>(number));
}

//===----------------------------------------------------------------------===//
// Step 1
//===----------------------------------------------------------------------===//

static bool isBf16(Type tensor) {
  return llvm::cast<ir::NamedTensorType>(tensor).getElementType().isBF16();
}

/// Does nothing where a custom op takes bf16, since its definition says so.
static void widenBf16(ModuleOp module) {
  auto found = module.walk([](ir::CustomOp op) {
    return WalkResult(failure(llvm::any_of(op->getOperandTypes(), isBf16)));
  });
  if (found.wasInterrupted())
    return;
  AttrTypeReplacer replacer;
  Type wide = Float32Type::get(module.getContext());
  replacer.addReplacement([=](BFloat16Type) { return wide; });
  replacer.addReplacement([=](ir::NamedTensorType type) {
    return isBf16(type) ? ir::NamedTensorType::get(type.getAxes(), wide) : type;
  });
  replacer.addReplacement([=](FloatAttr number) {
    bool isNarrow = number.getType().isBF16();
    return isNarrow ? FloatAttr::get(wide, number.getValueAsDouble()) : number;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

static Subject subjectOf(Value value, func::FuncOp function) {
  if (auto read = value.getDefiningOp<ir::ReadOp>()) {
    auto variable = llvm::cast<ir::VariableOp>(
        SymbolTable::lookupNearestSymbolFrom(read, read.getVariableAttr()));
    return {(variable.getKind() + " '" + variable.getSymName() + "'").str(),
            placeOf(variable.getLoc())};
  }
  if (auto argument = llvm::dyn_cast<BlockArgument>(value)) {
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "axloom.name");
    if (name)
      return {"argument '" + name.str() + "'", placeOf(value.getLoc())};
  }
  return {"a value", placeOf(value.getLoc())};
}

/// All values that are this one: a variable may be read in several places.
static SmallVector<Value> sameValues(Value value, func::FuncOp function) {
  auto read = value.getDefiningOp<ir::ReadOp>();
  if (!read)
    return {value};
  SmallVector<Value> values;
  for (auto other : function.getOps<ir::ReadOp>())
    if (other.getVariable() == read.getVariable())
      values.push_back(other);
  return values;
}

/// Adds an argument to all uses of a value.
static void makeMovable(Value value, func::FuncOp function) {
  unsigned position = function.getNumArguments();
  (void)function.insertArgument(position, value.getType(), {}, value.getLoc());
  SmallVector<Value> all = sameValues(value, function);
  Value first = all.front();
  for (Value other : llvm::drop_begin(all)) // the first read stands before the others
    other.replaceAllUsesWith(first);
  OpBuilder builder(function.getContext());
  if (Operation *op = first.getDefiningOp())
    builder.setInsertionPointAfter(op);
  else
    builder.setInsertionPointToStart(&function.front());
  ir::AddOp moved =
      *ir::create<ir::AddOp>(builder, first.getLoc(), first, Value(function.getArgument(position)));
  first.replaceAllUsesExcept(moved, moved);
}

//===----------------------------------------------------------------------===//
// Step 2
//===----------------------------------------------------------------------===//

/// Lets a function compute these of its values and nothing else.
static void returnOnly(func::FuncOp function, ArrayRef<Value> values) {
  function.front().getTerminator()->setOperands(values);
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(),
                                     ValueRange(values).getTypes()));
  function.removeResAttrsAttr();
  for (auto write : llvm::make_early_inc_range(function.getOps<ir::WriteOp>()))
    write.erase();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Has a function take what its stop_gradients give, in front of its last arguments.
static void holdStops(func::FuncOp function, size_t lastArguments) {
  for (auto stop : llvm::make_early_inc_range(function.getOps<ir::StopGradientOp>())) {
    unsigned position = function.getNumArguments() - lastArguments;
    (void)function.insertArgument(position, stop.getY().getType(), {}, stop.getLoc());
    stop.replaceAllUsesWith(Value(function.getArgument(position)));
    stop.erase();
  }
}

std::vector<ir::CustomOp> codegen::customOpsOf(func::FuncOp function) {
  std::vector<ir::CustomOp> ops;
  std::set<std::pair<std::string, std::string>> seen;
  for (auto op : function.getOps<ir::CustomOp>()) {
    const ir::CustomDefinition *definition = op.requireDefinition();
    if (definition && definition->adjoint &&
        seen.emplace(definition->name, placeOf(op.getLoc())).second)
      ops.push_back(op);
  }
  return ops;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

FailureOr<GradientFunctions> codegen::gradientFunctions(func::FuncOp original, size_t number) {
  GradientFunctions made;
  made.module = original->getParentOfType<ModuleOp>().clone();
  made.gradients = made.module->lookupSymbol<func::FuncOp>(original.getName());
  for (auto function : llvm::make_early_inc_range(made.module->getOps<func::FuncOp>()))
    if (function != made.gradients)
      function.erase();
  widenBf16(*made.module);
  ir::GradientOp gradient = gradientAt(made.gradients, number);
  for (Value value : gradient.getWrt())
    made.subjects.push_back(subjectOf(value, made.gradients));
  for (OpOperand &subject : gradient.getWrtMutable()) {
    Value value = subject.get();
    makeMovable(value, made.gradients);
  }

  OpBuilder builder(made.gradients);
  made.loss = llvm::cast<func::FuncOp>(builder.clone(*made.gradients));
  made.loss.setName((original.getName() + "_loss").str());
  holdStops(made.loss, made.subjects.size());
  returnOnly(made.loss, gradientAt(made.loss, number).getLoss());
  SmallVector<Value> results(gradient.getGradients());
  for (auto stop : made.gradients.getOps<ir::StopGradientOp>())
    results.push_back(stop.getY());
  made.stops = results.size() - made.subjects.size();
  for (ir::CustomOp op : customOpsOf(made.gradients))
    llvm::append_range(results, op.getInputs());
  returnOnly(made.gradients, results);

  PassManager manager(made.module->getContext());
  manager.addPass(passes::createDifferentiate());
  if (failed(manager.run(*made.module)))
    return failure();
  return made;
}

FailureOr<CustomOpFunctions> codegen::customOpFunctions(ir::CustomOp op) {
  CustomOpFunctions made;
  Location location = op.getLoc();
  made.module = ModuleOp::create(location);
  auto builder = OpBuilder::atBlockEnd(made.module->getBody());
  auto begin = [&](StringRef name, ArrayRef<Type> arguments) {
    builder.setInsertionPointToEnd(made.module->getBody());
    auto function =
        func::FuncOp::create(builder, location, name, builder.getFunctionType(arguments, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    return function;
  };
  auto cloned = [&](func::FuncOp function) {
    IRMapping mapping;
    for (auto [number, operand] : llvm::enumerate(op.getInputs()))
      mapping.map(operand, function.getArgument(number));
    auto copy = llvm::cast<ir::CustomOp>(builder.clone(*op, mapping));
    copy->setOperands(function.getArguments().take_front(op.getInputs().size()));
    return copy;
  };
  auto end = [&](func::FuncOp function, ValueRange results) {
    func::ReturnOp::create(builder, location, results);
    function.setType(builder.getFunctionType(function.getArgumentTypes(), results.getTypes()));
  };

  SmallVector<Type> types(op.getInputs().getTypes());
  made.result = begin("result", types);
  end(made.result, cloned(made.result)->getResults());

  types.push_back(op.getY().getType());
  made.adjoints = begin("adjoints", types);
  ir::CustomOp copy = cloned(made.adjoints);
  llvm::DenseSet<Value> active(copy.getInputs().begin(), copy.getInputs().end());
  active.insert(copy.getY());
  ir::Adjoints adjoints(builder, active);
  adjoints.location = location;
  adjoints.add(copy.getY(), made.adjoints.getArguments().back());
  if (failed(copy.buildAdjoints(adjoints)))
    return failure();
  builder.setInsertionPointToEnd(&made.adjoints.front());
  end(made.adjoints,
      llvm::map_to_vector(llvm::make_filter_range(copy.getInputs(), isDifferentiable),
                          [&](Value operand) { return adjoints.of(operand); }));
  return made;
}
