#include "runtime/core/CpuFeatures.h"

#include <algorithm>
#include <array>
#include <cpuid.h>
#include <cstdint>
#include <cstdlib>

using namespace axloom::runtime;

namespace {

enum Register { Eax, Ebx, Ecx, Edx };
// State that the operating system must save for a feature to be usable.
enum State : uint64_t { None = 0, Ymm = 0x6, Zmm = 0xe6, Tile = 0x60000 };

struct Feature {
  std::string_view name;
  uint32_t leaf, subleaf;
  Register where;
  int bit;
  State state;
};

constexpr Feature features[] = {
    {"cmov", 1, 0, Edx, 15, None},
    {"cx8", 1, 0, Edx, 8, None},
    {"fxsr", 1, 0, Edx, 24, None},
    {"mmx", 1, 0, Edx, 23, None},
    {"sse", 1, 0, Edx, 25, None},
    {"sse2", 1, 0, Edx, 26, None},
    {"sse3", 1, 0, Ecx, 0, None},
    {"ssse3", 1, 0, Ecx, 9, None},
    {"cx16", 1, 0, Ecx, 13, None},
    {"sse4.1", 1, 0, Ecx, 19, None},
    {"sse4.2", 1, 0, Ecx, 20, None},
    {"movbe", 1, 0, Ecx, 22, None},
    {"popcnt", 1, 0, Ecx, 23, None},
    {"avx", 1, 0, Ecx, 28, Ymm},
    {"fma", 1, 0, Ecx, 12, Ymm},
    {"f16c", 1, 0, Ecx, 29, Ymm},
    {"bmi", 7, 0, Ebx, 3, None},
    {"avx2", 7, 0, Ebx, 5, Ymm},
    {"bmi2", 7, 0, Ebx, 8, None},
    {"avx512f", 7, 0, Ebx, 16, Zmm},
    {"avx512dq", 7, 0, Ebx, 17, Zmm},
    {"adx", 7, 0, Ebx, 19, None},
    {"avx512ifma", 7, 0, Ebx, 21, Zmm},
    {"avx512cd", 7, 0, Ebx, 28, Zmm},
    {"avx512bw", 7, 0, Ebx, 30, Zmm},
    {"avx512vl", 7, 0, Ebx, 31, Zmm},
    {"avx512vbmi", 7, 0, Ecx, 1, Zmm},
    {"avx512vbmi2", 7, 0, Ecx, 6, Zmm},
    {"gfni", 7, 0, Ecx, 8, None},
    {"vaes", 7, 0, Ecx, 9, Ymm},
    {"vpclmulqdq", 7, 0, Ecx, 10, Ymm},
    {"avx512vnni", 7, 0, Ecx, 11, Zmm},
    {"avx512bitalg", 7, 0, Ecx, 12, Zmm},
    {"avx512vpopcntdq", 7, 0, Ecx, 14, Zmm},
    {"amx-bf16", 7, 0, Edx, 22, Tile},
    {"avx512fp16", 7, 0, Edx, 23, Zmm},
    {"amx-tile", 7, 0, Edx, 24, Tile},
    {"amx-int8", 7, 0, Edx, 25, Tile},
    {"avxvnni", 7, 1, Eax, 4, Ymm},
    {"avx512bf16", 7, 1, Eax, 5, Zmm},
    {"lzcnt", 0x80000001, 0, Ecx, 5, None},
};

// Null for a name that is not known here.
const Feature *featureNamed(std::string_view name) {
  const Feature *found = std::find_if(std::begin(features), std::end(features),
                                      [&](const Feature &feature) { return feature.name == name; });
  return found == std::end(features) ? nullptr : found;
}

// State components that the operating system has enabled (XCR0).
uint64_t enabledState() {
  uint32_t a, b, c, d;
  constexpr uint32_t osxsave = 1u << 27;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & osxsave))
    return 0;
  uint32_t low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

bool machineHas(const Feature &feature) {
  std::array<uint32_t, 4> r{};
  if (!__get_cpuid_count(feature.leaf, feature.subleaf, &r[Eax], &r[Ebx], &r[Ecx], &r[Edx]))
    return false;
  return r[feature.where] >> feature.bit & 1 && (enabledState() & feature.state) == feature.state;
}

bool isHidden(std::string_view name) {
  const char *hidden = std::getenv("AXLOOM_HIDE_CPU_FEATURES");
  for (std::string_view rest = hidden ? hidden : ""; !rest.empty();) {
    size_t comma = std::min(rest.find(','), rest.size());
    if (rest.substr(0, comma) == name)
      return true;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return false;
}

} // namespace

bool axloom::runtime::knowsCpuFeature(std::string_view name) {
  return featureNamed(name) != nullptr;
}

std::vector<std::string>
axloom::runtime::missingCpuFeatures(std::span<const char *const> required) {
  std::vector<std::string> missing;
  for (std::string_view name : required) {
    const Feature *known = featureNamed(name);
    if (!known || isHidden(name) || !machineHas(*known))
      missing.emplace_back(name);
  }
  return missing;
}
