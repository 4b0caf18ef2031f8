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

  // Arguments and results, by name.
  std::vector<runtime::Named> named() const;

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

  // For others that are to compute the same, as safetensors files: the parameters that a new model
  // has, and arguments and results of the call that is the first of a new model.
  void writeParameters(const std::string &path);
  void writeExample(const std::string &path, const std::string &function, const Values &values);

private:
  runtime::Session &session(const Values &values);

  runtime::Model model;
  std::map<Values, std::unique_ptr<runtime::Session>> sessions;
  std::map<std::pair<std::string, Values>, Call> calls;
};

} // namespace axloom::bench
