// The host's processor as a device: memory handles are pointers, work is done when a call returns.
#include "runtime/abi/axloom.h"
#include "runtime/device/HostMemory.h"

#include <cstdlib>
#include <cstring>

namespace {

int allocate(const axl_device *, int64_t bytes, axl_memory *memory) {
  *memory =
      static_cast<axl_memory>(axloom::runtime::allocateHostMemory(size_t(bytes), AXL_ALIGNMENT));
  if (!*memory)
    return axl_report(AXL_ERROR_MEMORY, "the machine has no memory left");
  return AXL_OK;
}

void release(const axl_device *, axl_memory memory) { std::free(memory); }

int copyIn(const axl_device *, axl_memory destination, int64_t offset, const void *source,
           int64_t bytes) {
  std::memcpy(reinterpret_cast<char *>(destination) + offset, source, size_t(bytes));
  return AXL_OK;
}

int copyOut(const axl_device *, void *destination, axl_memory source, int64_t offset,
            int64_t bytes) {
  std::memcpy(destination, reinterpret_cast<char *>(source) + offset, size_t(bytes));
  return AXL_OK;
}

int copy(const axl_device *, const axl_tensor *destination, const axl_tensor *source) {
  return axl_copy_on_host(destination, source);
}

int launch(const axl_device *, const axl_kernel *kernel, int32_t count, const axl_tensor *tensors,
           const int32_t *sizes) {
  return axl_run_sets_on_host(kernel, count, tensors, sizes);
}

int wait(const axl_device *) { return AXL_OK; }

} // namespace

const axl_device *axl_cpu_device() {
  static const axl_device device{"cpu",  1,       nullptr, allocate, release,
                                 copyIn, copyOut, copy,    launch,   wait};
  return &device;
}
