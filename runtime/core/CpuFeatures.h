// Which instruction sets this machine has, by LLVM's names.
//
// The environment variable AXLOOM_HIDE_CPU_FEATURES ("avx512f,fma") makes the runtime believe that
// some are missing: it shows what a user of a lesser machine would see.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace axloom::runtime {

// Whether the runtime can find out if a machine has the feature of this name.
bool knowsCpuFeature(std::string_view name);

// Those of `required` that this machine (its processor and its operating system) lacks or that are
// not known here.
std::vector<std::string> missingCpuFeatures(std::span<const char *const> required);

} // namespace axloom::runtime
