#include "tests/codegen/support/KernelRunner.h"

#include "codegen/KernelInfo.h"
#include "codegen/halide/HalideBackend.h"
#include "codegen/host/Elements.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;
using ir::reference::Array;
using ir::reference::Sizes;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// Elements and layouts
//===----------------------------------------------------------------------===//

static void store(char *place, Type type, double value) {
  if (type.isF64()) {
    std::memcpy(place, &value, 8);
  } else if (type.isF32() || type.isBF16()) {
    float single = value;
    uint32_t bits;
    std::memcpy(&bits, &single, 4);
    if (type.isF32())
      return void(std::memcpy(place, &bits, 4));
    uint16_t half = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    std::memcpy(place, &half, 2);
  } else if (type.isInteger(1)) {
    *place = value != 0;
  } else {
    int32_t integer = int32_t(value);
    std::memcpy(place, &integer, 4);
  }
}

static double load(const char *place, Type type) {
  if (type.isF64()) {
    double value;
    std::memcpy(&value, place, 8);
    return value;
  }
  if (type.isF32() || type.isBF16()) {
    uint32_t bits = 0;
    if (type.isF32())
      std::memcpy(&bits, place, 4);
    else
      std::memcpy(reinterpret_cast<char *>(&bits) + 2, place, 2);
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
  }
  if (type.isInteger(1))
    return *place;
  int32_t value;
  std::memcpy(&value, place, 4);
  return value;
}

namespace {
/// Where the elements of an array lie in a layout.
class Placing {
public:
  Placing(const ir::reference::Space &space, ir::LayoutAttr layout) {
    for (StringAttr name : layout.getOrder()) {
      positions.push_back(space.position(name));
      extents.push_back(space.extents()[positions.back()]);
    }
  }

  int64_t volume() const {
    int64_t product = 1;
    for (int64_t extent : extents)
      product *= extent;
    return product;
  }

  int64_t offset(ir::reference::Point point) const {
    int64_t offset = 0;
    for (size_t i = 0; i < extents.size(); ++i)
      offset = offset * extents[i] + point[positions[i]];
    return offset;
  }

private:
  std::vector<int64_t> positions, extents;
};
} // namespace

std::vector<char> test::packed(const Array &array, Type elements, ir::LayoutAttr layout) {
  Placing placing(array.space, layout);
  int64_t width = ir::elementBytes(elements);
  std::vector<char> bytes(placing.volume() * width, char(0xff));
  ir::reference::Read read(array, array.space);
  array.space.forEach([&](ir::reference::Point point) {
    store(&bytes[placing.offset(point) * width], elements, read[point]);
  });
  if (array.space.axes().empty())
    store(bytes.data(), elements, array.values[0]);
  return bytes;
}

Array test::unpacked(const std::vector<char> &bytes, ir::NamedTensorType type,
                     ir::LayoutAttr layout, const Sizes &sizes) {
  Array array(type.getAxes(), sizes);
  if (type.isScalar())
    return Array(load(bytes.data(), type.getElementType()));
  Placing placing(array.space, layout);
  ir::reference::Write write(array, array.space);
  array.space.forEach([&](ir::reference::Point point) {
    size_t place = placing.offset(point) * ir::elementBytes(type.getElementType());
    write[point] = load(&bytes[place], type.getElementType());
  });
  return array;
}

//===----------------------------------------------------------------------===//
// Compiling and loading
//===----------------------------------------------------------------------===//

static std::string cacheFolder() {
  const char *chosen = std::getenv("AXLOOM_TEST_CACHE");
  return chosen ? chosen : (fs::temp_directory_path() / "axloom-test-kernels").string();
}

std::vector<std::unique_ptr<KernelRunner>> KernelRunner::compile(ArrayRef<ir::KernelOp> kernels,
                                                                 CompileOptions options,
                                                                 const Target &target) {
  if (options.cacheFolder.empty())
    options.cacheFolder = cacheFolder();
  auto compiled = createHalideBackend()->compile(kernels, target, options);
  if (failed(compiled)) {
    std::fprintf(stderr, "the kernels of this test do not compile\n");
    std::abort();
  }
  std::vector<std::unique_ptr<KernelRunner>> runners;
  for (auto [kernel, description] : llvm::zip(kernels, *compiled))
    runners.emplace_back(new KernelRunner(kernel, std::move(description)));
  return runners;
}

