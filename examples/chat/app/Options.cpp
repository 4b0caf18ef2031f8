#include "examples/chat/app/Options.h"

#include "examples/common/CommandLine.h"
#include "examples/common/Sampling.h"

namespace example {
namespace {

void addAnswers(CommandLine &parser, Assistant::Options &options) {
  addSampling(parser, options.sampling, options.seed, "answers");
  parser.add_option("--tokens", options.tokens, "Of an answer, at most")
      ->check(positive())
      ->capture_default_str()
      ->type_name("N");
}

void addModel(CommandLine &parser, Assistant::Options &options) {
  parser
      .addFolder("--weights", options.weights,
                 "Folder of model.safetensors, or its shards, and tokenizer.json")
      ->capture_default_str();
  parser.addFile("--names", options.names, "Table of the tensors' names")->capture_default_str();
}

} // namespace

std::optional<ChatOptions> parseChat(int argc, char **argv, int &status) {
  ChatOptions options;
  CommandLine parser("Answers a question. Without one it answers those on standard input, a line "
                     "each, in one conversation.");
  std::string question;
  CLI::Option *asked = parser.addText("question", question, "What to answer");
  parser.add_option("--system", options.system, "Who answers, and how")
      ->capture_default_str()
      ->type_name("TEXT");
  addAnswers(parser, options.assistant);
  addModel(parser, options.assistant);
  parser.add_flag("--statistics", options.statistics,
                  "Say how fast each answer came, on standard error; a terminal is told anyway");
  parser.addThreads();
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  if (asked->count() > 0)
    options.question = question;
  return options;
}

} // namespace example
