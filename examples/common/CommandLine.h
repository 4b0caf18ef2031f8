// Command lines of the examples' programs: of an option given twice the last counts, since scripts
// put their defaults first.
#pragma once

#include <CLI/CLI.hpp>

namespace example {

class CommandLine : public CLI::App {
public:
  explicit CommandLine(const std::string &description) : CLI::App(description) {
    option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }

  // If there is nothing left to do (--help, or a mistake, which is then printed), the result is
  // false and `status` is what main should return.
  bool understands(int argc, char **argv, int &status) {
    try {
      parse(argc, argv);
      return true;
    } catch (const CLI::ParseError &error) {
      status = exit(error);
      return false;
    }
  }

  // For programs that use what was trained.
  void addCheckpoint(std::string &folder) {
    add_option("--checkpoint", folder, "Folder that the trainer has written")
        ->capture_default_str()
        ->type_name("DIR");
  }

  void addThreads(int &threads) {
    add_option("--threads", threads, "Threads to use; 0: all")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->type_name("N");
  }
};

} // namespace example
