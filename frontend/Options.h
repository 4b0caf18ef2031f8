//===- Options.h - what a user can set about a model ---------------------------------===//
//
// Generators take `--set NAME=VALUE`; the model asks for each option with its default:
//   int layers = options.get("layers", 6);
// Test: tests/frontend/OptionsTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace axloom {

/// A wrong option: what, expected, found, what to do, as one text.
class OptionError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class Options {
public:
  /// `text` is NAME=VALUE.
  void set(const std::string &text);

  int get(const std::string &name, int fallback);
  double get(const std::string &name, double fallback);
  bool get(const std::string &name, bool fallback);
  std::string get(const std::string &name, const std::string &fallback);
  /// A whole number of at least 1.
  int count(const std::string &name, int fallback);
  /// A whole number of at least 1. Where it is not set, an equal share of `whole` for each of
  /// `parts`, which must come out even.
  int share(const std::string &name, int whole, int parts);
  /// From 0 up to, but not including, 1.
  double fraction(const std::string &name, double fallback);
  /// One of some names, of which the first is the default: its place in the list.
  std::size_t choice(const std::string &name, const std::vector<std::string> &names) {
    return choice(name, names, names.front());
  }
  std::size_t choice(const std::string &name, const std::vector<std::string> &names,
                     const std::string &fallback);
  std::string get(const std::string &name, const char *fallback) {
    return get(name, std::string(fallback));
  }

  /// All options that were asked for, with the values they have now.
  const std::map<std::string, std::string> &known() const { return asked; }

  /// An OptionError where an option is set that the model never asked for.
  void checkAllUsed() const;

private:
  const std::string *find(const std::string &name, const std::string &fallback);

  std::map<std::string, std::string> values;
  std::map<std::string, std::string> asked;
};

} // namespace axloom
