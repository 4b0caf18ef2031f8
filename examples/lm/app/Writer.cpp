#include "examples/lm/app/Writer.h"

#include "runtime/core/Error.h"

#include <algorithm>

using namespace axloom::runtime;

namespace example {
namespace {

GeneratorOptions generatorOptions(const SamplingOptions &sampling, int64_t tokens) {
  GeneratorOptions options;
  options.sampling = sampling;
  options.tokens = tokens;
  return options;
}

} // namespace

Writer::Writer(Model &model, const Vocabulary &vocabulary, const SamplingOptions &sampling,
               int64_t tokens)
    : vocabulary(vocabulary), generator(model, generatorOptions(sampling, tokens)) {}

std::vector<Writer::Text> Writer::write(std::span<const Beginning> beginnings) {
  std::vector<Prompt> prompts;
  for (const Beginning &beginning : beginnings) {
    std::vector<int32_t> ids = vocabulary.encode(beginning.text);
    if (ids.empty())
      throw Error(AXL_ERROR_DATA, "a prompt is empty: write at least a word for the model to go on "
                                  "from");
    ids.resize(std::min(ids.size(), beginning.tokens));
    ids.insert(ids.begin(), Vocabulary::end); // of the text before, as in training
    prompts.push_back({std::move(ids), beginning.seed});
  }
  std::vector<std::vector<int32_t>> answers = generator.generate(prompts);
  std::vector<Text> texts;
  for (size_t i = 0; i < answers.size(); ++i) {
    std::vector<int32_t> &whole = prompts[i].tokens;
    whole.insert(whole.end(), answers[i].begin(), answers[i].end());
    std::string text = vocabulary.decode(whole);
    texts.push_back({std::move(text), std::move(whole)});
  }
  return texts;
}

} // namespace example
