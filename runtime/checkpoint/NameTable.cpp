#include "runtime/checkpoint/NameTable.h"

#include "runtime/checkpoint/WholeFile.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

using namespace axloom::runtime;

namespace {

constexpr std::string_view anyRest = "**";

// What the stars of a pattern stand for in a name; nothing if it does not match.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view name) {
  std::vector<std::string> numbers;
  while (!pattern.empty()) {
    if (pattern == anyRest) {
      numbers.emplace_back(name);
      return numbers;
    }
    if (pattern.front() == '*') {
      size_t digits = 0;
      while (digits < name.size() && std::isdigit(uint8_t(name[digits])))
        ++digits;
      if (digits == 0)
        return std::nullopt;
      numbers.emplace_back(name.substr(0, digits));
      name.remove_prefix(digits);
    } else {
      if (name.empty() || name.front() != pattern.front())
        return std::nullopt;
      name.remove_prefix(1);
    }
    pattern.remove_prefix(1);
  }
  return name.empty() ? std::optional(numbers) : std::nullopt;
}

// The pattern with its stars replaced by what they stand for, in order.
std::string filled(std::string_view pattern, const std::vector<std::string> &numbers) {
  std::string name;
  size_t next = 0;
  for (; !pattern.empty() && pattern != anyRest; pattern.remove_prefix(1))
    name += pattern.front() == '*' ? numbers[next++] : std::string(1, pattern.front());
  return pattern.empty() ? name : name + numbers[next];
}

bool endsWithRest(std::string_view pattern) { return pattern.ends_with(anyRest); }

// Whether its only two stars in a row, if any, are at the end.
bool isPattern(std::string_view text) {
  size_t place = text.find(anyRest);
  return place == std::string_view::npos || place + anyRest.size() == text.size();
}

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

std::optional<int32_t> numberOf(std::string_view digits) {
  int32_t number = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  bool isNumber = error == std::errc() && end == digits.data() + digits.size();
  return isNumber ? std::optional(number) : std::nullopt;
}

// "1/3" as a part; nothing if there is no such part.
std::optional<NameTable::Factor> partOf(std::string_view text) {
  size_t slash = text.find('/');
  auto index = numberOf(text.substr(0, slash)), count = numberOf(text.substr(slash + 1));
  bool isPart = index && count && 0 <= *index && *index < *count;
  return isPart ? std::optional(NameTable::Factor{.index = *index, .count = *count}) : std::nullopt;
}

} // namespace

NameTable NameTable::parse(std::string_view text, const std::string &origin) {
  NameTable table;
  table.origin = origin;
  std::istringstream lines{std::string(withoutMark(text))};
  int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    Row row{.line = number, .file = {}, .parameter = {}, .axes = {}};
    std::string equals;
    if (!(words >> row.file))
      continue;
    bool isRow = words >> equals >> row.parameter && equals == "=";
    bool oneSided = row.parameter == "-" || row.file == "-";
    isRow &=
        oneSided || std::ranges::count(row.file, '*') == std::ranges::count(row.parameter, '*');
    if (!isRow)
      throw Error(AXL_ERROR_FORMAT,
                  concat(origin, ":", number,
                         ": expected 'TENSOR = PARAMETER AXES...', 'TENSOR = -' or '- = "
                         "PARAMETER', with as many stars on both sides; found '",
                         line, "'"));
    bool restFits = oneSided || endsWithRest(row.file) == endsWithRest(row.parameter);
    if (!restFits || !isPattern(row.file) || !isPattern(row.parameter))
      throw Error(
          AXL_ERROR_FORMAT,
          concat(origin, ":", number,
                 ": '**' stands for the rest of a name: at its end, and on both sides or on "
                 "neither; found '",
                 line, "'"));
    for (std::string group; words >> group;)
      row.axes.push_back(split(group, '+'));
    table.rows.push_back(std::move(row));
  }
  return table;
}

NameTable NameTable::load(const std::string &path) { return parse(readWhole(path), path); }

std::optional<NameTable::Place> NameTable::placeOf(const axl_value &parameter) const {
  auto leavesOutBefore = [&](const Row &end, std::string_view name) {
    return std::any_of(rows.data(), &end, [&](const Row &row) { return row.leavesOut(name); });
  };
  for (const Row &row : rows) {
    auto numbers = match(row.parameter, parameter.name);
    if (!numbers)
      continue;
    if (row.file == "-")
      return std::nullopt;
    if (std::string name = filled(row.file, *numbers); !leavesOutBefore(row, name))
      return place(row, name, parameter);
  }
  return std::nullopt;
}

NameTable::Place NameTable::place(const Row &row, const std::string &name,
                                  const axl_value &parameter) const {
  Place found{.name = name, .axes = {}};
  std::vector<bool> seen(size_t(parameter.rank));
  auto axisOf = [&](const std::string &axis) {
    for (int32_t i = 0; i < parameter.rank; ++i)
      if (axis == parameter.axes[i] && !seen[size_t(i)]) {
        seen[size_t(i)] = true;
        return Factor{.axis = i};
      }
    throw Error(AXL_ERROR_FORMAT, concat(origin, ":", row.line, ": parameter '", parameter.name,
                                         "' has no axis '", axis, "', or it is there twice"));
  };
  auto factorOf = [&](const std::string &word) {
    if (word.find('/') == std::string::npos)
      return axisOf(word);
    if (auto part = partOf(word))
      return *part;
    throw Error(AXL_ERROR_FORMAT, concat(origin, ":", row.line, ": there is no part '", word,
                                         "' of a tensor: expected I/N, with I from 0 to N - 1"));
  };
  for (const auto &group : row.axes) {
    found.axes.emplace_back();
    for (const std::string &word : group)
      found.axes.back().push_back(factorOf(word));
  }
  for (int32_t i = 0; row.axes.empty() && i < parameter.rank; ++i)
    found.axes.push_back({Factor{.axis = i}});
  if (!row.axes.empty() && std::ranges::count(seen, false) > 0)
    throw Error(AXL_ERROR_FORMAT,
                concat(origin, ":", row.line, ": the row does not name all ", parameter.rank,
                       " axes of parameter '", parameter.name, "'"));
  return found;
}

bool NameTable::Row::leavesOut(std::string_view name) const {
  return parameter == "-" && match(file, name);
}

bool NameTable::leavesOut(std::string_view name) const {
  return std::ranges::any_of(rows, [&](const Row &row) { return row.leavesOut(name); });
}

bool NameTable::keeps(std::string_view parameter) const {
  return std::ranges::any_of(
      rows, [&](const Row &row) { return row.file == "-" && match(row.parameter, parameter); });
}
