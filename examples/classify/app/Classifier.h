// Text in, probabilities out: a trained model with its vocabulary and labels.
#pragma once

#include "examples/classify/app/Shape.h"
#include "examples/classify/app/Tokenizer.h"
#include "runtime/core/Model.h"
#include "runtime/data/Labels.h"

#include <span>
#include <string>
#include <vector>

namespace example {

struct Classified {
  std::vector<float> probabilities; // of each label; empty if the text has nothing to read
  bool cut = false;                 // there were more tokens than the model takes
};

class Classifier {
public:
  // Takes what the trainer left in the folder. Throws Error where something is missing or belongs
  // to another model.
  Classifier(const axl_model &model, const std::string &folder);

  // One answer for each text, in order.
  std::vector<Classified> classify(std::span<const std::string> texts);

  // Draws what the model looks at in a text. Throws Error where there is nothing to read.
  void drawAttention(const std::string &text, const std::string &path);

  const ClassifierShape &shape() const { return modelShape; }
  const axloom::runtime::Labels &labels() const { return names; }

private:
  RunFolder folder;
  ClassifierShape modelShape;
  std::unique_ptr<Tokenizer> tokenizer;
  axloom::runtime::Labels names;
  axloom::runtime::Model model;
};

} // namespace example
