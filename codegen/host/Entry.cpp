#include "codegen/host/Entry.h"

#include "codegen/host/Arena.h"
#include "codegen/host/Copy.h"
#include "codegen/host/Descriptors.h"
#include "codegen/host/Elements.h"
#include "codegen/host/Sizes.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

namespace {
class EntryBuilder {
public:
  EntryBuilder(Abi &abi, ModuleOp into, const Description &model, func::FuncOp planned);

  LogicalResult build();

private:
  /// Bytes of an operand, rounded up to AXL_ALIGNMENT.
  Value alignedBytes(const Operand &operand);
  Value largest(ValueRange numbers);
  void reserveArena();
  void findOutside();
  LogicalResult copyEarlyResults();
  LogicalResult placeResults(ir::KernelOp kernel);
  FailureOr<SmallVector<Place>> placesOf(ir::KernelOp kernel, const CompiledKernel &code);
  void setTensor(int32_t position, const Operand &operand, const Place &place);
  LogicalResult launch(ir::KernelOp kernel, bool isDeferred = false);
  LogicalResult launchTogether(ArrayRef<ir::KernelOp> kernels);
  LogicalResult launchAll();
  void setOffsets(int32_t position, const Operand &operand, Value entries);
  FailureOr<Value> scalar(ir::KernelOp kernel, const Scalar &scalar);
  LogicalResult copyLateResults();
  LogicalResult copyWrites();
  LogicalResult copy(Value source, const Stored &destination, Operation *where);
  void endIfFailed(Value failed, Value code);
  /// Ends the entry with a code that is not AXL_OK.
  void check(Value returned);

  ir::LayoutAttr declaredOrder(const ValueInfo &value);
  const VariableInfo &variable(StringRef name) {
    return model.variables[model.variableIndex.lookup(name)];
  }
  /// Whether a function's result is made of what the caller or an earlier call left.
  static bool isOld(Value value) { return !value.getDefiningOp<ir::KernelOp>(); }

  Abi &abi;
  const Description &model;
  func::FuncOp planned;
  LLVM::LLVMFuncOp entry;
  mlir::Block *exit = nullptr; // takes the code that a call returned
  ImplicitLocOpBuilder builder;
  Value context, arguments, results;
  std::optional<Sizes> sizes;
  std::optional<Descriptors> descriptors;
  Value arena;
  SmallVector<Value> slotOffsets;
  Value scratchOffset;
  llvm::DenseMap<Value, Stored> stored;
  llvm::StringMap<Stored> variables;
  SmallVector<Stored> resultPlaces;
};
} // namespace

std::string codegen::entryName(StringRef model, StringRef function) {
  return (model + "_" + function + "_entry").str();
}

static const FunctionInfo &functionInfo(const Description &model, StringRef name) {
  return *llvm::find_if(model.functions,
                        [&](const FunctionInfo &info) { return info.name == name; });
}

EntryBuilder::EntryBuilder(Abi &abi, ModuleOp into, const Description &model, func::FuncOp planned)
    : abi(abi), model(model), planned(planned), builder(planned.getLoc(), planned.getContext()) {
  builder.setInsertionPointToEnd(into.getBody());
  auto type = LLVM::LLVMFunctionType::get(abi.i32, {abi.pointer, abi.pointer, abi.pointer});
  entry = LLVM::LLVMFuncOp::create(builder, entryName(model.name, planned.getSymName()), type,
                                   LLVM::Linkage::Internal);
  mlir::Block *body = entry.addEntryBlock(builder);
  exit = entry.addBlock();
  builder.setInsertionPointToStart(exit);
  LLVM::ReturnOp::create(builder, exit->addArgument(abi.i32, planned.getLoc()));
  builder.setInsertionPointToStart(body);
  context = body->getArgument(0);
  arguments = body->getArgument(1);
  results = body->getArgument(2);
}

