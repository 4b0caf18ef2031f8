#include "codegen/host/Memory.h"

#include "codegen/host/Arena.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static const FunctionInfo &functionInfo(const Description &model, StringRef name) {
  return *llvm::find_if(model.functions,
                        [&](const FunctionInfo &info) { return info.name == name; });
}

static ir::LayoutAttr declaredOrder(const ValueInfo &value, MLIRContext *context) {
  SmallVector<StringAttr> order;
  for (const std::string &axis : value.order)
    order.push_back(StringAttr::get(context, axis));
  return ir::LayoutAttr::get(context, order);
}

/// The largest of some numbers; 0 of none.
static Value largest(Abi &abi, ImplicitLocOpBuilder &builder, ValueRange numbers) {
  if (numbers.empty())
    return abi.number64(builder, 0);
  Value most = numbers.front();
  for (Value number : numbers.drop_front())
    most = LLVM::UMaxOp::create(builder, most, number);
  return most;
}

Memory::Memory(Abi &abi, const Description &model, func::FuncOp planned, Sizes &sizes,
               Value context)
    : abi(abi), model(model), planned(planned), sizes(sizes), context(context) {}

const Stored *Memory::find(Value value) const {
  auto found = stored.find(value);
  return found == stored.end() ? nullptr : &found->second;
}

Value Memory::alignedBytes(ImplicitLocOpBuilder &builder, const Operand &operand) {
  Value bytes = abi.number64(builder, ir::elementBytes(operand.elementType));
  for (const Dimension &dimension : operand.dimensions)
    bytes = abi.product(builder, bytes, sizes.of(builder, dimension));
  return sizes.aligned(builder, bytes);
}

Value Memory::reserveArena(ImplicitLocOpBuilder &builder) {
  SmallVector<Value> ends;
  for (const passes::ArenaSlot &slot : passes::slotsOf(planned)) {
    auto below = llvm::map_to_vector(slot.below, [&](int64_t other) { return ends[other]; });
    slotOffsets.push_back(largest(abi, builder, below));
    ends.push_back(LLVM::AddOp::create(builder, slotOffsets.back(),
                                       sizes.aligned(builder, sizes.of(builder, slot.bytes))));
  }
  SmallVector<Value> scratchSizes;
  planned.walk([&](ir::KernelOp kernel) {
    Value bytes;
    for (const Operand *operand : scratchOf(model, kernel)) {
      Value size = alignedBytes(builder, *operand);
      bytes = bytes ? LLVM::AddOp::create(builder, bytes, size).getResult() : size;
    }
    if (bytes)
      scratchSizes.push_back(bytes);
  });
  scratchOffset = largest(abi, builder, ends);
  Value total = LLVM::AddOp::create(builder, scratchOffset, largest(abi, builder, scratchSizes));
  if (slotOffsets.empty() && scratchSizes.empty())
    return nullptr;
  arena = abi.arena(builder, context, total);
  return arena;
}

void Memory::findOutside(ImplicitLocOpBuilder &builder, Value arguments, Value results) {
  const FunctionInfo &info = functionInfo(model, planned.getSymName());
  auto orderOf = [&](const ValueInfo &value) { return declaredOrder(value, builder.getContext()); };
  auto at = [&](Value array, int32_t index) {
    return LLVM::GEPOp::create(builder, abi.pointer, abi.tensor, array,
                               ArrayRef<LLVM::GEPArg>{index});
  };
  for (auto [index, argument] : llvm::enumerate(planned.getArguments()))
    if (!argument.use_empty())
      stored[argument] = {placeOf(abi, builder, at(arguments, int32_t(index))),
                          orderOf(info.arguments[index])};
  for (auto [index, result] : llvm::enumerate(info.results))
    resultPlaces.push_back({placeOf(abi, builder, at(results, int32_t(index))), orderOf(result)});
  auto findVariable = [&](StringRef name) {
    if (variables.contains(name))
      return;
    int32_t index = model.variableIndex.lookup(name);
    Value tensor = abi.variable(builder, context, index);
    variables[name] = {placeOf(abi, builder, tensor), orderOf(model.variables[index].value)};
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

LogicalResult Memory::placeResults(ir::KernelOp kernel) {
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

FailureOr<SmallVector<Place>> Memory::placesOf(ImplicitLocOpBuilder &builder, ir::KernelOp kernel,
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
      scratch = LLVM::AddOp::create(builder, scratch, alignedBytes(builder, operand));
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
