#include "runtime/decode/Generator.h"

#include "runtime/core/Error.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

constexpr int32_t anyEnd = -1; // no token: which one a text ends with makes no difference

const axl_function &stepOf(const Model &model, const GeneratorOptions &options) {
  const axl_function &step = model.description().functions[model.function(options.step)];
  bool ownPositions = false;
  for (const axl_value &value : std::span(step.arguments, size_t(step.argument_count)))
    ownPositions |= std::string_view(value.name) == "position" && value.rank == 1;
  if (!ownPositions || !speaksLogits(step))
    throw Error(AXL_ERROR_ARGUMENT, concat("generating text needs '", options.step, "' of model '",
                                           model.description().name,
                                           "' to have an argument 'position', i32 [batch], and one "
                                           "result, logits, f32 [batch, vocabulary]"));
  return step;
}

// The most that sizes of the session may be which are this axis of the tokens, or none (-1).
int64_t maximumOf(const Model &model, const axl_function &step, int32_t axis) {
  int64_t maximum = INT32_MAX;
  for (const SessionSize &size : sessionSizes(model.description(), step, "token"))
    if (size.axis == axis)
      maximum = std::min(maximum, size.symbol->maximum);
  return maximum;
}

} // namespace

Generator::Generator(Model &model, const GeneratorOptions &options)
    : model(model), options(options), sampler(options.sampling),
      capacity(maximumOf(model, stepOf(model, options), -1)) {
  (void)model.function(options.prefill); // known, or an error
  positive("GeneratorOptions::texts", options.texts);
  this->options.texts = std::min(options.texts, maximumOf(model, stepOf(model, options), 0));
}

int64_t Generator::tokensAfter(std::span<const Prompt> prompts, size_t index) const {
  int64_t heard = int64_t(prompts[index].tokens.size());
  if (heard == 0)
    throw Error(
        AXL_ERROR_ARGUMENT,
        concat("prompt ", index + 1, " is empty; a text needs at least one token to go on from"));
  int64_t room = capacity - heard + 1;
  if (room < std::max<int64_t>(options.tokens, 1))
    throw Error(
        AXL_ERROR_SIZE,
        concat("prompt ", index + 1, " has ", heard, " tokens",
               options.tokens > 0 ? concat(", and ", options.tokens, " more were asked for") : "",
               ", but model '", model.description().name, "' was compiled for ", capacity,
               " positions"));
  return options.tokens > 0 ? options.tokens : room;
}

// Hears all of each prompt but its last token, which is the first that decode_step hears.
void Generator::start(std::span<const Prompt *const> batch, int64_t positions) {
  const axl_function &step = stepOf(model, options);
  std::vector<NamedSize> sizes;
  for (const SessionSize &size : sessionSizes(model.description(), step, "token"))
    sizes.push_back({size.symbol->name, size.axis < 0 ? positions : int64_t(batch.size())});
  if (session)
    session->reset(sizes);
  else
    session = std::make_unique<Session>(model, sizes);

  int64_t longest = 0;
  for (const Prompt *prompt : batch)
    longest = std::max(longest, int64_t(prompt->tokens.size()) - 1);
  if (longest == 0)
    return;
  Tensor tokens(AXL_I32, {int64_t(batch.size()), longest});
  std::fill_n(tokens.view<int32_t>().data(), tokens.size(), options.padding);
  for (size_t row = 0; row < batch.size(); ++row)
    std::copy(batch[row]->tokens.begin(), batch[row]->tokens.end() - 1,
              tokens.view<int32_t>().data() + int64_t(row) * longest);
  session->call(options.prefill, {{"tokens_in", tokens}}, {});
}

std::vector<std::vector<int32_t>> Generator::generate(std::span<const Prompt> prompts,
                                                      const Listener &listener) {
  std::vector<int64_t> tokens(prompts.size()), lengths(prompts.size());
  for (size_t i = 0; i < prompts.size(); ++i) {
    tokens[i] = tokensAfter(prompts, i);
    lengths[i] = int64_t(prompts[i].tokens.size());
  }
  std::vector<std::vector<int32_t>> answers(prompts.size());
  for (const std::vector<int32_t> &numbers : batchesByLength(lengths, options.texts)) {
    std::vector<const Prompt *> batch;
    std::vector<Speech> texts;
    int64_t positions = 1;
    for (int32_t number : numbers) {
      const Prompt &prompt = prompts[size_t(number)];
      int64_t heard = lengths[size_t(number)], limit = tokens[size_t(number)];
      batch.push_back(&prompt);
      texts.push_back({prompt.tokens.back(), int32_t(heard - 1), limit, {}});
      positions = std::max(positions, heard + limit - 1);
    }
    start(batch, positions);
    SpeakOptions speaking{.end = anyEnd, .padding = options.padding};
    speaking.choose = [&](size_t row, std::span<const float> logits) {
      if (options.units > 0)
        logits = logits.first(std::min(logits.size(), size_t(options.units)));
      int32_t token = sampler(logits, batch[row]->seed, uint32_t(texts[row].position));
      if (std::ranges::find(options.ends, token) != options.ends.end())
        return anyEnd;
      if (listener)
        listener(size_t(numbers[row]), token);
      return token;
    };
    speak(*session, stepOf(model, options), texts, speaking);
    for (size_t row = 0; row < texts.size(); ++row)
      answers[size_t(numbers[row])] = std::move(texts[row].said);
  }
  return answers;
}
