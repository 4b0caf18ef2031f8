// Texts whose class one of their words tells, and calls of TRAINER and CLASSIFY, which the build
// defines as the paths of the programs.
#pragma once

#include "tests/examples/Process.h"
#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace example {

class ToyTexts : public testing::Test {
protected:
  ToyTexts();

  // Trains task `scratch`, unless the options name another one.
  std::vector<std::string> trainer(const std::vector<std::string> &options) const;
  Finished train(const std::vector<std::string> &options) const;
  Finished classify(const std::vector<std::string> &options, const std::string &input = "") const;

  // Replaces or extends a split, e.g. write("train", "plant\ta rose\n").
  void write(const std::string &split, const std::string &text) const;
  void add(const std::string &split, const std::string &text) const;

  // Makes vocab.txt of task `bert`; gives its folder.
  std::string writeWords() const;

  axloom::test::TemporaryFolder folder;
  std::string data = folder.path("data"), model = folder.path("model");
};

// The number behind `label`, e.g. "accuracy ".
double numberAfter(const std::string &text, const std::string &label);

} // namespace example