ir::LayoutAttr EntryBuilder::declaredOrder(const ValueInfo &value) {
  SmallVector<StringAttr> order;
  for (const std::string &axis : value.order)
    order.push_back(builder.getStringAttr(axis));
  return ir::LayoutAttr::get(builder.getContext(), order, 0);
}

void EntryBuilder::endIfFailed(Value failed, Value code) {
  mlir::Block *next = entry.addBlock();
  LLVM::CondBrOp::create(builder, failed, exit, code, next, ValueRange());
  builder.setInsertionPointToStart(next);
}

Value EntryBuilder::alignedBytes(const Operand &operand) {
  Value bytes = abi.number64(builder, elementBytes(operand.elementType));
  for (const Dimension &dimension : operand.dimensions)
    bytes = abi.product(builder, bytes, sizes->of(builder, dimension));
  return sizes->aligned(builder, bytes);
}

Value EntryBuilder::largest(ValueRange numbers) {
  if (numbers.empty())
    return abi.number64(builder, 0);
  Value most = numbers.front();
  for (Value number : numbers.drop_front())
    most = LLVM::UMaxOp::create(builder, most, number);
  return most;
}

void EntryBuilder::reserveArena() {
  SmallVector<Value> ends;
  for (const passes::ArenaSlot &slot : passes::slotsOf(planned)) {
    auto below = llvm::map_to_vector(slot.below, [&](int64_t other) { return ends[other]; });
    slotOffsets.push_back(largest(below));
    ends.push_back(LLVM::AddOp::create(builder, slotOffsets.back(),
                                       sizes->aligned(builder, sizes->of(builder, slot.bytes))));
  }
  SmallVector<Value> scratchSizes;
  planned.walk([&](ir::KernelOp kernel) {
    Value bytes;
    for (const Operand *operand : scratchOf(model, kernel)) {
      Value size = alignedBytes(*operand);
      bytes = bytes ? LLVM::AddOp::create(builder, bytes, size).getResult() : size;
    }
    if (bytes)
      scratchSizes.push_back(bytes);
  });
  scratchOffset = largest(ends);
  Value total = LLVM::AddOp::create(builder, scratchOffset, largest(scratchSizes));
  if (slotOffsets.empty() && scratchSizes.empty())
    return;
  arena = abi.arena(builder, context, total);
  Value none = LLVM::ZeroOp::create(builder, abi.pointer);
  Value failed = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, arena, none);
  endIfFailed(failed, abi.number32(builder, AXL_ERROR_MEMORY));
}

void EntryBuilder::findOutside() {
  const FunctionInfo &info = functionInfo(model, planned.getSymName());
  auto at = [&](Value array, int32_t index) {
    return LLVM::GEPOp::create(builder, abi.pointer, abi.tensor, array,
                               ArrayRef<LLVM::GEPArg>{index});
  };
  for (auto [index, argument] : llvm::enumerate(planned.getArguments()))
    if (!argument.use_empty())
      stored[argument] = {placeOf(abi, builder, at(arguments, int32_t(index))),
                          declaredOrder(info.arguments[index])};
  for (auto [index, result] : llvm::enumerate(info.results))
    resultPlaces.push_back(
        {placeOf(abi, builder, at(results, int32_t(index))), declaredOrder(result)});
  auto findVariable = [&](StringRef name) {
    if (variables.contains(name))
      return;
    Value tensor = abi.variable(builder, context, model.variableIndex.lookup(name));
    variables[name] = {placeOf(abi, builder, tensor), declaredOrder(variable(name).value)};
  };
  planned.walk([&](Operation *op) {
    if (auto read = llvm::dyn_cast<ir::ReadOp>(op)) {
      findVariable(read.getVariable());
      stored[read.getResult()] = variables[read.getVariable()];
    } else if (auto write = llvm::dyn_cast<ir::WriteOp>(op)) {
      findVariable(write.getVariable());
    }
  });
}

