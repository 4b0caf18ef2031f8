// A block of device memory that grows: variables, arenas and staging buffers.
#pragma once

#include "runtime/core/Error.h"

#include <utility>

namespace axloom::runtime {

class DeviceMemory {
public:
  explicit DeviceMemory(const axl_device *device) : device(device) {}
  DeviceMemory(DeviceMemory &&other) noexcept
      : device(other.device), memory(std::exchange(other.memory, nullptr)),
        capacity(std::exchange(other.capacity, 0)) {}
  DeviceMemory &operator=(DeviceMemory &&other) noexcept {
    std::swap(device, other.device);
    std::swap(memory, other.memory);
    std::swap(capacity, other.capacity);
    return *this;
  }
  ~DeviceMemory() { release(); }

  // Makes room for `bytes`. The contents survive only if there was room before. Returns an
  // axl_code.
  int reserve(int64_t bytes) {
    if (bytes <= capacity)
      return AXL_OK;
    release();
    if (int code = device->allocate(device, bytes, &memory))
      return code;
    capacity = bytes;
    return AXL_OK;
  }

  axl_memory get() const { return memory; }
  int64_t bytes() const { return capacity; }

private:
  void release() {
    if (memory)
      device->release(device, memory);
    memory = nullptr;
    capacity = 0;
  }

  const axl_device *device;
  axl_memory memory = nullptr;
  int64_t capacity = 0;
};

} // namespace axloom::runtime
