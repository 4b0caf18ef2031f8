//===- Size.h - how long an axis is ------------------------------------------===//
//
// A size is a whole number, a symbol (`B`, bound when the program is called) or a product of both
// (`2*B*S`). An axis may be ragged: `S[batch]` means that each index along `batch` has a length of
// its own, at most S. Test: tests/frontend/SizeTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axis.h"
#include "frontend/Error.h"
#include "frontend/Misuse.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace axloom {

class Size;

namespace detail {
/// A size together with the place of the operator that it is an operand of.
struct LocatedSize;
} // namespace detail

class Size {
public:
  template <std::integral I> Size(I length) : factor(static_cast<std::int64_t>(length)) {
    if (length > 0 && factor < 0)
      factor = std::numeric_limits<std::int64_t>::max(); // which no axis can have
  }

  /// The size called `name`; programs declare it with Program::size.
  static Size symbol(std::string name);

  /// The same length, but different for each index along axis `Over`.
  template <AnAxis Over> Size raggedOver() const { return raggedOver(Over::axisName); }
  Size raggedOver(std::string_view axis) const;

  bool isConstant() const { return names.empty() && over.empty(); }
  /// The number; only for constants.
  std::int64_t constant() const { return factor; }
  std::int64_t coefficient() const { return factor; }
  /// The symbols, sorted; a symbol that is squared is there twice.
  const std::vector<std::string> &symbols() const { return names; }
  /// The axis along which the length differs, or empty.
  const std::string &ragged() const { return over; }

  std::string print() const;

  friend bool operator==(const Size &, const Size &) = default;
  /// A GraphError when they are ragged over different axes.
  friend Size operator*(const detail::LocatedSize &left, const Size &right);
  /// The exact quotient; a GraphError when `right` does not divide `left`. Symbols divide no ragged
  /// size: S is the most that S[batch] can be.
  friend Size operator/(const detail::LocatedSize &left, const Size &right);

private:
  std::int64_t factor = 1;
  std::vector<std::string> names;
  std::string over;
};

struct detail::LocatedSize {
  Size size;
  Where where;
  template <std::convertible_to<Size> S>
  LocatedSize(const S &size, Where here = Where::current()) : size(size), where(here) {}
};

// What the compiler says about sums of sizes.
#define AXLOOM_WRONG_OPERATOR(SYMBOL)                                                              \
  template <std::convertible_to<Size> X, std::convertible_to<Size> Y,                              \
            class Error = misuse::sizes_have_only_products_and_quotients>                          \
    requires std::same_as<X, Size> || std::same_as<Y, Size>                                        \
  void operator SYMBOL(const X &, const Y &) = delete;
AXLOOM_WRONG_OPERATOR(+)
AXLOOM_WRONG_OPERATOR(-)
AXLOOM_WRONG_OPERATOR(%)
#undef AXLOOM_WRONG_OPERATOR

} // namespace axloom