/// Gives each result of a kernel the memory that the plan chose for it.
LogicalResult EntryBuilder::placeResults(ir::KernelOp kernel) {
  if (!kernel.getPlacements() || !kernel.getResultLayouts() || !kernel.getInputLayouts())
    return kernel.emitError("has no placements or layouts; host code needs a planned module");
  for (auto [result, placed, order] :
       llvm::zip_equal(kernel.getOutputs(), kernel.getPlacements()->getAsRange<ir::PlacementAttr>(),
                       kernel.getResultLayouts()->getAsRange<ir::LayoutAttr>())) {
    if (placed.isSlot()) {
      if (placed.getIndex() >= int64_t(slotOffsets.size()))
        return kernel.emitError("places a result in slot ")
               << placed.getIndex() << ", but its function has " << slotOffsets.size();
      stored[result] = {{arena, slotOffsets[placed.getIndex()]}, order};
      continue;
    }
    if (placed.isVariable() && !variables.contains(placed.getVariable().getValue()))
      return kernel.emitError("places a result in variable '")
             << placed.getVariable().getValue() << "', which its function does not write";
    if (placed.isResult() && placed.getIndex() >= int64_t(resultPlaces.size()))
      return kernel.emitError("places a result in result ")
             << placed.getIndex() << ", but its function has " << resultPlaces.size();
    stored[result] = placed.isVariable() ? variables[placed.getVariable().getValue()]
                                         : resultPlaces[placed.getIndex()];
    if (stored[result].layout != order)
      return kernel.emitError("writes ")
             << order << " into memory whose declared order is " << stored[result].layout;
  }
  return success();
}

FailureOr<Value> EntryBuilder::scalar(ir::KernelOp kernel, const Scalar &scalar) {
  if (scalar.input < 0)
    return LLVM::TruncOp::create(builder, abi.i32, sizes->of(builder, scalar.size)).getResult();
  auto constant = kernel.getInputs()[scalar.input].getDefiningOp<ir::ConstantOp>();
  if (!constant)
    return kernel.emitError("takes input ") << scalar.input << " by value, but it is no constant";
  if (auto real = llvm::dyn_cast<FloatAttr>(constant.getValue())) {
    float value = float(real.getValueAsDouble());
    return abi.number32(builder, llvm::bit_cast<int32_t>(value));
  }
  return abi.number32(
      builder, int32_t(llvm::cast<IntegerAttr>(constant.getValue()).getValue().getZExtValue()));
}

void EntryBuilder::setOffsets(int32_t position, const Operand &operand, Value entries) {
  Value tensor = abi.offsets(builder, context, model.symbolIndex.lookup(operand.offsetsOf));
  Value one = abi.number64(builder, 1);
  Value extent = LLVM::AddOp::create(builder, entries, one);
  descriptors->setTensor(builder, position, placeOf(abi, builder, tensor), AXL_I32, extent, one);
}

/// Where the tensors of a kernel lie; kept ones and offsets are not the entry's to place.
FailureOr<SmallVector<Place>> EntryBuilder::placesOf(ir::KernelOp kernel,
                                                     const CompiledKernel &code) {
  SmallVector<Place> places;
  Value scratch = scratchOffset;
  for (auto [position, operand] : llvm::enumerate(code.operands)) {
    const PreparationInfo *preparation = preparationOf(model, kernel, position);
    if (!operand.offsetsOf.empty() || (preparation && preparation->prepared >= 0)) {
      places.push_back({});
      continue;
    }
    if (operand.isScratch) {
      places.push_back({arena, scratch});
      scratch = LLVM::AddOp::create(builder, scratch, alignedBytes(operand));
      continue;
    }
    bool isInput = !operand.isResult;
    Value value = isInput ? kernel.getInputs()[operand.index] : kernel.getOutputs()[operand.index];
    auto found = stored.find(value);
    if (found == stored.end())
      return kernel.emitError("reads input ")
             << operand.index << " as a tensor, but it is in no memory";
    if (isInput && found->second.layout != (*kernel.getInputLayouts())[operand.index])
      return kernel.emitError("expects input ")
             << operand.index << " as " << (*kernel.getInputLayouts())[operand.index]
             << ", but it lies as " << found->second.layout;
    places.push_back(found->second.place);
  }
  return places;
}

