// Runs a program as a user would: with its own standard streams, and signals.
#pragma once

#include "tests/support/TemporaryFolder.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace example {

struct Finished {
  int status = -1; // exit status, or 128 + the signal that ended it
  std::string output, errors;
};

class Process {
public:
  struct Options {
    std::string input;                    // what it reads on standard input
    std::vector<std::string> environment; // "NAME=value", beside ours
    bool unprivileged = false;            // gives up root's rights first
  };

  explicit Process(const std::vector<std::string> &command) : Process(command, Options()) {}
  Process(const std::vector<std::string> &command, const Options &options);
  ~Process(); // ends a process that still runs

  void signal(int number) const;
  Finished wait();

private:
  pid_t pid = -1;
  axloom::test::TemporaryFolder folder; // of the files that stand for the streams
};

Finished runProgram(const std::vector<std::string> &command, const Process::Options &options = {});

} // namespace example
