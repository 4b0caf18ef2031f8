#include "examples/chat/app/Assistant.h"

#include "examples/chat/app/Conversation.h"
#include "examples/chat/app/WholeCharacters.h"
#include "examples/lm/app/Shape.h"
#include "runtime/checkpoint/Import.h"
#include "runtime/core/Error.h"

using namespace axloom::runtime;

namespace example {
namespace {

// A tokenizer that fits the model.
ByteBpe loadTokenizer(const std::string &folder, int32_t vocabulary) {
  ByteBpe tokenizer = ByteBpe::load(folder + "/tokenizer.json");
  if (tokenizer.size() != vocabulary)
    throw Error(AXL_ERROR_DATA, concat("the tokenizer in '", folder, "' has ", tokenizer.size(),
                                       " units, but the model's vocabulary has ", vocabulary));
  return tokenizer;
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

GeneratorOptions generatorOptions(const ByteBpe &tokenizer, const Assistant::Options &options) {
  GeneratorOptions made;
  made.ends = answerEnds(tokenizer);
  made.tokens = options.tokens;
  made.sampling = options.sampling;
  return made;
}

} // namespace

Assistant::Assistant(const axl_model &description, const Options &options)
    : tokenizer(loadTokenizer(options.weights, generationShapeOf(description).vocabulary)),
      model(description), options(options),
      positions(checkedPositions(description, options.tokens)),
      generator(model, generatorOptions(tokenizer, options)) {
  importParameters(model, shardsOf(options.weights), NameTable::load(options.names));
}

Assistant::Answer Assistant::answer(const std::vector<int32_t> &conversation,
                                    const std::function<void(std::string_view)> &say) {
  Answer answer{.tokens = {}, .pace = Pace(conversation.size())};
  WholeCharacters characters;
  const Prompt prompt{conversation, options.seed};
  auto listener = [&](size_t, int32_t token) {
    answer.pace.say();
    say(characters.add(tokenizer.decode(std::span(&token, 1))));
  };
  answer.tokens = generator.generate(std::span(&prompt, 1), listener)[0];
  say(characters.finish());
  return answer;
}

} // namespace example
