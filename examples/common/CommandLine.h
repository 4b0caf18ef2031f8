// Command lines of the examples' programs: of an option given twice the last counts, since scripts
// put their defaults first.
#pragma once

#include "examples/common/Numbers.h"
#include "examples/common/Print.h"
#include "runtime/abi/axloom.h"
#include "runtime/device/Threads.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace example {

class CommandLine : public CLI::App {
public:
  explicit CommandLine(const std::string &description) : CLI::App(description) {
    holdClosedStreams(); // the first thing that a program does
    option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }

  // If there is nothing left to do (--help, or a mistake, which is then printed), the result is
  // false and `status` is what main should return.
  bool understands(int argc, char **argv, int &status) {
    std::vector<std::string> words;
    bool isValue = false, onlyTexts = false; // what the words before say of the next one
    for (int i = 1; i < argc; ++i) {
      std::string word = argv[i];
      words.push_back(isValue ? word : asText(word));
      onlyTexts |= word == "--";
      isValue = !isValue && !onlyTexts && takesValue(word);
    }
    try {
      // The last word first, as CLI11 wants them.
      parse(std::vector<std::string>(words.rbegin(), words.rend()));
      return true;
    } catch (const CLI::ParseError &error) {
      status =
          guarded(std::filesystem::path(argv[0]).filename().c_str(), [&] { return exit(error); });
      return false;
    }
  }

  CLI::Option *addFile(const std::string &name, std::string &path, const std::string &description) {
    return addPath(name, path, description)->type_name("FILE");
  }
  CLI::Option *addFolder(const std::string &name, std::string &path,
                         const std::string &description) {
    return addPath(name, path, description)->type_name("DIR");
  }

  // For programs that use what was trained.
  void addCheckpoint(std::string &folder) {
    addFolder("--checkpoint", folder, "Folder that the trainer has written")->capture_default_str();
  }

  // What is neither an option nor its value: one text, or all that there are.
  CLI::Option *addText(const std::string &name, std::string &text, const std::string &description) {
    return ownBrackets(add_option(name, text, description));
  }
  CLI::Option *addTexts(const std::string &name, std::vector<std::string> &texts,
                        const std::string &description) {
    return ownBrackets(add_option(name, texts, description))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  // Takes effect at once. Without it AXLOOM_THREADS decides, and without that the machine.
  void addThreads() {
    add_option_function<int>(
        "--threads", [](int threads) { axl_set_threads(threads); },
        "Threads to use, 0: all [as AXLOOM_THREADS says, or all]")
        ->check(between(0, axloom::runtime::maximumThreads))
        ->type_name("N");
  }

private:
  // An empty path would mean the root of the file system to some, and "none" to others.
  CLI::Option *addPath(const std::string &name, std::string &path, const std::string &description) {
    return add_option(name, path, description)->check([](const std::string &text) -> std::string {
      return text.empty() ? "the name is empty" : "";
    });
  }

  // CLI11 takes "[a, b]" for a list of values, but brackets around a text are its own: a character
  // after them, which no argument can have, hides them until the text's option takes it off.
  static constexpr char endOfText = '\0';

  static CLI::Option *ownBrackets(CLI::Option *option) {
    return option
        ->transform([](const std::string &text) { return text.substr(0, text.find(endOfText)); })
        ->type_name("TEXT");
  }

  // Whether the next word is the value of this one.
  bool takesValue(const std::string &word) const {
    const CLI::Option *option = word.starts_with('-') ? get_option_no_throw(word) : nullptr;
    return option && option->get_items_expected_max() > 0;
  }

  static std::string asText(const std::string &word) {
    bool looksLikeAList = word.starts_with('[') && word.ends_with(']');
    return looksLikeAList ? word + endOfText : word;
  }
};

} // namespace example
