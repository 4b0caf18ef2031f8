// Text in, text out: a trained model, its vocabulary, and greedy decoding or beam search.
#pragma once

#include "examples/translate/app/Shape.h"
#include "runtime/core/Model.h"
#include "runtime/data/Vocabulary.h"
#include "runtime/decode/Beam.h"
#include "runtime/decode/Greedy.h"

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace example {

struct Translation {
  std::string text;                    // empty if the source was too long
  std::vector<int32_t> source, target; // tokens, without begin and end
  int64_t tokens = 0;                  // of the source, end included
  bool tooLong = false;                // for the model: not translated
};

// Keeps references: model and vocabulary must outlive it.
class Translator {
public:
  // With one beam, greedily.
  Translator(axloom::runtime::Model &model, const axloom::runtime::Vocabulary &vocabulary,
             int64_t beams = 1);

  // One translation for each text, in order. What stands beside a text does not change its
  // translation. An empty text stays empty.
  std::vector<Translation> translate(std::span<const std::string> texts);

  const ModelShape &shape() const { return modelShape; }

private:
  ModelShape modelShape;
  const axloom::runtime::Vocabulary &vocabulary;
  std::variant<axloom::runtime::Greedy, axloom::runtime::Beam> decoder;
};

} // namespace example
