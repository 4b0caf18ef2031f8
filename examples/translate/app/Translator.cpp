#include "examples/translate/app/Translator.h"

using namespace axloom::runtime;

namespace example {
namespace {

std::variant<Greedy, Beam> decoderOf(Model &model, const ModelShape &shape, int64_t beams) {
  if (beams == 1)
    return Greedy(model, {.maximumLength = shape.targetLength});
  return Beam(model, {.beams = beams, .maximumLength = shape.targetLength});
}

} // namespace

Translator::Translator(Model &model, const Vocabulary &vocabulary, int64_t beams)
    : modelShape(shapeOf(model.description())), vocabulary(vocabulary),
      decoder(decoderOf(model, modelShape, beams)) {}

std::vector<Translation> Translator::translate(std::span<const std::string> texts) {
  std::vector<Translation> translations(texts.size());
  std::vector<std::vector<int32_t>> sources;
  std::vector<size_t> owners; // of the sources: indices into texts
  for (size_t i = 0; i < texts.size(); ++i) {
    std::vector<int32_t> ids = vocabulary.encode(texts[i]);
    translations[i].tokens = int64_t(ids.size()) + 1;
    translations[i].tooLong = translations[i].tokens > modelShape.sourceLength;
    if (ids.empty() || translations[i].tooLong)
      continue;
    translations[i].source = ids;
    sources.push_back(std::move(ids));
    owners.push_back(i);
  }
  std::vector<std::vector<int32_t>> answers =
      std::visit([&](auto &chosen) { return chosen.decode(sources); }, decoder);
  for (size_t i = 0; i < answers.size(); ++i) {
    Translation &translation = translations[owners[i]];
    translation.text = vocabulary.decode(answers[i]);
    translation.target = std::move(answers[i]);
  }
  return translations;
}

} // namespace example
