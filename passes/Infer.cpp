// Fills in the sizes left open (`?`) and checks that all sizes fit, before any other pass relies on
// them.
//
// 1. Check the types of variables and arguments: every size is known, every size symbol is
//    declared.
// 2. Check that every function has a body, and names of its own for its arguments and results.
// 3. Take each function's ops in program order, which are all of this dialect: infer the result
//    types from the operands' types, which are complete by then, and unify them with the declared
//    types. No variable is written twice.
// 4. Check that positions which are looked up in a table (learned positions) have a row there, up
//    to the maximum of their size symbol, and that indices and labels which are numbers lie in
//    their axis: compiled code would clamp them. Check that integers hold the sizes that they are
//    to be.
// 5. Give the function the types of what it returns.
//
// Every error carries the line of the op in the user's graph. Test: tests/passes/infer.mlir.

#include "ir/Dialect.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;

/// The ABI's tensors have room for so many axes.
static constexpr unsigned maxAxes = 8;
/// No element has more.
static constexpr int64_t maxElementBytes = 8;

static LogicalResult checkDeclared(Location location, const Twine &what, SizeAttr size,
                                   const SymbolTable &symbols) {
  for (StringAttr symbol : size.getSymbols())
    if (!symbols.lookup<SizeOp>(symbol))
      return emitError(location) << "size symbol '" << symbol.getValue() << "' of " << what
                                 << " is not declared; expected `axloom.size @" << symbol.getValue()
                                 << " max ...` in the module";
  return success();
}

/// Checks that the type can be entered with: all sizes known, their symbols declared.
static LogicalResult check(Location location, const Twine &what, Type type,
                           const SymbolTable &symbols) {
  auto tensor = llvm::dyn_cast<NamedTensorType>(type);
  if (!tensor)
    return emitError(location) << what << " has type " << type << ", expected an axloom tensor";
  if (tensor.rank() > maxAxes)
    return emitError(location) << what << " has " << tensor.rank() << " axes, expected at most "
                               << maxAxes;
  int64_t bytes = maxElementBytes;
  for (const Axis &axis : tensor.getAxes()) {
    if (!axis.size().isUnknown() && llvm::MulOverflow(bytes, axis.size().getFactor(), bytes))
      return emitError(location) << what << " has type " << type
                                 << ", more elements than can be counted; expected fewer";
    if (axis.size().isUnknown())
      return emitError(location) << "the size of axis '" << axis.name.getValue() << "' of " << what
                                 << " is not known; give it in the type";
    if (failed(checkDeclared(location, "axis '" + axis.name.getValue() + "' of " + what,
                             axis.size(), symbols)))
      return failure();
  }
  return success();
}

/// Checks the sizes that an op has as attributes, of which no tensor tells.
static LogicalResult checkAttributes(Operation &op, const SymbolTable &symbols) {
  for (NamedAttribute attribute : op.getAttrs())
    if (auto size = llvm::dyn_cast<SizeAttr>(attribute.getValue()))
      if (failed(
              checkDeclared(op.getLoc(), "'" + op.getName().getStringRef() + "'", size, symbols)))
        return failure();
  return success();
}

/// Checks that no two of a function's arguments, or of its results, have one name. `attributes`: a
/// dictionary for each, or null.
static LogicalResult checkNames(func::FuncOp function, StringRef what, ArrayAttr attributes) {
  llvm::StringSet<> names;
  for (Attribute each : attributes ? attributes.getValue() : ArrayRef<Attribute>())
    if (auto name = llvm::cast<DictionaryAttr>(each).getAs<StringAttr>("axloom.name");
        name && !names.insert(name.getValue()).second)
      return function.emitError("function '")
             << function.getSymName() << "' has two " << what << "s with the name '"
             << name.getValue() << "'; give each a name of its own";
  return success();
}

/// Steps 1 and 2.
static LogicalResult checkEntries(ModuleOp module, const SymbolTable &symbols) {
  for (auto variable : module.getOps<VariableOp>())
    if (failed(check(variable.getLoc(), "variable '" + variable.getSymName() + "'",
                     variable.getType(), symbols)))
      return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      return function.emitError("function '")
             << function.getSymName()
             << "' has no body; expected its ops here, since modules are compiled whole";
    for (BlockArgument argument : function.getArguments()) {
      auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "axloom.name");
      std::string what = name ? "argument '" + name.str() + "'"
                              : "argument " + std::to_string(argument.getArgNumber());
      if (failed(check(argument.getLoc(), what, argument.getType(), symbols)))
        return failure();
    }
    if (failed(checkNames(function, "argument", function.getAllArgAttrs())) ||
        failed(checkNames(function, "result", function.getAllResultAttrs())))
      return failure();
  }
  return success();
}

/// Checks that an op is one that later passes know, and the first one to write its variable.
static LogicalResult checkOp(Operation &op, llvm::StringSet<> &written) {
  if (!llvm::isa_and_nonnull<AxloomDialect>(op.getDialect()) && !llvm::isa<func::ReturnOp>(op))
    return op.emitError("'") << op.getName()
                             << "' is not an op of axloom; expected ops of that dialect alone";
  if (auto write = llvm::dyn_cast<WriteOp>(op);
      write && !written.insert(write.getVariable()).second)
    return op.emitError("variable '")
           << write.getVariable() << "' is written twice in a function; expected one new value";
  return success();
}

