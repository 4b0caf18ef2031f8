//===- Target.h - The machines that Axloom compiles for ---------*- C++ -*-===//
//
// A target has a name (`x86-64-avx512`), the instruction sets its code needs by LLVM's names (a
// bundle lists them, and the runtime checks them before the first instruction runs), and its
// TargetTraits. `host` is the best target that this machine can run. Test:
// tests/codegen/TargetTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/TargetTraits.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace axloom::codegen {
struct Target {
  std::string name;
  std::vector<std::string> features;
  TargetTraits traits;
  std::string device = "cpu"; // the axl_device that runs its code

  /// The processors whose numbers `traits` has, by LLVM's names: `host` is such a target on these
  /// alone. Empty: on all that have the features.
  std::vector<std::string> processors = {};

  /// The target of that name, or nothing; `host` is resolved.
  static std::optional<Target> named(std::string_view name);
  static Target host();

  /// All names that `named` knows, for messages.
  static std::vector<std::string> names();
};
} // namespace axloom::codegen
