// Checks of numbers on command lines. Unlike CLI11's own, they refuse "nan" and "inf", and say what
// is expected in a few digits.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

namespace example {

inline CLI::Validator numberWhich(const std::string &expected, std::function<bool(double)> holds) {
  return CLI::Validator(
      [expected, holds = std::move(holds)](std::string &text) -> std::string {
        double value;
        std::string_view digits = text;
        digits.remove_prefix(std::min(digits.find_first_not_of("+-"), digits.size()));
        if (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9')
          return "'" + text + "' begins with a 0: leave it out"; // octal to CLI11
        if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) && holds(value))
          return "";
        return "'" + text + "' is not a number " + expected;
      },
      "");
}

inline CLI::Validator between(double least, double most) {
  std::ostringstream expected;
  expected.precision(9);
  expected << "from " << least << " to " << most;
  return numberWhich(expected.str(), [=](double value) { return value >= least && value <= most; });
}

// Of whole numbers, CLI11 reads larger ones as the largest that the type has.
inline constexpr double mostOfAnything = 1e15;

inline CLI::Validator positive() {
  return numberWhich("above 0 and up to 1e15",
                     [](double value) { return value > 0 && value <= mostOfAnything; });
}

// What a model can count: its functions take the number of a step as an i32.
inline CLI::Validator numberOfSteps() {
  return numberWhich("above 0 and up to 2147483647", [](double value) {
    return value > 0 && value <= std::numeric_limits<int32_t>::max();
  });
}

inline CLI::Validator notNegative() { return between(0, mostOfAnything); }

} // namespace example
