// Runs a kernel on the host: its loops over chunks, and for each chunk the kernel's blocks.

#include "runtime/abi/axloom.h"
#include "runtime/core/Error.h"
#include "runtime/core/Packed.h"
#include "runtime/device/HalideHooks.h"
#include "runtime/device/RaggedEntries.h"
#include "runtime/device/ThreadPool.h"
#include "runtime/device/Threads.h"
#include "runtime/profile/Trace.h"

#include <HalideRuntime.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <span>

using namespace axloom::runtime;

namespace {

// Element types as Halide tags them.
constexpr halide_type_t halideTypes[] = {{halide_type_float, 32, 1},
                                         {halide_type_bfloat, 16, 1},
                                         {halide_type_float, 64, 1},
                                         {halide_type_int, 32, 1},
                                         {halide_type_uint, 1, 1}};

// One launch in progress. The first failure wins; chunks that have not begun are skipped then.
class Launch {
public:
  explicit Launch(const axl_kernel &kernel) : kernel(kernel), traced(kernel.name) {}

  void fail(int code, const std::string &why) {
    std::lock_guard lock(mutex);
    if (failure)
      return;
    failure = code;
    message = why;
  }
  bool failed() const { return failure != AXL_OK; }
  int result() const { return failed() ? axl_report(failure, message.c_str()) : AXL_OK; }

  const axl_kernel &kernel;
  TracedLaunch traced;

private:
  std::mutex mutex;
  std::atomic<int> failure{AXL_OK};
  std::string message;
};

// A tensor as Halide sees it. Only the dimensions that it has are made: a call has room for many
// tensors of many dimensions, Halide's start as zeros, and chunks of attention last microseconds.
class HalideTensor {
public:
  HalideTensor() {}

  // False if the tensor is too large for Halide's 32-bit indices. Extents are at least `shortest`.
  bool assign(const axl_tensor &tensor, int64_t shortest) {
    buffer = {};
    // Kernels refuse a tensor without memory, also one that has no elements.
    alignas(AXL_ALIGNMENT) static std::array<uint8_t, AXL_ALIGNMENT> nothing;
    buffer.host =
        tensor.memory ? reinterpret_cast<uint8_t *>(tensor.memory) + tensor.offset : nothing.data();
    buffer.type = halideTypes[tensor.type];
    buffer.dimensions = tensor.rank;
    buffer.dim = dimensions.data();
    int64_t span = 0;
    for (int32_t axis = 0; axis < tensor.rank; ++axis) {
      int64_t extent = std::max(tensor.extent[axis], shortest), stride = tensor.stride[axis];
      span += std::max<int64_t>(extent - 1, 0) * stride;
      std::construct_at(&dimensions[tensor.rank - 1 - axis], 0, int32_t(extent), int32_t(stride));
    }
    return span <= std::numeric_limits<int32_t>::max();
  }