void EntryBuilder::setTensor(int32_t position, const Operand &operand, const Place &place) {
  SmallVector<Value> extents;
  for (const Dimension &dimension : operand.dimensions)
    extents.push_back(sizes->of(builder, dimension));
  descriptors->setTensor(builder, position, place, elementTag(operand.elementType), extents,
                         denseStrides(abi, builder, extents));
}

void EntryBuilder::check(Value returned) {
  Value ok = abi.number32(builder, AXL_OK);
  endIfFailed(LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, returned, ok), returned);
}

/// `isDeferred`: with the next launch of the same code.
LogicalResult EntryBuilder::launch(ir::KernelOp kernel, bool isDeferred) {
  int32_t index = model.kernelIndex.lookup(kernel);
  const CompiledKernel &code = *model.kernels[index].code;
  FailureOr<SmallVector<Place>> places = placesOf(kernel, code);
  if (failed(places))
    return failure();
  for (size_t position = 0; position < code.operands.size(); ++position)
    if (const PreparationInfo *made = preparationOf(model, kernel, position);
        made && made->prepared < 0) {
      setTensor(0, code.operands[made->from], (*places)[made->from]);
      setTensor(1, code.operands[position], (*places)[position]);
      check(abi.launch(builder, context, made->kernel, descriptors->tensors(), 2,
                       descriptors->scalars(), 0));
    }
  for (auto [position, operand] : llvm::enumerate(code.operands)) {
    const PreparationInfo *made = preparationOf(model, kernel, position);
    if (made && made->prepared >= 0)
      check(abi.prepared(builder, context, made->prepared,
                         descriptors->tensor(builder, int32_t(position))));
    else if (!operand.offsetsOf.empty())
      setOffsets(int32_t(position), operand, sizes->of(builder, operand.dimensions.front()));
    else
      setTensor(int32_t(position), operand, (*places)[position]);
  }
  for (auto [position, value] : llvm::enumerate(code.scalars)) {
    FailureOr<Value> bits = scalar(kernel, value);
    if (failed(bits))
      return failure();
    descriptors->setScalar(builder, int32_t(position), *bits);
  }
  auto call = isDeferred ? &Abi::defer : &Abi::launch;
  check((abi.*call)(builder, context, index, descriptors->tensors(), int32_t(code.operands.size()),
                    descriptors->scalars(), int32_t(code.scalars.size())));
  return success();
}

/// Those of a group share their code, but for one whose result had to be placed elsewhere.
LogicalResult EntryBuilder::launchTogether(ArrayRef<ir::KernelOp> kernels) {
  llvm::MapVector<StringRef, SmallVector<ir::KernelOp>> byCode;
  for (ir::KernelOp kernel : kernels)
    byCode[model.kernels[model.kernelIndex.lookup(kernel)].code->name].push_back(kernel);
  for (auto &[code, alike] : byCode)
    for (ir::KernelOp kernel : alike)
      if (failed(launch(kernel, /*isDeferred=*/kernel != alike.back())))
        return failure();
  return success();
}

LogicalResult EntryBuilder::launchAll() {
  llvm::DenseMap<int64_t, size_t> groupSizes;
  for (auto kernel : planned.getOps<ir::KernelOp>())
    if (std::optional<int64_t> group = kernel.getGroup())
      ++groupSizes[*group];
  llvm::DenseMap<int64_t, SmallVector<ir::KernelOp>> waiting;
  for (auto kernel : planned.getOps<ir::KernelOp>()) {
    builder.setLoc(kernel.getLoc());
    if (failed(placeResults(kernel)))
      return failure();
    if (std::optional<int64_t> group = kernel.getGroup()) {
      SmallVector<ir::KernelOp> &members = waiting[*group];
      members.push_back(kernel);
      if (members.size() == groupSizes[*group] && failed(launchTogether(members)))
        return failure();
    } else if (failed(launch(kernel))) {
      return failure();
    }
  }
  builder.setLoc(planned.getLoc());
  return success();
}

