//===- Choices.h - Numbers that schedules leave open ------------*- C++ -*-===//
//
// How many rows a register tile has, or how many tiles a block: a schedule has a usual value for
// each such number, and a few others that make sense. The tuner (codegen/tune/) finds out which is
// fastest on a machine. No choice changes the order in which the values of one token are summed.
// Test: tests/codegen/tune/ChoicesTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace axloom::codegen {
/// Values of choices by name. What is not named has its usual value.
using ChoiceValues = std::map<std::string, int64_t>;

struct Choice {
  std::string name;
  int64_t usual = 0;
  std::vector<int64_t> others;
};

/// What a family asks while it plans: answers, and keeps what was asked.
class Choices {
public:
  explicit Choices(ChoiceValues given = {}) : given(std::move(given)) {}

  /// The value given, if it is one of `others`; else the usual one.
  int64_t choose(const std::string &name, int64_t usual, std::vector<int64_t> others) {
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    std::erase(others, usual);
    auto found = given.find(name);
    bool isChosen = found != given.end() && std::count(others.begin(), others.end(), found->second);
    if (isChosen)
      taken[name] = found->second;
    asked.push_back({name, usual, std::move(others)});
    return isChosen ? found->second : usual;
  }

  const std::vector<Choice> &open() const { return asked; }
  /// The values that are not the usual ones.
  const ChoiceValues &unusual() const { return taken; }

private:
  ChoiceValues given, taken;
  std::vector<Choice> asked;
};

/// "tile rows 8, row block 16"
inline std::string toString(const ChoiceValues &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(value);
  return text;
}
} // namespace axloom::codegen
