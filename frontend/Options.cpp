#include "frontend/Options.h"
#include "frontend/Graph.h"

#include <charconv>
#include <concepts>
#include <limits>

namespace axloom {

static OptionError wrong(const std::string &name, const std::string &expected,
                         const std::string &found) {
  return OptionError("error: option '" + name + "' has a wrong value\n  expected: " + expected +
                     "\n  found: " + found + "\n  to do: pass --set " + name + "=VALUE with " +
                     expected);
}

/// The numbers that T has, as the end of a sentence.
template <class T> static std::string rangeOf() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::floating_point<T>)
    return ", 0 or of a magnitude from " + graph::textOf(Limits::denorm_min()) + " to " +
           graph::textOf(Limits::max());
  else
    return " from " + std::to_string(Limits::lowest()) + " to " + std::to_string(Limits::max());
}

template <class T>
static T number(const std::string &name, const std::string &text, const std::string &expected) {
  T value{};
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc::result_out_of_range)
    throw wrong(name, expected + rangeOf<T>(), text);
  if (failure != std::errc() || end != text.data() + text.size())
    throw wrong(name, expected, text);
  return value;
}

void Options::set(const std::string &text) {
  auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw OptionError("error: an option is set without a value\n  expected: NAME=VALUE\n  found: " +
                      text + "\n  to do: pass, e.g., --set layers=2");
  values[text.substr(0, equals)] = text.substr(equals + 1);
}

const std::string *Options::find(const std::string &name, const std::string &fallback) {
  auto value = values.find(name);
  asked[name] = value == values.end() ? fallback : value->second;
  return value == values.end() ? nullptr : &value->second;
}

int Options::get(const std::string &name, int fallback) {
  const std::string *text = find(name, std::to_string(fallback));
  return text ? number<int>(name, *text, "a whole number") : fallback;
}

double Options::get(const std::string &name, double fallback) {
  const std::string *text = find(name, graph::textOf(fallback));
  return text ? number<double>(name, *text, "a number") : fallback;
}

bool Options::get(const std::string &name, bool fallback) {
  const std::string *text = find(name, fallback ? "true" : "false");
  if (!text)
    return fallback;
  if (*text != "true" && *text != "false")
    throw wrong(name, "true or false", *text);
  return *text == "true";
}

std::string Options::get(const std::string &name, const std::string &fallback) {
  const std::string *text = find(name, fallback);
  return text ? *text : fallback;
}

int Options::count(const std::string &name, int fallback) {
  int value = get(name, fallback);
  if (value < 1)
    throw wrong(name, "a whole number of at least 1", asked[name]);
  return value;
}

int Options::share(const std::string &name, int whole, int parts) {
  if (parts < 1)
    throw OptionError("error: the default of '" + name + "' is a share of " +
                      std::to_string(whole) + " for each of " + std::to_string(parts) +
                      "\n  expected: 1 part or more\n  found: " + std::to_string(parts) +
                      "\n  to do: give what shares the width, e.g. the heads, as 1 or more");
  if (!values.count(name) && whole % parts != 0)
    throw OptionError("error: no '" + name + "' is set, and " + std::to_string(whole) +
                      " is not a multiple of " + std::to_string(parts) +
                      "\n  expected: sizes that divide, or a value for '" + name +
                      "'\n  found: " + std::to_string(whole) + " / " + std::to_string(parts) +
                      "\n  to do: choose a width that is a multiple of the heads");
  return count(name, whole / parts);
}

double Options::fraction(const std::string &name, double fallback) {
  double value = get(name, fallback);
  if (!(value >= 0 && value < 1))
    throw wrong(name, "a number of at least 0 and less than 1", asked[name]);
  return value;
}

std::size_t Options::choice(const std::string &name, const std::vector<std::string> &names,
                            const std::string &fallback) {
  std::string value = get(name, fallback), list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == value)
      return i;
    list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  throw wrong(name, list, value);
}

void Options::checkAllUsed() const {
  for (const auto &[name, value] : values) {
    if (asked.count(name))
      continue;
    std::string list;
    for (const auto &[option, current] : asked)
      list += (list.empty() ? "" : ", ") + option;
    throw OptionError("error: the model has no option '" + name +
                      "'\n  expected: " + (list.empty() ? "no option at all" : "one of " + list) +
                      "\n  found: " + name + "=" + value +
                      "\n  to do: " + (list.empty() ? "leave it out" : "correct the name"));
  }
}

} // namespace axloom
