#include "examples/translate/app/Options.h"

#include "examples/common/CommandLine.h"
#include "examples/common/Subwords.h"

namespace example {
namespace {

void addBeams(CommandLine &parser, int64_t &beams) {
  parser
      .add_option("--beams", beams,
                  "Translations of a sentence that are gone on with at the same time; 1: always "
                  "the likeliest token")
      ->check(positive())
      ->capture_default_str()
      ->type_name("N");
}

} // namespace

std::optional<TrainerOptions> parseTrainer(int argc, char **argv, int &status) {
  TrainerOptions options;
  CommandLine parser("Trains the translation model on a folder of train.tsv, valid.tsv and "
                     "test.tsv (source<TAB>target, a pair a line), then evaluates it on the test "
                     "split.");
  options.addTo(parser, "Folder of train.tsv, valid.tsv and test.tsv");
  options.addValidationTo(parser);
  parser.add_option("--batch-tokens", options.batchTokens, "Positions in a batch, on either side")
      ->check(positive())
      ->capture_default_str()
      ->type_name("N");
  addUnits(parser, options.units);
  addBeams(parser, options.beams);
  parser.add_flag("--shuffle-sources", options.shuffleSources,
                  "Give each training target the source of another pair: shows what is learned "
                  "without looking at the source");
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

std::optional<TranslateOptions> parseTranslate(int argc, char **argv, int &status) {
  TranslateOptions options;
  CommandLine parser("Translates its arguments, or without any the lines of standard input.");
  parser.addCheckpoint(options.folder);
  parser.addThreads();
  parser.addFolder("--attention", options.attention,
                   "Draw what the model looks at in the text, into this folder");
  addBeams(parser, options.beams);
  parser.addTexts("text", options.texts, "Sentences to translate");
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

} // namespace example
