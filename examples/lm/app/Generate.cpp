// The program `lm-generate`: texts that begin with its arguments.
#include "examples/common/AttentionPicture.h"
#include "examples/common/Print.h"
#include "examples/common/RunFolder.h"
#include "examples/common/Subwords.h"
#include "examples/lm/app/Options.h"
#include "examples/lm/app/Programs.h"
#include "examples/lm/app/Shape.h"
#include "examples/lm/app/Writer.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/core/Error.h"

using namespace axloom::runtime;

namespace example {
namespace {

// A text that fills all positions ends with a token more, which is said but never heard.
void drawText(Model &model, const Vocabulary &vocabulary, Writer::Text text,
              const std::string &path) {
  size_t positions = size_t(generationShapeOf(model.description()).length);
  if (text.tokens.size() > positions)
    text.tokens.resize(positions);
  drawAttention(model, text.tokens, unitsOf(vocabulary, text.tokens), path);
}

int generate(const axl_model &description, const GenerateOptions &options) {
  int64_t texts = int64_t(options.prompts.size()) * options.samples;
  bool draws = !options.attention.empty();
  if (draws && texts != 1)
    throw Error(AXL_ERROR_ARGUMENT, concat("--attention draws one text; there are ", texts));
  RunFolder folder(options.folder);
  Vocabulary vocabulary =
      loadVocabulary(folder.vocabulary, generationShapeOf(description).vocabulary);
  Model model(description);
  loadParameters(model, folder.checkpoint);
  Writer writer(model, vocabulary, options.sampling, options.tokens);
  std::vector<Writer::Beginning> beginnings;
  // All prompts once, then again: messages number them as the user does.
  for (int64_t sample = 0; sample < options.samples; ++sample)
    for (const std::string &prompt : options.prompts)
      beginnings.push_back({prompt, options.seed + uint32_t(sample)});
  std::vector<Writer::Text> written = writer.write(beginnings);
  for (size_t prompt = 0; prompt < options.prompts.size(); ++prompt)
    for (size_t i = prompt; i < written.size(); i += options.prompts.size())
      print("{}{}", i > 0 ? "\n" : "", written[i].text);
  if (draws)
    drawText(model, vocabulary, written[0], options.attention);
  return 0;
}

} // namespace

int runGenerate(const axl_model &model, int argc, char **argv) {
  int status = 0;
  std::optional<GenerateOptions> options = parseGenerate(argc, argv, status);
  return options ? guarded("lm-generate", [&] { return generate(model, *options); }) : status;
}

} // namespace example
