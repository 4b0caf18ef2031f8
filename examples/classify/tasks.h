// The tasks of this example: a model each, and how it is trained.
#pragma once

#include "classify_sections.h"
#include "classify_sentiment.h"
#include "examples/classify/app/Programs.h"

namespace example {

inline const Task tasks[] = {
    {.name = "sections", .model = &classify_sections_model, .batchTexts = 64, .epochs = 4},
    {.name = "sentiment", .model = &classify_sentiment_model, .batchTexts = 32, .epochs = 1},
};

} // namespace example
