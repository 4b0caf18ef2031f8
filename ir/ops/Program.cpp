// Verifiers of the ops around a program's functions, and of kernels.

#include "ir/Dialect.h"
#include "ir/Elements.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace axloom::ir;

LogicalResult SizeOp::verify() {
  if (getMax() > 0 && getMax() <= INT32_MAX)
    return success();
  return emitOpError("max is ") << getMax() << ", expected a positive number of at most "
                                << INT32_MAX;
}

/// Whether an attribute lists each axis of a tensor once.
static LogicalResult verifyOrder(llvm::function_ref<InFlightDiagnostic()> emitError,
                                 Attribute order, NamedTensorType type) {
  auto names = llvm::dyn_cast<ArrayAttr>(order);
  if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
    return emitError() << "order is " << order << ", expected a list of names of axes";
  llvm::SmallDenseSet<StringRef> ordered;
  for (auto name : names.getAsRange<StringAttr>())
    if (!type.has(name.getValue()) || !ordered.insert(name.getValue()).second)
      return emitError() << "order names axis '" << name.getValue() << "', which " << type
                         << " lacks or has once only";
  if (ordered.size() != type.rank())
    return emitError() << "order names " << ordered.size() << " axes, but the type has "
                       << type.rank();
  return success();
}

/// What the dialect says of an argument or a result of a function: its name and order of axes.
static LogicalResult verifyDescription(Operation *op, const llvm::Twine &what, Type type,
                                       NamedAttribute attribute) {
  std::string subject = what.str();
  auto emitError = [&] { return op->emitError(subject + ": "); };
  if (attribute.getName() == "axloom.name" && !llvm::isa<StringAttr>(attribute.getValue()))
    return emitError() << "name is " << attribute.getValue() << ", expected a string";
  if (attribute.getName() != "axloom.order")
    return success();
  if (auto tensor = llvm::dyn_cast<NamedTensorType>(type))
    return verifyOrder(emitError, attribute.getValue(), tensor);
  return emitError() << "order of axes for " << type << ", expected a tensor";
}

LogicalResult AxloomDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                      NamedAttribute attribute) {
  return verifyDescription(op, "argument " + llvm::Twine(argument),
                           llvm::cast<FunctionOpInterface>(op).getArgumentTypes()[argument],
                           attribute);
}

LogicalResult AxloomDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned result,
                                                         NamedAttribute attribute) {
  return verifyDescription(op, "result " + llvm::Twine(result),
                           llvm::cast<FunctionOpInterface>(op).getResultTypes()[result], attribute);
}

/// Checks that an initializer has the numbers of its kind, and that elements can be drawn with
/// them.
static LogicalResult verifyInitializer(VariableOp op, Type element) {
  static const std::map<StringRef, SmallVector<StringRef>> kinds = {{"zeros", {}},
                                                                    {"ones", {}},
                                                                    {"constant", {"value"}},
                                                                    {"uniform", {"low", "high"}},
                                                                    {"normal", {"mean", "stddev"}}};
  DictionaryAttr init = op.getInit();
  auto emitError = [&] { return op.emitOpError("init is ") << init << ", expected "; };
  auto name = init.getAs<StringAttr>("kind");
  auto kind = name ? kinds.find(name.getValue()) : kinds.end();
  if (kind == kinds.end())
    return emitError() << "a kind: zeros, ones, constant, uniform or normal";
  SmallVector<double> numbers;
  for (StringRef key : kind->second)
    if (auto number = init.getAs<FloatAttr>(key))
      numbers.push_back(number.getValueAsDouble());
  if (numbers.size() != kind->second.size() || init.size() != numbers.size() + 1)
    return emitError() << "a kind and floating-point numbers for ["
                       << llvm::join(kind->second, ", ") << "]";
  bool isDistribution = numbers.size() == 2;
  if (isDistribution && !llvm::isa<FloatType>(element))
    return emitError() << "zeros, ones or a constant for elements of " << element;
  if (!llvm::all_of(numbers, [&](double number) { return hasNumber(element, number); }))
    return emitError() << "finite numbers that " << element << " has";
  if (kind->first == "uniform" && numbers[1] < numbers[0])
    return emitError() << "a high of at least low";
  if (kind->first == "normal" && numbers[1] < 0)
    return emitError() << "a stddev of at least 0";
  return success();
}

