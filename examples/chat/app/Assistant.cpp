#include "examples/chat/app/Assistant.h"

#include "examples/chat/app/Conversation.h"
#include "examples/chat/app/WholeCharacters.h"
#include "examples/lm/app/Shape.h"
#include "runtime/checkpoint/Import.h"
#include "runtime/core/Error.h"

using namespace axloom::runtime;

namespace example {
namespace {

// A tokenizer that fits the model, whose vocabulary may have been padded to a rounder number.
ByteBpe loadTokenizer(const std::string &folder, int32_t vocabulary) {
  ByteBpe tokenizer = ByteBpe::load(folder + "/tokenizer.json");
  if (tokenizer.size() > vocabulary)
    throw Error(AXL_ERROR_DATA, concat("the tokenizer in '", folder, "' has ", tokenizer.size(),
                                       " units, but the model's vocabulary has ", vocabulary));
  return tokenizer;
}

Assistant::Options checked(const Assistant::Options &options) {
  (void)Sampler(options.sampling); // throws for what means nothing
  return options;
}

int64_t checkedPositions(const axl_model &model, int64_t tokens) {
  int64_t positions = generationShapeOf(model).length;
  if (tokens < 1 || tokens > positions)
    throw Error(AXL_ERROR_ARGUMENT, concat("answers of ", tokens,
                                           " tokens were asked for, but the model was compiled "
                                           "for ",
                                           positions, " positions: choose from 1 to ", positions));
  return positions;
}

// What is wrong with files is known before there is memory for a model.
Model loadModel(const axl_model &description, const Assistant::Options &options) {
  std::vector<std::string> shards = shardsOf(options.weights);
  NameTable names = NameTable::load(options.names);
  Model model(description);
  importParameters(model, shards, names);
  return model;
}

GeneratorOptions generatorOptions(const ByteBpe &tokenizer, const Assistant::Options &options) {
  GeneratorOptions made;
  made.ends = answerEnds(tokenizer);
  made.units = tokenizer.size();
  made.tokens = options.tokens;
  made.sampling = options.sampling;
  return made;
}

} // namespace

Assistant::Assistant(const axl_model &description, const Options &options)
    : options(checked(options)), positions(checkedPositions(description, options.tokens)),
      units(loadTokenizer(options.weights, generationShapeOf(description).vocabulary)),
      parameters(loadModel(description, options)),
      generator(parameters, generatorOptions(units, options)) {}

Assistant::Answer Assistant::answer(const std::vector<int32_t> &conversation,
                                    const std::function<void(std::string_view)> &say) {
  Answer answer{.tokens = {}, .pace = Pace(conversation.size())};
  WholeCharacters characters;
  const Prompt prompt{conversation, options.seed};
  auto listener = [&](size_t, int32_t token) {
    answer.pace.say();
    say(characters.add(units.decode(std::span(&token, 1))));
  };
  answer.tokens = generator.generate(std::span(&prompt, 1), listener)[0];
  say(characters.finish());
  return answer;
}

} // namespace example
