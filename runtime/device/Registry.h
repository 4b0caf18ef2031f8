// Devices by name.
#pragma once

#include "runtime/abi/axloom.h"

#include <string_view>

namespace axloom::runtime {

// Throws AXL_ERROR_ABI with the names that exist.
const axl_device *findDevice(std::string_view name);

} // namespace axloom::runtime
