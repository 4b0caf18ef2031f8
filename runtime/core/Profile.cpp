#include "runtime/core/Profile.h"

#include "runtime/core/Describe.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

using namespace axloom::runtime;

std::unique_ptr<Profile> Profile::fromEnvironment(const axl_model &model) {
  const char *wanted = std::getenv("AXLOOM_PROFILE");
  return wanted && *wanted ? std::make_unique<Profile>(model) : nullptr;
}

Profile::Profile(const axl_model &model) : model(model), entries(size_t(model.kernel_count)) {}

void Profile::add(int32_t kernel, double seconds) {
  std::lock_guard lock(mutex);
  entries[size_t(kernel)].seconds += seconds;
  ++entries[size_t(kernel)].launches;
}

std::string Profile::table() const {
  std::lock_guard lock(mutex);
  Entry sum;
  for (const Entry &entry : entries) {
    sum.seconds += entry.seconds;
    sum.launches += entry.launches;
  }
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return entries[a].seconds > entries[b].seconds; });
  char line[160];
  std::snprintf(line, sizeof(line), "': %lld launches, %.3f s in kernels\n",
                static_cast<long long>(sum.launches), sum.seconds);
  std::string text = std::string("profile of model '") + model.name + line;
  text += "  share   total s  launches  ms each  kernel\n";
  for (size_t index : order) {
    const Entry &entry = entries[index];
    if (entry.launches == 0)
      continue;
    std::snprintf(line, sizeof(line), "%5.1f %%  %8.3f  %8lld  %7.3f  ",
                  100 * entry.seconds / sum.seconds, entry.seconds,
                  static_cast<long long>(entry.launches),
                  1000 * entry.seconds / double(entry.launches));
    text += line + std::string(model.kernels[index].name) +
            place(model, model.kernels[index].location) + "\n";
  }
  return text;
}