LogicalResult VariableOp::verify() {
  if (!llvm::is_contained({"parameter", "state", "session"}, getKind()))
    return emitOpError("kind is '") << getKind() << "', expected parameter, state or session";
  auto type = llvm::cast<NamedTensorType>(getType());
  if (failed(verifyOrder([&] { return emitOpError(); }, getOrder(), type)))
    return failure();
  if (getKind() != "session")
    for (const Axis &axis : type.getAxes())
      if (!axis.size().isFixed())
        return emitOpError("axis '")
               << axis.name.getValue() << "' has size " << axis.size().str()
               << ", expected a fixed number; only session variables may have symbols";
  return verifyInitializer(*this, type.getElementType());
}

/// Checks that a read or written value has the variable's type.
static LogicalResult verifyVariableUse(Operation *op, FlatSymbolRefAttr symbol, Type type,
                                       SymbolTableCollection &tables) {
  auto variable = tables.lookupNearestSymbolFrom<VariableOp>(op, symbol);
  if (!variable)
    return op->emitOpError("there is no variable '") << symbol.getValue() << "'";
  if (variable.getType() != type)
    return op->emitOpError("variable '")
           << symbol.getValue() << "' has type " << variable.getType() << ", found " << type;
  return success();
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyVariableUse(*this, getVariableAttr(), getResult().getType(), tables);
}

LogicalResult WriteOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyVariableUse(*this, getVariableAttr(), getValue().getType(), tables);
}

LogicalResult GradientOp::verify() {
  if (!tensorType(getLoss()).isScalar())
    return emitOpError("loss is ") << getLoss().getType() << ", expected a scalar";
  if (getWrt().getTypes() != getGradients().getTypes())
    return emitOpError("gradients must have the types of the values they belong to");
  return success();
}

/// Checks that each result takes over the memory of no input or of one of its own type, which has
/// memory and no other result in it.
static LogicalResult verifyInPlace(KernelOp op, ArrayRef<int64_t> inPlace) {
  if (inPlace.size() != op.getOutputs().size())
    return op.emitOpError("in_place has ")
           << inPlace.size() << " inputs for " << op.getOutputs().size() << " results";
  ArrayRef<int64_t> byValue = op.getByValue().value_or(ArrayRef<int64_t>());
  for (auto [index, type] : llvm::zip_equal(inPlace, op.getOutputs().getTypes())) {
    if (index == -1)
      continue;
    if (index < 0 || index >= int64_t(op.getInputs().size()) ||
        op.getInputs()[index].getType() != type)
      return op.emitOpError("in_place names input ")
             << index << ", expected -1 or the index of an input of type " << type;
    if (llvm::is_contained(byValue, index) || llvm::count(inPlace, index) > 1)
      return op.emitOpError("in_place names input ")
             << index << ", expected one that has memory, for one result";
  }
  return success();
}

LogicalResult KernelOp::verify() {
  Block &body = getBody().front();
  if (body.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("the region's arguments must have the types of the inputs");
  if (body.empty() || !llvm::isa<YieldOp>(body.back()))
    return emitOpError("the region must end in axloom.yield");
  if (body.back().getOperandTypes() != getOutputs().getTypes())
    return emitOpError("the yielded values must have the types of the outputs");
  if (getInputLayouts() && getInputLayouts()->size() != getInputs().size())
    return emitOpError("has ") << getInputLayouts()->size() << " input layouts for "
                               << getInputs().size() << " inputs";
  if (getResultLayouts() && getResultLayouts()->size() != getOutputs().size())
    return emitOpError("has ") << getResultLayouts()->size() << " result layouts for "
                               << getOutputs().size() << " results";
  if (getPlacements() && getPlacements()->size() != getOutputs().size())
    return emitOpError("has ") << getPlacements()->size() << " placements for "
                               << getOutputs().size() << " results";
  if (getInPlace() && failed(verifyInPlace(*this, *getInPlace())))
    return failure();
  auto fitsParameter = [](NamedTensorType type) {
    return type.isScalar() && (type.getElementType().isF32() || type.getElementType().isInteger());
  };
  for (int64_t index : getByValue().value_or(ArrayRef<int64_t>()))
    if (index < 0 || index >= int64_t(getInputs().size()) ||
        !fitsParameter(tensorType(getInputs()[index])))
      return emitOpError("by_value names input ")
             << index << ", expected the index of a scalar input of f32, i32 or i1";
  return success();
}

int64_t axloom::ir::maximumOf(SizeAttr size, const SymbolTable &symbols) {
  int64_t maximum = size.getFactor();
  for (StringAttr symbol : size.getSymbols())
    if (llvm::MulOverflow(maximum, int64_t(symbols.lookup<SizeOp>(symbol).getMax()), maximum))
      return std::numeric_limits<int64_t>::max();
  return maximum;
}
