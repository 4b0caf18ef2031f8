#include "codegen/tune/KernelTensors.h"

#include "codegen/KernelInfo.h"
#include "codegen/host/Elements.h"
#include "codegen/host/IndexLimits.h"
#include "runtime/Random.h"

#include "llvm/Support/MathExtras.h"

#include <bit>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static void store(char *place, Type type, double uniform, int64_t limit) {
  auto put = [&](auto value) { std::memcpy(place, &value, sizeof value); };
  if (type.isF32())
    put(float(2 * uniform - 1));
  else if (type.isF64())
    put(2 * uniform - 1);
  else if (type.isBF16())
    put(uint16_t(std::bit_cast<uint32_t>(float(2 * uniform - 1)) >> 16));
  else if (type.isInteger(1))
    put(uint8_t(uniform < 0.5));
  else
    put(int32_t(uniform * double(limit)));
}

/// Numbers in [-1, 1), indices in [0, limit): some thousands, again and again.
static void fill(const axl_tensor &tensor, Type type, int64_t count, int64_t limit) {
  char *memory = reinterpret_cast<char *>(tensor.memory);
  int64_t bytes = ir::elementBytes(type), different = std::min<int64_t>(count, 65521);
  const auto key = random::Key::of(/*seed=*/1, /*step=*/0, /*site=*/0);
  for (int64_t i = 0; i < different; ++i)
    store(memory + i * bytes, type, random::uniform(random::bits(key, uint32_t(i))), limit);
  for (int64_t i = different; i < count; i += different)
    std::memcpy(memory + i * bytes, memory, size_t(std::min(different, count - i) * bytes));
}

int64_t KernelTensors::endOfIndices(Value input) const {
  int64_t end = std::numeric_limits<int32_t>::max();
  auto limits = indexLimits(input);
  for (ir::SizeAttr limit : limits)
    end = std::min(end, extentOf({limit}));
  return limits.empty() ? 0 : end;
}

int64_t KernelTensors::extentOf(const Dimension &dimension) const {
  int64_t size = dimension.size.evaluate(
      [&](StringAttr symbol) { return int64_t(sizes.of(symbol, function)); });
  return int64_t(llvm::divideCeil(uint64_t(size), uint64_t(dimension.divisor)));
}

axl_tensor KernelTensors::allocated(const Operand &operand) {
  axl_tensor tensor = {.type = elementTag(operand.elementType),
                       .rank = int32_t(operand.dimensions.size())};
  int64_t count = 1;
  for (int32_t axis = tensor.rank - 1; axis >= 0; --axis) {
    tensor.extent[axis] = extentOf(operand.dimensions[axis]) + (operand.offsetsOf.empty() ? 0 : 1);
    tensor.stride[axis] = count;
    count *= tensor.extent[axis];
  }
  const axl_device *device = axl_cpu_device();
  if (device->allocate(device, count * ir::elementBytes(operand.elementType), &tensor.memory)) {
    problem = axl_last_error();
    return tensor;
  }
  memory.push_back(tensor.memory);
  return tensor;
}

static int64_t elementsOf(const axl_tensor &tensor) {
  return tensor.rank == 0 ? 1 : tensor.extent[0] * tensor.stride[0];
}

/// All entries are equally long.
void KernelTensors::fillWithOffsets(const axl_tensor &tensor, StringRef total) const {
  int64_t entries = tensor.extent[0] - 1;
  int64_t length = int64_t(sizes.of(total, function)) / std::max<int64_t>(1, entries);
  for (int64_t i = 0; i <= entries; ++i)
    reinterpret_cast<int32_t *>(tensor.memory)[i] = int32_t(i * length);
}

KernelTensors::KernelTensors(ir::KernelOp kernel, const CompiledKernel &compiled,
                             const SizeValues &sizes)
    : function(kernel->getParentOfType<func::FuncOp>()), sizes(sizes) {
  std::vector<int64_t> overwritten = overwrittenInputs(kernel);
  std::map<int64_t, axl_tensor> inputs;
  for (const Operand &operand : compiled.operands) {
    if (operand.isResult && overwritten[operand.index] >= 0) {
      tensors.push_back(inputs.at(overwritten[operand.index]));
      continue;
    }
    axl_tensor &tensor = tensors.emplace_back(allocated(operand));
    if (!problem.empty())
      return;
    bool isInput = !operand.isResult && !operand.isScratch && operand.offsetsOf.empty();
    if (!operand.offsetsOf.empty())
      fillWithOffsets(tensor, operand.offsetsOf);
    else
      fill(tensor, operand.elementType, elementsOf(tensor),
           isInput ? endOfIndices(kernel.getBody().getArgument(operand.index)) : 0);
    if (isInput)
      inputs[operand.index] = tensor;
  }
  for (const Scalar &scalar : compiled.scalars)
    scalars.push_back(scalar.input < 0             ? int32_t(extentOf({scalar.size}))
                      : scalar.elementType.isF32() ? std::bit_cast<int32_t>(0.5f)
                                                   : 1);
}

KernelTensors::~KernelTensors() {
  for (axl_memory block : memory)
    axl_cpu_device()->release(axl_cpu_device(), block);
}
