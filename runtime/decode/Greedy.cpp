#include "runtime/decode/Greedy.h"

#include "runtime/core/Error.h"
#include "runtime/decode/Sampler.h"
#include "runtime/decode/Steps.h"

#include <algorithm>

using namespace axloom::runtime;

Greedy::Greedy(Model &model, const GreedyOptions &options)
    : model(model), options(options), heard(model, {options.encode, options.end, options.padding}) {
  positive("GreedyOptions::sentences", options.sentences);
  const axl_function &step = model.description().functions[model.function(options.step)];
  heard.checkLength(options.maximumLength);
  this->options.sentences = std::min(options.sentences, heard.mostRows());
  bool speaksTokens =
      step.result_count == 1 && step.results[0].rank == 1 && step.results[0].type == AXL_I32;
  if (!speaksLogits(step) && !speaksTokens)
    throw Error(AXL_ERROR_ARGUMENT, concat("greedy decoding needs '", options.step, "' of model '",
                                           model.description().name,
                                           "' to have one result: the next token, i32 "
                                           "[batch], or logits, f32 [batch, vocabulary]"));
}

std::vector<std::vector<int32_t>> Greedy::decode(std::span<const std::vector<int32_t>> sources) {
  return decodeByLength(sources, options.sentences, [&](auto batch) { return decodeBatch(batch); });
}

std::vector<std::vector<int32_t>>
Greedy::decodeBatch(std::span<const std::span<const int32_t>> sources) {
  Session &session = heard.encode(sources, options.maximumLength);
  const axl_function &step = model.description().functions[model.function(options.step)];
  SpeakOptions speaking{
      .end = options.end, .padding = options.padding, .offered = {{"source_mask", heard.mask()}}};
  if (speaksLogits(step))
    speaking.choose = [](size_t, std::span<const float> logits) { return likeliest(logits); };
  std::vector<Speech> texts(sources.size(), Speech{options.begin, 0, options.maximumLength, {}});
  speak(session, step, texts, speaking);
  std::vector<std::vector<int32_t>> answers;
  for (Speech &text : texts)
    answers.push_back(std::move(text.said));
  return answers;
}
