// BERT as two programs with one encoder: model.cpp is its pretraining, classifier.cpp what it is
// fine-tuned to. Their options are those of Settings.h.
#pragma once

namespace axloom {
class Options;
class Program;
} // namespace axloom

namespace bert {

// Adds train_step, evaluate, encode, attention and fill to the program.
void buildPretraining(axloom::Program &program, axloom::Options &options);

// Adds train_step and classify, as examples/classify/app/Shape.h wants them. There is one more
// option, `classes`.
void buildClassifier(axloom::Program &program, axloom::Options &options);

} // namespace bert
