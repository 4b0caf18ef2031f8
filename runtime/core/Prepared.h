// What kernels have made of variables and may use until those change: axl_model.prepared.
//
// Sessions of one model ask at the same time; the first makes it, the others wait. Tested by
// tests/runtime/PreparedTest.cpp.
#pragma once

#include "runtime/core/Memory.h"

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace axloom::runtime {

class Prepared {
public:
  Prepared(const axl_model &model, const axl_device *device);

  // What axl_prepared does.
  int find(axl_context *context, int32_t index, axl_tensor *tensor);

  // Parameters or state may have changed, any of them.
  void forget();
  // A call failed that had these made, so that the work may not have been done. Others stay. What
  // another session is reading stays for as long as that call holds it.
  void forget(std::span<const int32_t> indices);

private:
  struct Entry {
    std::shared_ptr<DeviceMemory> memory; // with the calls that are using it; or null
    axl_tensor tensor{};
    uint64_t generation = 0; // of the variables it was made from; 0: none
  };

  int make(axl_context *context, const axl_prepared_info &info, Entry &entry);

  const axl_model &model;
  const axl_device *device;
  std::mutex mutex;
  uint64_t generation = 1;
  std::vector<Entry> entries;
};

} // namespace axloom::runtime