/// What the function returns, or the end of the test.
template <typename T> static T valueOf(llvm::Expected<T> expected) {
  if (expected)
    return std::move(*expected);
  std::fprintf(stderr, "%s\n", llvm::toString(expected.takeError()).c_str());
  std::abort();
}

KernelRunner::KernelRunner(ir::KernelOp kernel, CompiledKernel description)
    : kernel(kernel), compiled(std::move(description)),
      code(valueOf(LoadedCode::load({compiled.object}))),
      table(valueOf(KernelTable::make(compiled, code))) {}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

struct KernelRunner::Call {
  std::vector<std::vector<char>> memory; // one for each operand
  std::vector<axl_tensor> tensors;
  std::vector<int32_t> scalars;
};

static axl_tensor tensorFor(const Operand &operand, std::vector<char> &memory, const Sizes &sizes) {
  axl_tensor tensor = {};
  tensor.memory = reinterpret_cast<axl_memory>(memory.data());
  tensor.type = elementTag(operand.elementType);
  tensor.rank = operand.dimensions.size();
  int64_t stride = 1;
  for (int i = tensor.rank - 1; i >= 0; --i) {
    const Dimension &dimension = operand.dimensions[i];
    tensor.extent[i] = llvm::divideCeil(sizes.extent(dimension.size), dimension.divisor);
    tensor.stride[i] = stride;
    stride *= tensor.extent[i];
  }
  size_t bytes = stride * ir::elementBytes(operand.elementType);
  if (memory.empty())
    memory.assign(bytes, char(0xff));
  EXPECT_EQ(memory.size(), bytes) << operand.name;
  tensor.memory = reinterpret_cast<axl_memory>(memory.data());
  return tensor;
}

void KernelRunner::prepare(Call &call, const std::vector<Array> &inputs, const Sizes &sizes) {
  std::vector<int64_t> overwritten = overwrittenInputs(kernel);
  call.memory.resize(compiled.operands.size());
  std::map<unsigned, size_t> inputOperands;
  for (auto [position, operand] : llvm::enumerate(compiled.operands)) {
    std::vector<char> &memory = call.memory[position];
    if (!operand.isResult && !operand.isScratch) {
      memory =
          packed(inputs[operand.index], operand.elementType, inputLayout(kernel, operand.index));
      inputOperands[operand.index] = position;
    }
    axl_tensor tensor = {};
    if (operand.isResult && overwritten[operand.index] >= 0)
      tensor = call.tensors[inputOperands.at(overwritten[operand.index])];
    else
      tensor = tensorFor(operand, memory, sizes);
    call.tensors.push_back(tensor);
  }
  for (const Scalar &scalar : compiled.scalars) {
    int32_t bits = 0;
    if (scalar.input >= 0)
      store(reinterpret_cast<char *>(&bits), scalar.elementType, inputs[scalar.input].values[0]);
    else
      bits = int32_t(sizes.extent(scalar.size));
    call.scalars.push_back(bits);
  }
  prepareScratch(call);
}

void KernelRunner::prepareScratch(const Call &call) const {
  for (const Preparation &preparation : compiled.preparations) {
    axl_tensor tensors[] = {call.tensors[preparation.from], call.tensors[preparation.operand]};
    auto maker = valueOf(KernelTable::make(*preparation.kernel, code));
    EXPECT_TRUE(maker->launch(tensors, {})) << axl_last_error();
  }
}

std::vector<Array> KernelRunner::run(const std::vector<Array> &inputs, const Sizes &sizes) {
  Call call;
  prepare(call, inputs, sizes);
  EXPECT_TRUE(table->launch(call.tensors, call.scalars)) << axl_last_error();
  std::vector<int64_t> overwritten = overwrittenInputs(kernel);
  std::vector<Array> results;
  for (auto [position, operand] : llvm::enumerate(compiled.operands)) {
    if (!operand.isResult)
      continue;
    size_t source = position;
    if (overwritten[operand.index] >= 0)
      for (auto [other, candidate] : llvm::enumerate(compiled.operands))
        if (!candidate.isResult && !candidate.isScratch &&
            int64_t(candidate.index) == overwritten[operand.index])
          source = other;
    results.push_back(unpacked(call.memory[source],
                               ir::tensorType(kernel.getOutputs()[operand.index]),
                               resultLayout(kernel, operand.index), sizes));
  }
  return results;
}