/// Step 3, for one op.
static LogicalResult inferResults(Operation &op) {
  auto inference = llvm::dyn_cast<InferTypeOpInterface>(op);
  SmallVector<Type> types;
  if (auto gradient = llvm::dyn_cast<GradientOp>(op))
    types.assign(gradient.getWrt().getTypes().begin(), gradient.getWrt().getTypes().end());
  else if (!inference)
    return success();
  else if (failed(inference.inferReturnTypes(op.getContext(), op.getLoc(), op.getOperands(),
                                             op.getAttrDictionary(), op.getPropertiesStorage(),
                                             op.getRegions(), types)))
    return failure();
  if (!compatible(types, op.getResultTypes()))
    return op.emitError("'") << op.getName() << "' is declared to give " << op.getResultTypes()
                             << ", but gives " << types;
  for (auto [result, type] : llvm::zip_equal(op.getResults(), types))
    result.setType(type);
  return success();
}

/// What a value is a view of.
static Value viewed(Value value) {
  while (llvm::isa_and_nonnull<RenameOp, BroadcastOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Step 4.
static LogicalResult checkPositions(GatherOp gather, const SymbolTable &symbols) {
  auto iota = viewed(gather.getIndices()).getDefiningOp<IotaOp>();
  SizeAttr rows = tensorType(gather.getTable()).sizeOf(gather.getAxis());
  if (!iota || !rows.isFixed())
    return success();
  SizeAttr size = tensorType(iota.getResult()).sizeOf(iota.getAxis());
  int64_t maximum = maximumOf(size, symbols);
  if (maximum <= rows.getFactor())
    return success();
  return gather.emitError("axis '")
         << iota.getAxis() << "' has up to " << maximum << " positions, but axis '"
         << gather.getAxis() << "' of the table has size " << rows.getFactor()
         << "; lower the maximum of the positions, or give the table a row for each";
}

/// Step 4, for an index along an axis of a tensor that is a number.
static LogicalResult checkIndex(Operation *op, Value index, Value tensor, StringRef axis,
                                const SymbolTable &symbols) {
  auto constant = viewed(index).getDefiningOp<ConstantOp>();
  auto number = constant ? llvm::dyn_cast<IntegerAttr>(constant.getValue()) : nullptr;
  if (!number)
    return success();
  int64_t end = maximumOf(tensorType(tensor).sizeOf(axis), symbols);
  if (number.getInt() >= 0 && number.getInt() < end)
    return success();
  return op->emitError("index ") << number.getInt() << " is outside of axis '" << axis
                                 << "', which has at most " << end
                                 << " elements; they count from 0";
}

static LogicalResult checkIndices(Operation &op, const SymbolTable &symbols) {
  auto check = [&](Value index, Value tensor, StringRef axis) {
    return checkIndex(&op, index, tensor, axis, symbols);
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](GatherOp gather) {
        if (failed(check(gather.getIndices(), gather.getTable(), gather.getAxis())))
          return failure();
        return checkPositions(gather, symbols);
      })
      .Case([&](ScatterAddOp scatter) {
        return check(scatter.getIndices(), scatter.getY(), scatter.getAxis());
      })
      .Case([&](UpdateOp update) {
        return check(update.getIndex(), update.getX(), update.getAxis());
      })
      .Case([&](CrossEntropyOp loss) {
        return check(loss.getLabels(), loss.getLogits(), loss.getAxis());
      })
      .Case([&](LinearCrossEntropyOp loss) {
        return check(loss.getLabels(), loss.getW(), loss.getClasses());
      })
      .Default(success());
}

/// Step 4, for a size as a number.
static LogicalResult checkNumber(SizeOfOp op, const SymbolTable &symbols) {
  int64_t maximum = maximumOf(op.getSize(), symbols);
  if (!tensorType(op.getY()).getElementType().isInteger(32) || maximum <= INT32_MAX)
    return success();
  return op.emitError("the size may be up to ")
         << maximum
         << ", more than an i32 holds; lower the maxima of its symbols, or use it as f64";
}

/// Steps 3 to 5.
static LogicalResult inferFunction(func::FuncOp function, const SymbolTable &symbols) {
  llvm::StringSet<> written;
  for (Operation &op : function.getOps()) {
    if (failed(checkOp(op, written)) || failed(inferResults(op)) ||
        failed(checkAttributes(op, symbols)))
      return failure();
    for (Value result : op.getResults())
      if (failed(check(op.getLoc(), "the result of '" + op.getName().getStringRef() + "'",
                       result.getType(), symbols)))
        return failure();
    if (failed(checkIndices(op, symbols)))
      return failure();
    if (auto size = llvm::dyn_cast<SizeOfOp>(op); size && failed(checkNumber(size, symbols)))
      return failure();
  }
  Operation *terminator = function.getBody().front().getTerminator();
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(),
                                     terminator->getOperandTypes()));
  return success();
}

namespace {
struct Infer : PassWrapper<Infer, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Infer)
  StringRef getArgument() const final { return "infer"; }
  StringRef getDescription() const final { return "fills in sizes left open and checks all sizes"; }

  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    if (failed(checkEntries(getOperation(), symbols)))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(inferFunction(function, symbols)))
        return signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> passes::createInfer() { return std::make_unique<Infer>(); }
