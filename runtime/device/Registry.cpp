#include "runtime/device/Registry.h"

#include "runtime/core/Error.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace {

std::mutex mutex;

std::vector<const axl_device *> &devices() {
  static std::vector<const axl_device *> known{axl_cpu_device()};
  return known;
}

} // namespace

int axl_register_device(const axl_device *device) try {
  if (!device || !device->name)
    return axl_report(AXL_ERROR_ARGUMENT, "a device to register needs a description with a name, "
                                          "but a null pointer was passed");
  std::lock_guard lock(mutex);
  auto &known = devices();
  std::erase_if(known, [&](const axl_device *other) {
    return std::string_view(other->name) == device->name;
  });
  known.push_back(device);
  return AXL_OK;
} catch (const std::bad_alloc &) {
  return axl_report(AXL_ERROR_MEMORY, "no memory to register a device");
}

const axl_device *axloom::runtime::findDevice(std::string_view name) {
  std::lock_guard lock(mutex);
  std::string names;
  for (const axl_device *device : devices()) {
    if (device->name == name)
      return device;
    names += names.empty() ? "" : ", ";
    names += device->name;
  }
  throw Error(AXL_ERROR_ABI, concat("the model was compiled for device '", name,
                                    "', which this program does not have; it has: ", names));
}