/// Copies a value into memory that has the same axes in a declared order.
LogicalResult EntryBuilder::copy(Value source, const Stored &destination, Operation *where) {
  auto found = stored.find(source);
  if (found == stored.end())
    return where->emitError(
        "hands on a value that is in no memory; constants need a kernel that writes them");
  auto type = llvm::cast<ir::NamedTensorType>(source.getType());
  if (failed(describeCopy(abi, builder, *sizes, *descriptors, type, found->second, destination,
                          where)))
    return failure();
  check(
      abi.copy(builder, context, descriptors->tensor(builder, 0), descriptors->tensor(builder, 1)));
  return success();
}

/// The placement of a value that a kernel computes.
static ir::PlacementAttr placement(Value value) {
  auto kernel = value.getDefiningOp<ir::KernelOp>();
  return kernel ? llvm::cast<ir::PlacementAttr>(
                      (*kernel.getPlacements())[llvm::cast<OpResult>(value).getResultNumber()])
                : nullptr;
}

LogicalResult EntryBuilder::copyEarlyResults() {
  Operation *returned = planned.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(returned->getOperands()))
    if (isOld(value) && failed(copy(value, resultPlaces[index], returned)))
      return failure();
  return success();
}

LogicalResult EntryBuilder::copyLateResults() {
  Operation *returned = planned.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(returned->getOperands())) {
    if (isOld(value))
      continue;
    ir::PlacementAttr placed = placement(value);
    bool inPlace = placed.isResult() && placed.getIndex() == int64_t(index);
    if (!inPlace && failed(copy(value, resultPlaces[index], returned)))
      return failure();
  }
  return success();
}

LogicalResult EntryBuilder::copyWrites() {
  llvm::StringSet<> written;
  planned.walk([&](ir::WriteOp write) { written.insert(write.getVariable()); });
  WalkResult walked = planned.walk([&](ir::WriteOp write) {
    auto read = write.getValue().getDefiningOp<ir::ReadOp>();
    if (read && read.getVariable() == write.getVariable())
      return WalkResult::advance();
    if (read && written.contains(read.getVariable())) {
      write.emitError("takes the old value of variable '")
          << read.getVariable()
          << "', which the function writes too; it needs a kernel that keeps it";
      return WalkResult::interrupt();
    }
    ir::PlacementAttr placed = placement(write.getValue());
    if (placed && placed.isVariable() && placed.getVariable().getValue() == write.getVariable())
      return WalkResult::advance();
    return WalkResult(copy(write.getValue(), variables[write.getVariable()], write));
  });
  return success(!walked.wasInterrupted());
}

LogicalResult EntryBuilder::build() {
  sizes.emplace(abi, model, context);
  int32_t tensorCount = 2, scalarCount = 0; // copies and preparations take two tensors
  planned.walk([&](ir::KernelOp kernel) {
    const CompiledKernel &code = *model.kernels[model.kernelIndex.lookup(kernel)].code;
    tensorCount = std::max(tensorCount, int32_t(code.operands.size()));
    scalarCount = std::max(scalarCount, int32_t(code.scalars.size()));
  });
  descriptors.emplace(abi, builder, tensorCount, scalarCount);
  reserveArena();
  findOutside();
  if (failed(copyEarlyResults()) || failed(launchAll()) || failed(copyLateResults()) ||
      failed(copyWrites()))
    return failure();
  LLVM::ReturnOp::create(builder, abi.number32(builder, AXL_OK));
  return success();
}

LogicalResult codegen::buildEntry(Abi &abi, ModuleOp into, const Description &model,
                                  func::FuncOp planned) {
  return EntryBuilder(abi, into, model, planned).build();
}
