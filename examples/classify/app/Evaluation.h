// How good a classifier is: loss, accuracy, and what it takes for what.
#pragma once

#include "runtime/core/Model.h"
#include "runtime/data/LabelledBatches.h"
#include "runtime/data/Labels.h"
#include "runtime/plot/ConfusionMatrix.h"

#include <string>

namespace example {

struct Evaluation {
  double loss; // cross entropy of a text, in nats
  axloom::runtime::ConfusionMatrix confusion;
};

// Classifies one epoch of the batches.
Evaluation evaluateClassifier(axloom::runtime::Model &model,
                              axloom::runtime::LabelledBatches &batches,
                              const axloom::runtime::Labels &labels);

// "accuracy 92.86 % (91.74 to 93.84 with 95 % confidence) of 2,312 texts"
std::string accuracyText(const axloom::runtime::ConfusionMatrix &confusion);

} // namespace example
