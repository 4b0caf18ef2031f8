//===- Flags.h - The command line of generators and of `axloom` -*- C++ -*-===//

#pragma once

#include "codegen/driver/Compiler.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace axloom::codegen {
/// The flags as given; `run` checks what they say.
struct Flags {
  std::string emit = "bundle";
  std::string output = ".";
  std::string name = "model";
  std::string target = "host";
  std::string precision = "f32";
  std::string stopAfter;
  std::vector<std::string> disable;
  std::string memoryBudget;
  std::optional<std::vector<std::string>> tune;
  std::optional<std::vector<std::string>> functions; // nothing: all
  std::string cache;
  unsigned jobs = 0;
  Question question;
  bool kernel = false;
  bool checkGradients = false;
  bool printChanges = false;
  bool time = false;
};

/// Adds the flags, and the subcommand `explain` with its own.
void addFlags(CLI::App &app, Flags &flags);

/// Compiles a module as the flags say: writes a bundle, or prints a stage to standard output.
/// Errors go to standard error. Returns the exit code of the program.
int run(mlir::ModuleOp module, const Flags &flags);

/// Parses a command line. Returns an exit code if the program is to end here (an error, or --help).
std::optional<int> parse(CLI::App &app, int argc, char **argv);
} // namespace axloom::codegen
