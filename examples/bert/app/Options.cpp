#include "examples/bert/app/Options.h"

#include "examples/common/CommandLine.h"

namespace example {

std::optional<PretrainOptions> parsePretrain(int argc, char **argv, int &status) {
  PretrainOptions options;
  options.usualMinutes = 0;
  CommandLine parser("Pretrains BERT on a folder of train.txt and valid.txt: a sentence a line, a "
                     "blank line between documents.");
  options.addTo(parser, "Folder of train.txt and valid.txt");
  parser.add_option("--batch-pairs", options.pairs, "Pairs of segments in a batch [16]")
      ->check(positive())
      ->type_name("N");
  parser.callback([&options] { // the rate falls over the steps: there is no training without
    if (options.trains() && options.steps == 0)
      throw CLI::RequiredError("--steps is required, unless --minutes 0 only evaluates",
                               CLI::ExitCodes::RequiredError);
  });
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

std::optional<FineTuneOptions> parseFineTune(int argc, char **argv, int &status) {
  FineTuneOptions options;
  CommandLine parser("Trains a classifier from scratch and from a pretrained encoder, and compares "
                     "them on the test split.");
  parser.addFolder("--data", options.data, "Folder of {train,valid,test}.tsv, label<TAB>text")
      ->required();
  parser.addFolder("--pretrained", options.pretrained, "Folder that bert_pretrain has written")
      ->capture_default_str();
  parser.addFile("--names", options.names, "Table of the tensors that are taken from there")
      ->required();
  parser.add_option("--steps", options.steps, "Optimizer steps of each training")
      ->check(numberOfSteps())
      ->capture_default_str()
      ->type_name("N");
  parser.add_option("--batch-texts", options.texts, "Texts in a batch [32]")
      ->check(positive())
      ->type_name("N");
  parser.add_option("--seeds", options.seeds, "Trainings of each kind, with seeds 1, 2, ...")
      ->check(between(2, 1000))
      ->capture_default_str()
      ->type_name("N");
  parser.addThreads();
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

std::optional<FillOptions> parseFill(int argc, char **argv, int &status) {
  FillOptions options;
  CommandLine parser("Says which words each [MASK] in its arguments most likely hides.");
  parser.addCheckpoint(options.folder);
  parser.add_option("--top", options.top, "Words for each [MASK]")
      ->check(positive())
      ->capture_default_str()
      ->type_name("N");
  parser.addThreads();
  parser.addFile("--attention", options.attention,
                 "Draw what the model looks at in the first text, to this .png or .svg");
  parser.addTexts("text", options.texts, "Texts with [MASK] in place of words")->required();
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

} // namespace example
