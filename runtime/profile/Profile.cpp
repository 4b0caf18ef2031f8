#include "runtime/profile/Profile.h"

#include "runtime/core/Describe.h"
#include "runtime/core/Packed.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

using namespace axloom::runtime;

namespace {

// Seconds that the machine needs at least.
double secondsOfProducts(const Work &work, const Limits &machine) {
  double bf16Gflops = machine.bf16Gflops > 0 ? machine.bf16Gflops : machine.gflops;
  return 1e-9 * ((work.operations - work.bf16Operations) / machine.gflops +
                 work.bf16Operations / bf16Gflops);
}
double secondsOfMemory(const Work &work, const Limits &machine) {
  return work.bytes * 1e-9 / machine.bandwidth;
}
double needed(const Work &work, const Limits &machine) {
  return std::max(secondsOfProducts(work, machine), secondsOfMemory(work, machine));
}

} // namespace

Work axloom::runtime::workOf(const axl_kernel &kernel, std::span<const int64_t> sizes,
                             const axl_tensor *tensors) {
  Work work;
  for (const axl_product &product : std::span(kernel.products, size_t(kernel.product_count))) {
    const axl_extent &count = product.multiply_adds;
    double operations = 2 * double(count.factor);
    for (int32_t i = 0; i < AXL_MAX_FACTORS && count.symbols[i] >= 0; ++i)
      operations *= double(sizes[size_t(count.symbols[i])]);
    work.operations += operations;
    if (product.factors == AXL_BF16)
      work.bf16Operations += operations;
  }
  for (int32_t i = 0; i < kernel.operand_count; ++i) {
    int32_t access = kernel.operands[i].access;
    if (access & AXL_ROWS)
      continue;
    int times = bool(access & AXL_READ) + bool(access & AXL_WRITE) + bool(access & AXL_ZEROED);
    work.bytes += times * double(packedBytes(tensors[i]));
  }
  return work;
}

std::unique_ptr<Profile> Profile::fromEnvironment(const axl_model &model) {
  const char *wanted = std::getenv("AXLOOM_PROFILE");
  return wanted && *wanted ? std::make_unique<Profile>(model) : nullptr;
}

Profile::Profile(const axl_model &model) : model(model), entries(size_t(model.kernel_count)) {}

void Profile::add(int32_t kernel, double seconds, const Work &work, int64_t count) {
  std::lock_guard lock(mutex);
  Entry &entry = entries[size_t(kernel)];
  Sum &sum = entry.first.launches == 0 ? entry.first : entry.later;
  sum.seconds += seconds;
  ++sum.launches;
  sum.work += work;
  entry.kernels = std::max(entry.kernels, count);
}

std::string Profile::table(const Limits &machine) const {
  std::lock_guard lock(mutex);
  double seconds = 0, least = 0;
  int64_t launches = 0;
  bool hasBf16 = false;
  for (const Entry &entry : entries) {
    const Sum &sum = entry.counted();
    seconds += sum.seconds;
    launches += sum.launches;
    least += needed(sum.work, machine);
    hasBf16 |= sum.work.bf16Operations > 0;
  }
  auto lost = [&](size_t index) {
    const Sum &sum = entries[index].counted();
    return sum.seconds - needed(sum.work, machine);
  };
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return lost(a) > lost(b); });
  char text[200], bf16[40] = "";
  if (hasBf16 && machine.bf16Gflops > 0)
    std::snprintf(bf16, sizeof(bf16), ", %.0f of bf16", machine.bf16Gflops);
  std::snprintf(text, sizeof(text),
                "': %lld launches, %.3f s in kernels; the machine would need %.3f s\n"
                "the machine: %.0f GFLOP/s%s, %.1f GB/s\n",
                static_cast<long long>(launches), seconds, least, machine.gflops, bf16,
                machine.bandwidth);
  std::string table = std::string("profile of model '") + model.name + text;
  table +=
      "  share   total s  launches  ms each  GFLOP/s   GB/s   of its limit    lost s  kernel\n";
  for (size_t index : order)
    if (const Sum &sum = entries[index].counted(); sum.launches > 0)
      table += line(sum, seconds, machine) + name(index) + "\n";
  return table;
}

std::string Profile::name(size_t index) const {
  const axl_kernel &kernel = model.kernels[index];
  int64_t others = entries[index].kernels - 1;
  return concat(kernel.name, others > 0 ? concat(" with ", others, " more") : "",
                place(model, kernel.location));
}

std::string Profile::line(const Sum &sum, double allSeconds, const Limits &machine) {
  const Work &work = sum.work;
  bool byProducts = secondsOfProducts(work, machine) > secondsOfMemory(work, machine);
  double least = needed(work, machine);
  char text[200];
  std::snprintf(text, sizeof(text),
                "%5.1f %%  %8.3f  %8lld  %7.3f  %7.1f  %5.1f  %s %3.0f %%  %8.3f  ",
                100 * sum.seconds / allSeconds, sum.seconds, static_cast<long long>(sum.launches),
                1000 * sum.seconds / double(sum.launches), 1e-9 * work.operations / sum.seconds,
                1e-9 * work.bytes / sum.seconds, byProducts ? "products" : "memory  ",
                100 * least / sum.seconds, sum.seconds - least);
  return text;
}
