#include "runtime/metrics/Interval.h"

#include <algorithm>
#include <cmath>

using namespace axloom::runtime;

Interval axloom::runtime::wilsonInterval(int64_t hits, int64_t total) {
  if (total == 0)
    return {0, 1};
  constexpr double z = 1.959963984540054; // 97.5 % of a normal distribution are below
  auto n = double(total);
  double share = double(hits) / n;
  double centre = (share + z * z / (2 * n)) / (1 + z * z / n);
  double reach = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {std::max(centre - reach, 0.0), std::min(centre + reach, 1.0)};
}
