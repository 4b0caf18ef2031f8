// Both kinds of encoder, compiled at a size for the toy corpus.
#pragma once

#include "classify_small.h"
#include "classify_small_bert.h"
#include "examples/classify/app/Programs.h"

namespace example {

inline const Task smallTasks[] = {
    {.name = "scratch", .model = &classify_small_model, .batchTexts = 16, .epochs = 8},
    {.name = "bert", .model = &classify_small_bert_model, .batchTexts = 16, .epochs = 1},
};

} // namespace example
