#include "examples/lm/app/Options.h"

#include "examples/common/CommandLine.h"
#include "examples/common/Sampling.h"
#include "examples/common/Subwords.h"

namespace example {

std::optional<TextTrainerOptions> parseTextTrainer(int argc, char **argv, int &status) {
  TextTrainerOptions options;
  options.usualMinutes = 10;
  CommandLine parser("Trains the language model on a folder of train.txt and valid.txt (a sentence "
                     "a line, a blank line between documents), then prints its perplexity and a "
                     "few texts that it has made up.");
  options.addTo(parser, "Folder of train.txt and valid.txt");
  options.addValidationTo(parser);
  parser.add_option("--batch-tokens", options.batchTokens, "Positions in a batch [2048]")
      ->check(positive())
      ->type_name("N");
  addUnits(parser, options.units);
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

std::optional<GenerateOptions> parseGenerate(int argc, char **argv, int &status) {
  GenerateOptions options;
  CommandLine parser("Goes on with each of its arguments, which begin a text.");
  parser.addCheckpoint(options.folder);
  addSampling(parser, options.sampling, options.seed, "texts");
  parser
      .add_option("--tokens", options.tokens, "To write, at most; 0: what the model has room for")
      ->check(notNegative())
      ->capture_default_str()
      ->type_name("N");
  parser.add_option("--samples", options.samples, "Texts for each prompt, with seeds one apart")
      ->check(between(1, 100000))
      ->capture_default_str()
      ->type_name("N");
  parser.addFile("--attention", options.attention,
                 "Draw what each head looks at in the text, one text, to this .png or .svg");
  parser.addThreads();
  parser.addTexts("prompt", options.prompts, "Beginnings of texts")->required();
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

} // namespace example
