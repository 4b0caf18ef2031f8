#include "codegen/mock/MockDevice.h"

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <vector>

using namespace axloom::codegen;

namespace {
/// Memory of the device: pages that nobody may touch unless they are open.
struct Region {
  std::byte *pages = nullptr;
  size_t bytes = 0;
};

class Mock {
public:
  int allocate(int64_t bytes, axl_memory *memory);
  void release(axl_memory memory);
  int copyIn(axl_memory to, int64_t offset, const void *from, int64_t bytes);
  int copyOut(void *to, axl_memory from, int64_t offset, int64_t bytes);
  int copy(const axl_tensor &to, const axl_tensor &from);
  int launch(const axl_kernel &kernel, int32_t count, const axl_tensor *tensors,
             const int32_t *sizes);
  int wait();

  std::atomic<int64_t> launches = 0;

private:
  int finish();

  /// Opens regions while it lives, and gives their addresses.
  class Opened {
  public:
    explicit Opened(Mock &mock) : mock(mock) {}
    ~Opened() {
      for (const Region &region : open)
        mprotect(region.pages, region.bytes, PROT_NONE);
    }
    std::byte *address(axl_memory memory) {
      const Region &region = mock.regions.at(memory);
      mprotect(region.pages, region.bytes, PROT_READ | PROT_WRITE);
      open.push_back(region);
      return region.pages;
    }
    axl_tensor onHost(axl_tensor tensor) {
      tensor.memory = reinterpret_cast<axl_memory>(address(tensor.memory));
      return tensor;
    }

  private:
    Mock &mock;
    std::vector<Region> open;
  };

  std::mutex mutex;
  std::map<axl_memory, Region> regions;
  uintptr_t nextHandle = 1;
  std::vector<std::function<int()>> queue;
};
} // namespace

/// Leaks on purpose: models may be closed after the statics of this file are gone.
static Mock &mock() {
  static Mock *instance = new Mock;
  return *instance;
}

int Mock::allocate(int64_t bytes, axl_memory *memory) {
  std::lock_guard lock(mutex);
  size_t size = size_t(bytes < 1 ? 1 : bytes);
  void *pages = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return axl_report(AXL_ERROR_MEMORY, "the mock device has no memory left");
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a handle is a number here; nobody may follow it.
  *memory = reinterpret_cast<axl_memory>(nextHandle++);
  regions[*memory] = {static_cast<std::byte *>(pages), size};
  return AXL_OK;
}

void Mock::release(axl_memory memory) {
  std::lock_guard lock(mutex);
  finish();
  Region region = regions.at(memory);
  munmap(region.pages, region.bytes);
  regions.erase(memory);
}

int Mock::copyIn(axl_memory to, int64_t offset, const void *from, int64_t bytes) {
  std::lock_guard lock(mutex);
  auto *first = static_cast<const std::byte *>(from);
  std::vector<std::byte> kept(first, first + bytes);
  queue.push_back([this, to, offset, kept = std::move(kept)] {
    std::memcpy(Opened(*this).address(to) + offset, kept.data(), kept.size());
    return AXL_OK;
  });
  return AXL_OK;
}

int Mock::copyOut(void *to, axl_memory from, int64_t offset, int64_t bytes) {
  std::lock_guard lock(mutex);
  if (int code = finish())
    return code;
  std::memcpy(to, Opened(*this).address(from) + offset, size_t(bytes));
  return AXL_OK;
}

int Mock::copy(const axl_tensor &to, const axl_tensor &from) {
  std::lock_guard lock(mutex);
  queue.push_back([this, to, from] {
    Opened opened(*this);
    axl_tensor destination = opened.onHost(to), source = opened.onHost(from);
    return axl_copy_on_host(&destination, &source);
  });
  return AXL_OK;
}

int Mock::launch(const axl_kernel &kernel, int32_t count, const axl_tensor *tensors,
                 const int32_t *sizes) {
  std::lock_guard lock(mutex);
  // The caller's arrays are its own, and gone when the work is done.
  std::vector<axl_tensor> operands(tensors, tensors + ptrdiff_t(count) * kernel.operand_count);
  std::vector<int32_t> scalars(sizes, sizes + ptrdiff_t(count) * kernel.size_count);
  queue.push_back(
      [this, &kernel, count, operands = std::move(operands), scalars = std::move(scalars)] {
        Opened opened(*this);
        std::vector<axl_tensor> mapped;
        for (const axl_tensor &operand : operands)
          mapped.push_back(opened.onHost(operand));
        ++launches;
        return axl_run_sets_on_host(&kernel, count, mapped.data(), scalars.data());
      });
  return AXL_OK;
}

int Mock::wait() {
  std::lock_guard lock(mutex);
  return finish();
}

/// Does all that is queued; after a failure, the rest is dropped.
int Mock::finish() {
  std::vector<std::function<int()>> work = std::move(queue);
  queue.clear();
  for (const std::function<int()> &step : work)
    if (int code = step())
      return code;
  return AXL_OK;
}

static axl_device makeDevice() {
  axl_device device = {};
  device.name = "mock";
  device.host_memory = 0;
  device.allocate = [](const axl_device *, int64_t bytes, axl_memory *memory) {
    return mock().allocate(bytes, memory);
  };
  device.release = [](const axl_device *, axl_memory memory) { mock().release(memory); };
  device.copy_in = [](const axl_device *, axl_memory to, int64_t offset, const void *from,
                      int64_t bytes) { return mock().copyIn(to, offset, from, bytes); };
  device.copy_out = [](const axl_device *, void *to, axl_memory from, int64_t offset,
                       int64_t bytes) { return mock().copyOut(to, from, offset, bytes); };
  device.copy = [](const axl_device *, const axl_tensor *to, const axl_tensor *from) {
    return mock().copy(*to, *from);
  };
  device.launch = [](const axl_device *, const axl_kernel *kernel, int32_t count,
                     const axl_tensor *tensors, const int32_t *sizes) {
    return mock().launch(*kernel, count, tensors, sizes);
  };
  device.wait = [](const axl_device *) { return mock().wait(); };
  return device;
}

const axl_device &axloom::codegen::mockDevice() {
  static const axl_device device = makeDevice();
  static const int registered = axl_register_device(&device);
  (void)registered;
  return device;
}

int64_t axloom::codegen::mockLaunches() { return mock().launches; }
