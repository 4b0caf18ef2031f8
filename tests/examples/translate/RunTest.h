// What tests of the two programs share: a toy corpus, and calls of TRAINER and TRANSLATE, which the
// build defines as the paths of the programs.
#pragma once

#include "tests/examples/Process.h"
#include "tests/examples/translate/ToyCorpus.h"

#include <gtest/gtest.h>

namespace example {

class RunTest : public testing::Test {
protected:
  std::vector<std::string> trainer(const std::vector<std::string> &options) const {
    std::vector<std::string> command = {TRAINER, "--data", toy.data, "--checkpoint", toy.model};
    command.insert(command.end(), options.begin(), options.end());
    return command;
  }

  Finished train(const std::vector<std::string> &options) const {
    return runProgram(trainer(options));
  }

  Finished translate(const std::vector<std::string> &texts, const std::string &input = "") const {
    std::vector<std::string> command = {TRANSLATE, "--checkpoint", toy.model};
    command.insert(command.end(), texts.begin(), texts.end());
    return runProgram(command, {.input = input, .environment = {}});
  }

  std::string checkpoint() const { return toy.model + "/checkpoint.safetensors"; }

  ToyFolder toy;
};

// The number behind `label`, e.g. "perplexity ".
inline double numberAfter(const std::string &text, const std::string &label) {
  size_t at = text.find(label);
  EXPECT_NE(at, std::string::npos) << "no '" << label << "' in:\n" << text;
  return at == std::string::npos ? -1 : std::stod(text.substr(at + label.size()));
}

} // namespace example
