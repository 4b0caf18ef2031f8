#include "runtime/decode/Greedy.h"

#include "runtime/core/Error.h"
#include "runtime/decode/Sampler.h"
#include "runtime/decode/Steps.h"

#include <algorithm>

using namespace axloom::runtime;

Greedy::Greedy(Model &model, const GreedyOptions &options) : model(model), options(options) {
  positive("GreedyOptions::sentences", options.sentences);
  const axl_function &step = model.description().functions[model.function(options.step)];
  const axl_function &encode = model.description().functions[model.function(options.encode)];
  for (const SessionSize &size : sessionSizes(model.description(), encode, "source")) {
    if (size.axis == 0)
      this->options.sentences = std::min(this->options.sentences, size.symbol->maximum);
    if (size.axis < 0 && size.symbol->maximum < options.maximumLength)
      throw Error(AXL_ERROR_SIZE, concat("answers of up to ", options.maximumLength,
                                         " tokens were asked for, but "
                                         "model '",
                                         model.description().name, "' was compiled for at most ",
                                         size.symbol->maximum, " (size ", size.symbol->name, ")"));
  }
  bool speaksTokens =
      step.result_count == 1 && step.results[0].rank == 1 && step.results[0].type == AXL_I32;
  if (!speaksLogits(step) && !speaksTokens)
    throw Error(AXL_ERROR_ARGUMENT, concat("greedy decoding needs '", options.step, "' of model '",
                                           model.description().name,
                                           "' to have one result: the next token, i32 "
                                           "[batch], or logits, f32 [batch, vocabulary]"));
}

std::vector<std::vector<int32_t>> Greedy::decode(std::span<const std::vector<int32_t>> sources) {
  std::vector<int64_t> lengths;
  for (const std::vector<int32_t> &source : sources)
    lengths.push_back(int64_t(source.size()));
  std::vector<std::vector<int32_t>> answers(sources.size());
  for (const std::vector<int32_t> &batch : batchesByLength(lengths, options.sentences))
    decodeBatch(sources, batch, answers);
  return answers;
}

void Greedy::decodeBatch(std::span<const std::vector<int32_t>> sources,
                         std::span<const int32_t> batch,
                         std::vector<std::vector<int32_t>> &answers) {
  int64_t sentences = int64_t(batch.size());
  int64_t longest = int64_t(sources[size_t(batch.back())].size()) + 1;
  Tensor source(AXL_I32, {sentences, longest}), mask(AXL_I1, {sentences, longest});
  std::fill_n(source.view<int32_t>().data(), source.size(), options.padding);
  for (int64_t row = 0; row < sentences; ++row) {
    const auto &text = sources[size_t(batch[size_t(row)])];
    int32_t *to = source.view<int32_t>().data() + row * longest;
    *std::copy(text.begin(), text.end(), to) = options.end;
    std::fill_n(mask.view<bool>().data() + row * longest, text.size() + 1, true);
  }

  const axl_model &description = model.description();
  const axl_function &encode = description.functions[model.function(options.encode)];
  std::vector<NamedSize> sizes;
  for (const SessionSize &size : sessionSizes(description, encode, "source"))
    sizes.push_back(
        {size.symbol->name, size.axis < 0 ? options.maximumLength : source.extent(size.axis)});
  if (session)
    session->reset(sizes);
  else
    session = std::make_unique<Session>(model, sizes);
  const Named heard[] = {{"source", source}, {"source_mask", mask}};
  session->call(encode.name, declared(encode, heard), std::span<const Named>());

  const axl_function &step = description.functions[model.function(options.step)];
  SpeakOptions speaking{
      .end = options.end, .padding = options.padding, .offered = {{"source_mask", mask}}};
  if (speaksLogits(step))
    speaking.choose = [](size_t, std::span<const float> logits) { return likeliest(logits); };
  std::vector<Speech> texts(batch.size(), Speech{options.begin, 0, options.maximumLength, {}});
  speak(*session, step, texts, speaking);
  for (size_t row = 0; row < texts.size(); ++row)
    answers[size_t(batch[row])] = std::move(texts[row].said);
}
