// 1. Check that the inputs fit the function's types: sizes known, extents equal.
// 2. Evaluate op after op through ReferenceOpInterface; a terminator hands on its operands.
// 3. Variables that were written get their new values; the others keep theirs.

#include "ir/reference/Interpreter.h"

#include "ir/reference/Evaluation.h"

using namespace mlir;
using namespace axloom::ir;
using namespace axloom::ir::reference;

void axloom::ir::reference::registerModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AxloomDialect *) {
    attachPointwise(context);
    attachCustom(context);
    attachStructure(context);
    attachComposite(context);
    attachAttention(context);
    attachProgram(context);
  });
}

//===----------------------------------------------------------------------===//
// Step 1: do the inputs fit?
//===----------------------------------------------------------------------===//

static LogicalResult checkSize(Operation *op, const Axis &axis, const Sizes &sizes) {
  SizeAttr size = axis.size();
  if (size.isUnknown())
    return op->emitError("axis '") << axis.name.getValue() << "' has an open size; infer it first";
  for (StringAttr symbol : size.getSymbols())
    if (!sizes.symbols.count(symbol.str()))
      return op->emitError("size symbol '") << symbol.getValue() << "' has no value";
  if (size.isRagged() && !sizes.lengths.count(size.padded().str()))
    return op->emitError("ragged size ") << size.str() << " has no lengths";
  return success();
}

/// Every axis must have an extent, every ragged one a length no larger for each partner index.
static LogicalResult checkType(Operation *op, Type type, const Sizes &sizes) {
  auto tensor = llvm::dyn_cast<NamedTensorType>(type);
  if (!tensor)
    return op->emitError("has a value of type ") << type << ", which is not an axloom tensor";
  for (const Axis &axis : tensor.getAxes())
    if (failed(checkSize(op, axis, sizes)))
      return failure();
  for (const Axis &axis : tensor.getAxes()) {
    if (!axis.size().isRagged())
      continue;
    ArrayRef<int64_t> lengths = sizes.lengths.at(axis.size().padded().str());
    SizeAttr partner = tensor.sizeOf(axis.size().getRaggedOver().getValue());
    if (!partner)
      return op->emitError("axis '")
             << axis.name.getValue() << "' is ragged over '"
             << axis.size().getRaggedOver().getValue() << "', which " << type << " lacks";
    if (static_cast<int64_t>(lengths.size()) != sizes.extent(partner))
      return op->emitError("ragged size ") << axis.size().str() << " has " << lengths.size()
                                           << " lengths, expected " << sizes.extent(partner);
    for (int64_t length : lengths)
      if (length < 0 || length > sizes.extent(axis.size()))
        return op->emitError("length ") << length << " of ragged axis '" << axis.name.getValue()
                                        << "' is not between 0 and " << sizes.extent(axis.size());
  }
  return success();
}

static LogicalResult checkArray(Operation *op, const Twine &what, Type type, const Array &array,
                                const Sizes &sizes) {
  Array expected(llvm::cast<NamedTensorType>(type).getAxes(), sizes);
  if (expected.space.axes() == array.space.axes() &&
      expected.space.extents() == array.space.extents())
    return success();
  InFlightDiagnostic error = op->emitError(what + " has extents [");
  llvm::interleaveComma(array.space.extents(), error);
  error << "], expected [";
  llvm::interleaveComma(expected.space.extents(), error);
  return error << "] for " << type;
}

static LogicalResult checkInputs(func::FuncOp function, const Inputs &inputs) {
  if (function.isExternal())
    return function.emitError("has no body to interpret");
  if (function.getNumArguments() != inputs.arguments.size())
    return function.emitError("takes ")
           << function.getNumArguments() << " arguments, found " << inputs.arguments.size();
  WalkResult walked = function->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(checkType(op, type, inputs.sizes)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto [number, argument] : llvm::enumerate(inputs.arguments)) {
    Type type = function.getArgumentTypes()[number];
    if (failed(checkType(function, type, inputs.sizes)) ||
        failed(checkArray(function, "argument " + Twine(number), type, argument, inputs.sizes)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Steps 2 and 3: evaluate
//===----------------------------------------------------------------------===//

static FailureOr<std::vector<Array>> evaluateOp(Operation *op, ArrayRef<const Array *> operands,
                                                const Sizes &sizes, const Variables &oldVariables,
                                                Variables &newVariables) {
  auto reference = llvm::dyn_cast<ReferenceOpInterface>(op);
  if (!reference)
    return op->emitError("has no reference semantics");
  Evaluation evaluation(op, operands, sizes, oldVariables, newVariables);
  if (failed(reference.evaluate(evaluation)))
    return failure();
  return std::move(evaluation.results);
}

static FailureOr<std::vector<Array>> runBlock(Block &block, ArrayRef<const Array *> arguments,
                                              const Sizes &sizes, const Variables &oldVariables,
                                              Variables &newVariables) {
  DenseMap<Value, Array> values;
  for (auto [argument, array] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = *array;
  for (Operation &op : block.without_terminator()) {
    SmallVector<const Array *> operands;
    for (Value operand : op.getOperands())
      operands.push_back(&values[operand]);
    FailureOr<std::vector<Array>> results =
        evaluateOp(&op, operands, sizes, oldVariables, newVariables);
    if (failed(results))
      return failure();
    for (auto [value, array] : llvm::zip_equal(op.getResults(), *results))
      values[value] = std::move(array);
  }
  std::vector<Array> handedOn;
  for (Value value : block.getTerminator()->getOperands())
    handedOn.push_back(values[value]);
  return handedOn;
}

LogicalResult Evaluation::runRegion(Region &region) {
  FailureOr<std::vector<Array>> handedOn =
      runBlock(region.front(), operands, allSizes, oldVariables, newVariables);
  if (failed(handedOn))
    return failure();
  results = std::move(*handedOn);
  return success();
}

FailureOr<Outputs> axloom::ir::reference::interpret(func::FuncOp function, const Inputs &inputs) {
  if (failed(checkInputs(function, inputs)))
    return failure();
  SmallVector<const Array *> arguments;
  for (const Array &argument : inputs.arguments)
    arguments.push_back(&argument);
  Outputs outputs;
  outputs.variables = inputs.variables;
  FailureOr<std::vector<Array>> results =
      runBlock(function.front(), arguments, inputs.sizes, inputs.variables, outputs.variables);
  if (failed(results))
    return failure();
  outputs.results = std::move(*results);
  return outputs;
}

FailureOr<std::vector<Array>> axloom::ir::reference::evaluate(Operation *op,
                                                              ArrayRef<const Array *> operands,
                                                              const Sizes &sizes) {
  Variables none;
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, type, sizes)))
      return failure();
  return evaluateOp(op, operands, sizes, none, none);
}
