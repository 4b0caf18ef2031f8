#include "examples/translate/app/Options.h"

#include <CLI/CLI.hpp>

namespace example {
namespace {

constexpr double year = 365 * 24 * 60; // minutes

// Of an option given twice the last counts: scripts put their defaults first.
void lastCounts(CLI::App &parser) {
  parser.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

// Runs the parser; false: print nothing more and return `status`.
bool parse(CLI::App &parser, int argc, char **argv, int &status) {
  try {
    parser.parse(argc, argv);
    return true;
  } catch (const CLI::ParseError &error) {
    status = parser.exit(error);
    return false;
  }
}

} // namespace

std::optional<TrainerOptions> parseTrainer(int argc, char **argv, int &status) {
  TrainerOptions options;
  CLI::App parser("Trains the translation model on a folder of train.tsv, valid.tsv and test.tsv "
                  "(source<TAB>target, a pair a line), then evaluates it on the test split.");
  lastCounts(parser);
  parser.add_option("--data", options.data, "Folder of train.tsv, valid.tsv and test.tsv")
      ->required()
      ->type_name("DIR");
  parser
      .add_option("--checkpoint", options.folder,
                  "Folder for vocabulary, checkpoint, history and loss curve")
      ->capture_default_str()
      ->type_name("DIR");
  parser
      .add_option("--minutes", options.minutes,
                  "Minutes of training [15, or no limit with --steps]; 0: only evaluate")
      ->check(CLI::Range(0.0, year))
      ->type_name("N");
  parser.add_option("--steps", options.steps, "Optimizer steps in all, with those before --resume")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  parser.add_flag("--resume", options.resume, "Go on from the checkpoint");
  parser.add_option("--seed", options.seed, "Of initial values, shuffling and dropout [1]")
      ->type_name("N");
  parser.add_option("--threads", options.threads, "Threads to use; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->type_name("N");
  parser.add_option("--batch-tokens", options.batchTokens, "Positions in a batch, on either side")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("N");
  parser.add_flag("--shuffle-sources", options.shuffleSources,
                  "Give each training target the source of another pair: shows what is learned "
                  "without looking at the source");
  if (!parse(parser, argc, argv, status))
    return std::nullopt;
  return options;
}

std::optional<TranslateOptions> parseTranslate(int argc, char **argv, int &status) {
  TranslateOptions options;
  CLI::App parser("Translates its arguments, or without any the lines of standard input.");
  lastCounts(parser);
  parser.add_option("--checkpoint", options.folder, "Folder that the trainer has written")
      ->capture_default_str()
      ->type_name("DIR");
  parser.add_option("--threads", options.threads, "Threads to use; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->type_name("N");
  parser.add_option("text", options.texts, "Sentences to translate")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("TEXT");
  if (!parse(parser, argc, argv, status))
    return std::nullopt;
  return options;
}

} // namespace example