  union {
    halide_buffer_t buffer;
  };

private:
  union {
    std::array<halide_dimension_t, AXL_MAX_RANK> dimensions;
  };
};

// An entry without elements is read nowhere, but indices are clamped to its first element.
int64_t shortestExtent(const axl_kernel &kernel, int32_t operand) {
  int32_t access = kernel.operands[operand].access & ~AXL_ROWS;
  return kernel.ragged && access == AXL_READ ? 1 : 0;
}

struct Level {
  Launch &launch;
  int32_t loop; // the next one to run
  const axl_tensor *tensors;
  const int32_t *sizes;
  const std::array<int32_t, AXL_MAX_LOOPS> &starts; // of the loops outside
};

void runLevel(const Level &level);

// Whether all that a kernel writes is without elements.
bool writesNothing(const axl_kernel &kernel, const axl_tensor *tensors) {
  bool writes = false;
  for (int32_t i = 0; i < kernel.operand_count; ++i) {
    if (!(kernel.operands[i].access & AXL_WRITE))
      continue;
    writes = true;
    if (packedBytes(tensors[i]) != 0)
      return false;
  }
  return writes;
}

// An operand that a kernel reads, and that has no elements; null if there is none.
const char *emptyInput(const axl_kernel &kernel, const axl_tensor *tensors) {
  for (int32_t i = 0; i < kernel.operand_count; ++i)
    if ((kernel.operands[i].access & AXL_READ) && packedBytes(tensors[i]) == 0)
      return kernel.operands[i].name;
  return nullptr;
}

std::string whyBlockFailed(const axl_kernel &kernel, const axl_tensor *tensors, int code) {
  std::string why = takePipelineMessage();
  if (const char *name = emptyInput(kernel, tensors))
    return concat("tensor '", name,
                  "' has no elements, but results are to be made of them: a size "
                  "may be 0 only where all that it leads to is empty, too");
  return why.empty() ? concat("its code returned ", code) : why;
}

void runBlocks(const Level &level) {
  const axl_kernel &kernel = level.launch.kernel;
  if (writesNothing(kernel, level.tensors))
    return;
  std::array<HalideTensor, AXL_MAX_OPERANDS> operands;
  for (int32_t i = 0; i < kernel.operand_count; ++i)
    if (!operands[i].assign(level.tensors[i], shortestExtent(kernel, i))) {
      level.launch.fail(AXL_ERROR_SIZE, concat("tensor '", kernel.operands[i].name,
                                               "' has more than 2^31 elements in one call of a "
                                               "kernel; use smaller batches"));
      return;
    }
  for (const axl_block &block : std::span(kernel.blocks, size_t(kernel.block_count))) {
    std::array<void *, AXL_MAX_OPERANDS + AXL_MAX_SIZES + AXL_MAX_LOOPS> arguments;
    void **next = arguments.data();
    for (int32_t i = 0; i < block.operand_count; ++i)
      *next++ = &operands[block.operands[i]].buffer;
    for (int32_t i = 0; i < kernel.size_count; ++i)
      *next++ = const_cast<int32_t *>(&level.sizes[i]);
    for (int32_t i = 0; i < kernel.loop_count; ++i)
      *next++ = const_cast<int32_t *>(&level.starts[i]);
    if (int code = block.code(arguments.data())) {
      bool lacksMemory = code == halide_error_code_out_of_memory;
      level.launch.fail(lacksMemory ? AXL_ERROR_MEMORY : AXL_ERROR_KERNEL,
                        whyBlockFailed(kernel, level.tensors, code));
      return;
    }
  }
}

// A packed tensor.
void fillWithZeros(const axl_tensor &tensor) {
  std::memset(reinterpret_cast<uint8_t *>(tensor.memory) + tensor.offset, 0,
              size_t(packedBytes(tensor)));
}

// Whether a loop's chunks see the same of an operand, or overlap.
bool isShared(const axl_operand &operand, int32_t loop) {
  return operand.axis[loop] < 0 || operand.step[loop] < 0;
}

// What a sequential loop adds up is zero where it has no chunk.
void fillSums(const Level &level) {
  const axl_kernel &kernel = level.launch.kernel;
  for (int32_t i = 0; i < kernel.operand_count; ++i)
    if ((kernel.operands[i].access & AXL_WRITE) && isShared(kernel.operands[i], level.loop)) {
      double zero = 0; // repeated along all axes
      axl_tensor zeros = level.tensors[i];
      zeros.memory = reinterpret_cast<axl_memory>(&zero);
      zeros.offset = 0;
      std::fill(std::begin(zeros.stride), std::end(zeros.stride), 0);
      if (int code = axl_copy_on_host(&level.tensors[i], &zeros))
        level.launch.fail(code, axl_last_error());
    }
}

// The extent that a loop divides into chunks; -1 if the operands disagree.
int64_t loopLength(const Level &level) {
  const axl_kernel &kernel = level.launch.kernel;
  int64_t length = -1;
  for (int32_t i = 0; i < kernel.operand_count; ++i) {
    const axl_operand &operand = kernel.operands[i];
    int32_t axis = operand.axis[level.loop];
    if (axis < 0 || operand.step[level.loop] != 0)
      continue;
    int64_t extent = level.tensors[i].extent[axis];
    if (extent > std::numeric_limits<int32_t>::max()) { // kernels count with 32 bits
      level.launch.fail(AXL_ERROR_SIZE, concat("tensor '", operand.name, "' has ", extent,
                                               " elements along a loop of a kernel, more than "
                                               "2^31 - 1; use smaller batches"));
      return -1;
    }
    if (length >= 0 && extent != length) {
      level.launch.fail(AXL_ERROR_INTERNAL,
                        concat("loop ", level.loop, " has length ", length, ", but tensor '",
                               operand.name, "' has extent ", extent, " along it"));
      return -1;
    }
    length = extent;
  }
  if (length < 0)
    level.launch.fail(AXL_ERROR_INTERNAL, concat("no tensor gives loop ", level.loop, " a length"));
  return length;
}

// Whether a loop goes through the entries of a ragged batch.
bool isOverEntries(const axl_kernel &kernel, int32_t loop) { return kernel.ragged && loop == 0; }

// The tensors of one chunk: `tensors` narrowed by chunk number `index` of loop `loop`. The name of
// one that has no such part, or null.
const char *narrowToChunk(const axl_kernel &kernel, int32_t loop, int64_t index,
                          const axl_tensor *tensors, axl_tensor *narrowed) {
  for (int32_t i = 0; i < kernel.operand_count; ++i) {
    const axl_operand &operand = kernel.operands[i];
    axl_tensor &tensor = narrowed[i] = tensors[i];
    int32_t axis = operand.axis[loop];
    if (axis < 0)
      continue;
    // From `back` indices before the chunk; only such an operand may have none yet.
    int64_t back = std::max(0, -operand.step[loop]),
            step = operand.step[loop] > 0 ? operand.step[loop] : kernel.loops[loop].chunk,
            start = std::max<int64_t>(0, index * step - back);
    if (start >= tensor.extent[axis] && (back == 0 || start > 0))
      return operand.name;
    tensor.offset += start * tensor.stride[axis] * elementSize(tensor.type);
    tensor.extent[axis] = std::min((index + 1) * step, tensor.extent[axis]) - start;
  }
  return nullptr;
}

void runChunk(const Level &level, int64_t index) {
  if (level.launch.failed())
    return;
  const axl_kernel &kernel = level.launch.kernel;
  std::array<axl_tensor, AXL_MAX_OPERANDS> narrowed;
  if (const char *name = narrowToChunk(kernel, level.loop, index, level.tensors, narrowed.data())) {
    level.launch.fail(AXL_ERROR_INTERNAL, concat("tensor '", name, "' has no entry for chunk ",
                                                 index, " of loop ", level.loop));
    return;
  }
  std::array<int32_t, AXL_MAX_LOOPS> starts = level.starts;
  starts[level.loop] = int32_t(index * kernel.loops[level.loop].chunk);
  if (!isOverEntries(kernel, level.loop))
    return runLevel({level.launch, level.loop + 1, narrowed.data(), level.sizes, starts});
  std::array<int32_t, AXL_MAX_SIZES> sizes;
  std::copy_n(level.sizes, kernel.size_count, sizes.begin());
  narrowToEntry(kernel, index, level.tensors, narrowed.data(), sizes.data());
  runLevel({level.launch, level.loop + 1, narrowed.data(), sizes.data(), starts});
}

int64_t chunkCount(const Level &level) {
  const axl_kernel &kernel = level.launch.kernel;
  int64_t length =
      isOverEntries(kernel, level.loop) ? entryCount(kernel, level.tensors) : loopLength(level);
  int64_t chunk = kernel.loops[level.loop].chunk;
  return (length + chunk - 1) / chunk;
}

void runLevel(const Level &level) {
  const axl_kernel &kernel = level.launch.kernel;
  if (level.loop == kernel.loop_count)
    return level.launch.traced.run([&] { runBlocks(level); });
  const axl_loop &loop = kernel.loops[level.loop];
  int64_t chunks = chunkCount(level);
  if (loop.kind == AXL_PARALLEL && chunks > 1)
    return parallelFor(chunks, [&](int64_t index) { runChunk(level, index); });
  if (loop.kind == AXL_SEQUENTIAL && chunks == 0)
    fillSums(level);
  for (int64_t index = 0; index < chunks; ++index)
    runChunk(level, index);
}

// The chunks of the outermost loop of several sets of tensors, set by set: threads take pieces of
// that sequence, so that they meet once at its end.
template <class Set> void runChunksOfSets(int32_t count, Set &&set) {
  int64_t chunks = 0;
  for (int32_t i = 0; i < count; ++i)
    chunks += chunkCount(set(i));
  if (chunks <= 0)
    return;
  int64_t pieces = std::min(chunks, ThreadPool::enoughIterations * threadCount());
  parallelFor(pieces, [&](int64_t piece) {
    int64_t next = piece * chunks / pieces, end = (piece + 1) * chunks / pieces;
    int64_t before = 0; // in the sets up to this one
    for (int32_t i = 0; i < count && next < end; ++i) {
      Level level = set(i);
      int64_t own = chunkCount(level);
      for (; next < std::min(end, before + own); ++next)
        runChunk(level, next - before);
      before += own;
    }
  });
}

} // namespace

int axl_run_on_host(const axl_kernel *kernel, const axl_tensor *tensors, const int32_t *sizes) {
  return axl_run_sets_on_host(kernel, 1, tensors, sizes);
}

int axl_run_sets_on_host(const axl_kernel *kernel, int32_t count, const axl_tensor *tensors,
                         const int32_t *sizes) {
  Launch launch(*kernel);
  std::array<int32_t, AXL_MAX_LOOPS> starts{};
  auto set = [&](int32_t index) -> Level {
    return {launch, 0, tensors + ptrdiff_t(index) * kernel->operand_count,
            sizes + ptrdiff_t(index) * kernel->size_count, starts};
  };
  for (int32_t i = 0; i < count * kernel->operand_count; ++i)
    if (kernel->operands[i % kernel->operand_count].access & AXL_ZEROED)
      fillWithZeros(tensors[i]);
  bool isParallel = kernel->loop_count > 0 && kernel->loops[0].kind == AXL_PARALLEL;
  if (count > 1 && isParallel)
    runChunksOfSets(count, set);
  else
    for (int32_t i = 0; i < count; ++i)
      runLevel(set(i));
  return launch.result();
}
