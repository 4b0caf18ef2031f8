#include "ir/reference/Differences.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace axloom::ir::reference;

double Difference::error() const { return std::abs(measured - predicted); }
// What is not a number is not allowed.
bool Difference::isAllowed() const { return error() <= allowed; }

namespace {
/// One array, moved about while the others stay.
class Walk {
public:
  Walk(const Loss &loss, const std::vector<Array> &point, size_t which, const Array &gradient,
       const DifferenceOptions &options)
      : loss(loss), point(point), which(which), gradient(gradient), options(options) {
    for (double g : gradient.values)
      scale = std::max(scale, std::abs(g));
  }

  Difference along(const std::vector<double> &direction, std::string place) const;
  Difference alongElement(int64_t element) const;

private:
  double lossAt(const std::vector<double> &direction, double distance) const;

  const Loss &loss;
  const std::vector<Array> &point;
  size_t which;
  const Array &gradient;
  const DifferenceOptions &options;
  double scale = 0;
};
} // namespace

double Walk::lossAt(const std::vector<double> &direction, double distance) const {
  std::vector<Array> moved = point;
  for (size_t i = 0; i < direction.size(); ++i)
    moved[which].values[i] += distance * direction[i];
  return loss(moved);
}

/// (loss(x + h d) - loss(x - h d)) / 2h against gradient . d
Difference Walk::along(const std::vector<double> &direction, std::string place) const {
  Difference result;
  result.measured =
      (lossAt(direction, options.step) - lossAt(direction, -options.step)) / (2 * options.step);
  result.predicted =
      std::inner_product(direction.begin(), direction.end(), gradient.values.begin(), 0.0);
  result.allowed =
      std::max(options.absolute, options.relative * std::max(scale, std::abs(result.measured)));
  result.place = std::move(place);
  return result;
}

/// "[batch 3, position 0]"
static std::string placeOf(const Space &space, int64_t element) {
  std::string text;
  for (size_t axis = space.axes().size(); axis-- > 0;) {
    int64_t extent = space.extents()[axis];
    text = space.axes()[axis].name.str() + " " + std::to_string(element % extent) +
           (text.empty() ? "" : ", ") + text;
    element /= extent;
  }
  return "[" + text + "]";
}

Difference Walk::alongElement(int64_t element) const {
  std::vector<double> direction(gradient.values.size());
  direction[element] = 1;
  Difference result = along(direction, placeOf(gradient.space, element));
  result.predicted = gradient.values[element]; // whatever the others are
  return result;
}

/// In [-1, 1), the same for every standard library.
static double draw(std::mt19937_64 &random) {
  return static_cast<double>(random() >> 11) * 0x1p-52 - 1;
}

/// The elements to move one by one: all, or some of many.
static std::vector<int64_t> chosen(int64_t volume, int64_t limit, std::mt19937_64 &random) {
  std::vector<int64_t> elements(volume);
  std::iota(elements.begin(), elements.end(), 0);
  for (int64_t i = 0; i < std::min(limit, volume); ++i)
    std::swap(elements[i], elements[i + static_cast<int64_t>(random() % (volume - i))]);
  elements.resize(std::min(limit, volume));
  return elements;
}

/// Puts what is not a number above all numbers.
static bool isWorse(const Difference &a, const Difference &b) {
  double left = a.error() / a.allowed, right = b.error() / b.allowed;
  return std::isnan(left) ? !std::isnan(right) : left > right;
}

std::vector<Difference> axloom::ir::reference::differences(const Loss &loss,
                                                           const std::vector<Array> &point,
                                                           const std::vector<Array> &gradients,
                                                           const DifferenceOptions &options) {
  std::mt19937_64 random(options.seed);
  std::vector<Difference> all;
  for (size_t which = 0; which < point.size(); ++which) {
    Walk walk(loss, point, which, gradients[which], options);
    auto volume = static_cast<int64_t>(point[which].values.size());
    std::vector<double> direction(volume);
    for (double &d : direction)
      d = draw(random);
    Difference whole = walk.along(direction, "along a random direction"), worst;
    int64_t limit = whole.isAllowed() ? options.elements : volume;
    for (int64_t element : chosen(volume, limit, random))
      if (Difference one = walk.alongElement(element); worst.place.empty() || isWorse(one, worst))
        worst = one;
    all.push_back(worst.place.empty() || (worst.isAllowed() && !whole.isAllowed()) ? whole : worst);
  }
  return all;
}
