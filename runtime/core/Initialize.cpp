#include "runtime/core/Initialize.h"

#include "runtime/Random.h"
#include "runtime/core/Error.h"
#include "runtime/device/Threads.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace axloom::runtime;
namespace counters = axloom::random; // ::random is the C library's

namespace {

// The factor of each external axis, which counts by the place of its name in alphabetical order.
std::array<uint32_t, AXL_MAX_RANK> factorsOf(const axl_value &value) {
  std::array<uint32_t, AXL_MAX_RANK> factors{};
  std::span<const char *const> names(value.axes, size_t(value.rank));
  for (size_t axis = 0; axis < names.size(); ++axis) {
    auto before = [&](std::string_view other) { return other < names[axis]; };
    factors[axis] =
        counters::coordinateFactors[size_t(std::count_if(names.begin(), names.end(), before))];
  }
  return factors;
}

// The random site of a variable: its name's FNV-1a hash.
uint32_t siteOf(std::string_view name) {
  uint32_t hash = 0x811c9dc5u;
  for (char letter : name)
    hash = (hash ^ uint8_t(letter)) * 0x01000193u;
  return hash;
}

// The number for one element, from the two random streams of a variable.
class Generator {
public:
  Generator(const axl_variable_info &variable, uint32_t seed)
      : kind(variable.initializer), first(variable.numbers[0]), second(variable.numbers[1]),
        key(counters::Key::of(seed, 0, siteOf(variable.value.name))),
        otherKey(counters::Key::of(seed, 0, ~siteOf(variable.value.name))) {}

  bool isRandom() const { return kind >= AXL_INIT_UNIFORM; }

  double operator()(uint32_t position) const {
    switch (kind) {
    case AXL_INIT_ZEROS:
      return 0;
    case AXL_INIT_ONES:
      return 1;
    case AXL_INIT_CONSTANT:
      return first;
    case AXL_INIT_NORMAL:
      return first + second * normal(position);
    default:
      return first + (second - first) * uniform(key, position);
    }
  }

private:
  static double uniform(counters::Key key, uint32_t position) {
    return double(counters::uniform(counters::bits(key, key.start + position)));
  }

  // Box-Muller; 1 - uniform lies in (0, 1], where the logarithm is finite.
  double normal(uint32_t position) const {
    double radius = std::sqrt(-2 * std::log(1 - uniform(key, position)));
    return radius * std::cos(2 * std::numbers::pi * uniform(otherKey, position));
  }

  int32_t kind;
  double first, second;
  counters::Key key, otherKey;
};

template <class T> void store(void *data, int64_t index, double value) {
  if constexpr (std::is_same_v<T, BFloat16>)
    static_cast<T *>(data)[index] = BFloat16(float(value));
  else
    static_cast<T *>(data)[index] = T(value);
}

using Store = void (*)(void *, int64_t, double);
constexpr Store stores[] = {store<float>, store<BFloat16>, store<double>, store<int32_t>,
                            store<bool>};

// Elements are divided into blocks for the threads; a block finds its own coordinates.
constexpr int64_t blockSize = 1 << 14;

struct Filling {
  const Generator &generate;
  const AnyView &destination;
  std::array<uint32_t, AXL_MAX_RANK> factors;

  void block(int64_t number) const {
    int64_t start = number * blockSize;
    int64_t end = std::min(start + blockSize, destination.size());
    std::array<int64_t, AXL_MAX_RANK> at{};
    int64_t rest = start;
    for (int32_t axis = destination.rank() - 1; axis >= 0; --axis) {
      at[axis] = rest % destination.extent(axis);
      rest /= destination.extent(axis);
    }
    Store store = stores[destination.type()];
    for (int64_t index = start; index < end; ++index) {
      uint32_t position = 0;
      for (int32_t axis = 0; axis < destination.rank(); ++axis)
        position += uint32_t(at[axis]) * factors[axis];
      store(destination.data(), index, generate(position));
      for (int32_t axis = destination.rank() - 1; axis >= 0; --axis) {
        if (++at[axis] < destination.extent(axis))
          break;
        at[axis] = 0;
      }
    }
  }
};

} // namespace

void axloom::runtime::requireInitializer(const axl_variable_info &variable) {
  if (variable.initializer < AXL_INIT_ZEROS || variable.initializer > AXL_INIT_NORMAL)
    throw Error(AXL_ERROR_INTERNAL, concat("variable '", variable.value.name,
                                           "' has an unknown initializer, ", variable.initializer));
  if (Generator(variable, 0).isRandom() &&
      (variable.value.type == AXL_I32 || variable.value.type == AXL_I1))
    throw Error(AXL_ERROR_INTERNAL,
                concat("variable '", variable.value.name, "' of ", elementName(variable.value.type),
                       " elements cannot have a random initial value"));
}

void axloom::runtime::initialize(const axl_variable_info &variable, uint32_t seed,
                                 const AnyView &destination) {
  requireInitializer(variable);
  Generator generate(variable, seed);
  Filling filling{generate, destination, factorsOf(variable.value)};
  parallelFor((destination.size() + blockSize - 1) / blockSize,
              [&](int64_t number) { filling.block(number); });
}
