// Calls of any function of a compiled model, with arguments made up from the model's own tables.
#pragma once

#include "runtime/Runtime.h"

#include <map>
#include <memory>
#include <string>

namespace axloom::bench {

// Size symbols and integer arguments without axes, by name: {"B", 32}, {"position", 16}.
using Values = std::map<std::string, int64_t, std::less<>>;

// One function with its tensors. Token ids lie in their range and are never 0, which is padding.
class Call {
public:
  // `session`: where functions with session variables run.
  Call(runtime::Model &model, runtime::Session *session, const std::string &function,
       const Values &values);

  void run();

private:
  runtime::Tensor make(const axl_value &value, const Values &values) const;

  runtime::Model &model;
  runtime::Session *session;
  int32_t function;
  std::vector<runtime::Tensor> tensors;
  std::vector<runtime::AnyView> arguments, results;
};

// The calls that were made of one model, each with its tensors, so that a second call allocates
// nothing.
class Calls {
public:
  explicit Calls(const axl_model &tables) : model(tables) {}
  Calls(const Calls &) = delete;
  Calls &operator=(const Calls &) = delete;

  // `function` and `values` name a call; calls with the same values share a session.
  Call &find(const std::string &function, const Values &values);

  // Bytes that a call of the functions so far needs beside variables, arguments and results.
  int64_t workingBytes() const;

private:
  runtime::Session &session(const Values &values);

  runtime::Model model;
  std::map<Values, std::unique_ptr<runtime::Session>> sessions;
  std::map<std::pair<std::string, Values>, Call> calls;
};

} // namespace axloom::bench
