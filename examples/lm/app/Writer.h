// Beginnings of texts in, texts out: a trained model, its vocabulary, and sampling.
#pragma once

#include "runtime/data/Vocabulary.h"
#include "runtime/decode/Generator.h"

#include <span>
#include <string>
#include <vector>

namespace example {

// Keeps a reference to the model and to the vocabulary: both must outlive it.
class Writer {
public:
  // tokens: to write after each beginning, at most; 0: what the model has room for
  Writer(axloom::runtime::Model &model, const axloom::runtime::Vocabulary &vocabulary,
         const axloom::runtime::SamplingOptions &sampling, int64_t tokens);

  struct Beginning {
    std::string text;
    uint32_t seed = 1;
    size_t tokens = SIZE_MAX; // of the text that count, at most
  };

  struct Text {
    std::string text;            // with its beginning
    std::vector<int32_t> tokens; // the same, after the end of a text before it
  };

  // A text depends on its beginning and its seed alone, not on what is written beside it. Throws
  // Error where a beginning is empty or longer than the model's positions.
  std::vector<Text> write(std::span<const Beginning> beginnings);

private:
  const axloom::runtime::Vocabulary &vocabulary;
  axloom::runtime::Generator generator;
};

} // namespace example
