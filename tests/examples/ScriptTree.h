// A tree like that of the repository, with the scripts of one example and stand-ins for the
// programs that they call, which print how they were called.
#pragma once

#include "tests/examples/Process.h"
#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace example {

class ScriptTree : public testing::Test {
protected:
  // Copies scripts of a folder such as "examples/lm"; what every `run` calls has stand-ins.
  ScriptTree(const std::string &folder, const std::vector<std::string> &scripts);

  // Paths are from the root of the tree; `commands`: what else the stand-in does, in sh.
  void standIn(const std::string &path, const std::string &commands = "") const;

  Finished script(const std::string &name, const std::vector<std::string> &options) const;
  // What a script says that fails before it has called anything.
  std::string refusal(const std::string &name, const std::vector<std::string> &options) const;

  // `run --help` calls nothing.
  void expectHelp() const;
  // `run` ends with the status of what fetches weights, and starts no program.
  void expectStopWithFetch() const;

  // `run` takes the run's folder as one of the caller's, not of the repository: what follows
  // ` --checkpoint DIR` in its output, and the program that its hint names with that folder.
  void expectFolderOfTheRun(const std::string &behind, const std::string &hint) const;

  axloom::test::TemporaryFolder tree;

private:
  std::string folder;
};

} // namespace example
