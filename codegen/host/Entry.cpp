#include "codegen/host/Entry.h"

#include "codegen/KernelInfo.h"
#include "codegen/host/Arena.h"
#include "codegen/host/Copy.h"
#include "codegen/host/Descriptors.h"
#include "codegen/host/Elements.h"
#include "codegen/host/Memory.h"
#include "codegen/host/Sizes.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

namespace {
class EntryBuilder {
public:
  EntryBuilder(Abi &abi, ModuleOp into, const Description &model, func::FuncOp planned);

  LogicalResult build();

private:
  void reserveArena();
  LogicalResult copyEarlyResults();
  void setTensor(int32_t position, const Operand &operand, const Place &place);
  LogicalResult launch(ir::KernelOp kernel, bool isDeferred = false);
  LogicalResult launchTogether(ArrayRef<ir::KernelOp> kernels);
  LogicalResult launchAll();
  void setOffsets(int32_t position, const Operand &operand, Value entries);
  FailureOr<Value> scalar(ir::KernelOp kernel, const Scalar &scalar);
  LogicalResult copyLateResults();
  LogicalResult copyLateWrites();
  LogicalResult copy(Value source, const Stored &destination, Operation *where);
  void endIfFailed(Value failed, Value code);
  /// Ends the entry with a code that is not AXL_OK.
  void check(Value returned);

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
  std::optional<Memory> memory;
};
} // namespace

std::string codegen::entryName(StringRef model, StringRef function) {
  return (model + "_" + function + "_entry").str();
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

void EntryBuilder::endIfFailed(Value failed, Value code) {
  mlir::Block *next = entry.addBlock();
  LLVM::CondBrOp::create(builder, failed, exit, code, next, ValueRange());
  builder.setInsertionPointToStart(next);
}

FailureOr<Value> EntryBuilder::scalar(ir::KernelOp kernel, const Scalar &scalar) {
  if (scalar.input < 0)
    return LLVM::TruncOp::create(builder, abi.i32, sizes->of(builder, scalar.size)).getResult();
  auto constant = kernel.getInputs()[scalar.input].getDefiningOp<ir::ConstantOp>();
  if (!constant)
    return kernel.emitError("takes input ") << scalar.input << " by value, but it is no constant";
  if (auto real = llvm::dyn_cast<FloatAttr>(constant.getValue()))
    return abi.number32(builder, llvm::bit_cast<int32_t>(real.getValue().convertToFloat()));
  return abi.number32(
      builder, int32_t(llvm::cast<IntegerAttr>(constant.getValue()).getValue().getZExtValue()));
}

void EntryBuilder::setOffsets(int32_t position, const Operand &operand, Value entries) {
  Value tensor = abi.offsets(builder, context, model.symbolIndex.lookup(operand.offsetsOf));
  Value one = abi.number64(builder, 1);
  Value extent = LLVM::AddOp::create(builder, entries, one);
  descriptors->setTensor(builder, position, placeOf(abi, builder, tensor), AXL_I32, extent, one);
}

void EntryBuilder::reserveArena() {
  Value arena = memory->reserveArena(builder);
  if (!arena)
    return;
  Value none = LLVM::ZeroOp::create(builder, abi.pointer);
  Value failed = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, arena, none);
  endIfFailed(failed, abi.number32(builder, AXL_ERROR_MEMORY));
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
  FailureOr<SmallVector<Place>> places = memory->placesOf(builder, kernel, code);
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
    if (failed(memory->placeResults(kernel)))
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
  const Stored *found = memory->find(source);
  if (!found)
    return where->emitError(
        "hands on a value that is in no memory; constants need a kernel that writes them");
  auto type = llvm::cast<ir::NamedTensorType>(source.getType());
  if (failed(describeCopy(abi, builder, *sizes, *descriptors, type, *found, destination, where)))
    return failure();
  check(
      abi.copy(builder, context, descriptors->tensor(builder, 0), descriptors->tensor(builder, 1)));
  return success();
}

LogicalResult EntryBuilder::copyEarlyResults() {
  Operation *returned = planned.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(returned->getOperands()))
    if (isOld(value) && failed(copy(value, memory->result(index), returned)))
      return failure();
  return success();
}

LogicalResult EntryBuilder::copyLateResults() {
  Operation *returned = planned.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(returned->getOperands())) {
    if (isOld(value))
      continue;
    bool inPlace = placementOf(value) == ir::PlacementAttr::result(value.getContext(), index);
    if (!inPlace && failed(copy(value, memory->result(index), returned)))
      return failure();
  }
  return success();
}

LogicalResult EntryBuilder::copyLateWrites() {
  WalkResult walked = planned.walk([&](ir::WriteOp write) {
    auto home = ir::PlacementAttr::inVariable(write.getContext(), write.getVariable());
    if (placementOf(write.getValue()) == home)
      return WalkResult::advance();
    return WalkResult(copy(write.getValue(), memory->variable(write.getVariable()), write));
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
  memory.emplace(abi, model, planned, *sizes, context);
  reserveArena();
  memory->findOutside(builder, arguments, results);
  if (failed(copyEarlyResults()) || failed(launchAll()) || failed(copyLateResults()) ||
      failed(copyLateWrites()))
    return failure();
  LLVM::ReturnOp::create(builder, abi.number32(builder, AXL_OK));
  return success();
}

LogicalResult codegen::buildEntry(Abi &abi, ModuleOp into, const Description &model,
                                  func::FuncOp planned) {
  return EntryBuilder(abi, into, model, planned).build();
}
