//===- MockDevice.h - A device that is not the host -------------*- C++ -*-===//
//
// What a GPU will be, in small, so that the tests can tell whether anything still takes the device
// for the host:
//   - handles are no addresses, and the memory behind them can be touched only while the device
//   works on it;
//   - work is queued when it is asked for, and done when someone waits or copies out.
// Its target, `mock`, has limits of its own (codegen/Target.cpp); kernels are compiled by the
// Halide backend and run on the host's processor. Test: tests/codegen/mock/MockDeviceTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "runtime/abi/axloom.h"

namespace axloom::codegen {
/// The device "mock"; registered with the runtime on the first call.
const axl_device &mockDevice();

/// Kernels that it has run since the program started.
int64_t mockLaunches();
} // namespace axloom::codegen
