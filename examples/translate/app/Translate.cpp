// The program `translate`: one line out for each line in.
#include "examples/common/Lines.h"
#include "examples/common/Print.h"
#include "examples/common/RunFolder.h"
#include "examples/translate/app/Attention.h"
#include "examples/translate/app/Data.h"
#include "examples/translate/app/Options.h"
#include "examples/translate/app/Programs.h"
#include "examples/translate/app/Translator.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/core/Error.h"

using axloom::runtime::concat;
using axloom::runtime::Error;
using axloom::runtime::Model;
using axloom::runtime::Vocabulary;

namespace example {
namespace {

// Prints translations; what is too long leaves an empty line and a word on standard error.
class Output {
public:
  explicit Output(Translator &translator) : translator(translator) {}

  void translate(std::span<const std::string> texts) {
    for (const Translation &translation : translator.translate(texts))
      show(translation);
  }

  void show(const Translation &translation) {
    ++line;
    if (translation.tooLong) {
      ++skipped;
      std::fprintf(stderr, "translate: text %lld has %lld tokens, the model takes %lld: skipped\n",
                   (long long)line, (long long)translation.tokens,
                   (long long)translator.shape().sourceLength);
    }
    print("{}", translation.text);
  }

  // 0, or 1 if something was not translated.
  int status() const {
    if (skipped > 0)
      std::fprintf(stderr, "translate: %lld of %lld texts were too long\n", (long long)skipped,
                   (long long)line);
    return skipped > 0;
  }

private:
  Translator &translator;
  int64_t line = 0, skipped = 0;
};

// Translates one text and draws what the model looks at.
void translateAndDraw(Model &model, const Vocabulary &vocabulary, Translator &translator,
                      const TranslateOptions &options, Output &output) {
  Translation translation = translator.translate(options.texts)[0];
  if (translation.source.empty() && !translation.tooLong)
    throw Error(AXL_ERROR_DATA, "there is nothing to read in the text whose attention to draw");
  output.show(translation);
  if (!translation.tooLong)
    drawAttention(model, vocabulary, translation, options.attention);
}

int translate(const axl_model &description, const TranslateOptions &options) {
  bool draws = !options.attention.empty();
  if (draws && options.texts.size() != 1)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("--attention draws one text, given as an argument; there are ",
                       options.texts.size()));
  if (draws)
    needsAttention(description);
  ModelShape shape = shapeOf(description);
  needsBeams(description, options.beams);
  RunFolder folder(options.folder);
  Vocabulary vocabulary = loadVocabulary(folder.vocabulary, shape.vocabulary);
  Model model(description);
  axloom::runtime::loadCheckpoint(model, folder.checkpoint);
  Translator translator(model, vocabulary, options.beams);
  Output output(translator);
  if (draws)
    translateAndDraw(model, vocabulary, translator, options, output);
  else if (options.texts.empty())
    answerLines([&](std::span<const std::string> lines) { output.translate(lines); });
  else
    output.translate(options.texts);
  return output.status();
}

} // namespace

int runTranslate(const axl_model &model, int argc, char **argv) {
  int status = 0;
  std::optional<TranslateOptions> options = parseTranslate(argc, argv, status);
  return options ? guarded("translate", [&] { return translate(model, *options); }) : status;
}

} // namespace example
