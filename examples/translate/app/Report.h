// What a trained model is worth: BLEU on the test split, and translations to look at.
#pragma once

#include "examples/translate/app/Translator.h"
#include "runtime/data/Corpus.h"

namespace example {

// Translates the test split and prints corpus BLEU and ten samples, evenly spread.
void reportTest(Translator &translator, std::span<const axloom::runtime::SentencePair> test);

} // namespace example
