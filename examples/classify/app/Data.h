// From a folder of labelled texts to token ids and classes.
#pragma once

#include "examples/classify/app/Shape.h"
#include "examples/classify/app/Tokenizer.h"
#include "runtime/data/LabelledBatches.h"
#include "runtime/data/Labels.h"

#include <string>
#include <vector>

namespace example {

// A file of labelled texts.
struct LabelledFile {
  std::string path;
  std::vector<axloom::runtime::LabelledText> texts;
};

// The text of {train,valid,test}.tsv.
struct LabelledCorpus {
  LabelledFile train, valid, test;
};

// Throws Error (AXL_ERROR_DATA) naming the file, and the line where there is one.
LabelledCorpus readLabelledCorpus(const std::string &folder);

// Throw Error (AXL_ERROR_DATA) where the vocabulary is not of the model's size, or there are more
// labels than classes.
void checkVocabulary(const Tokenizer &tokenizer, const ClassifierShape &shape);
void checkLabels(const axloom::runtime::Labels &labels, const ClassifierShape &shape);

// The ids of a split. Prints what is in it, how many texts are longer than the model takes and were
// cut, and how many have nothing to read and were left out.
axloom::runtime::LabelledTokens encode(const char *split, const LabelledFile &file,
                                       const Tokenizer &tokenizer,
                                       const axloom::runtime::Labels &labels,
                                       const ClassifierShape &shape);

} // namespace example
