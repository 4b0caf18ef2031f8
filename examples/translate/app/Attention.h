// Pictures of what a translation model looks at.
#pragma once

#include "examples/translate/app/Translator.h"

#include <string>

namespace example {

// Throws Error (AXL_ERROR_ARGUMENT) if the model lacks this function:
//   attention(source [batch, source], target_in [batch, target]) -> encoder.N, decoder.N, cross.N,
//       the weights of each layer N from 0: [batch, heads, query, key]
void needsAttention(const axl_model &model);

// Writes encoder.png, decoder.png and cross.png into the folder, which is made if it is missing.
// Throws Error (AXL_ERROR_FILE) if they cannot be written.
void drawAttention(axloom::runtime::Model &model, const axloom::runtime::Vocabulary &vocabulary,
                   const Translation &translation, const std::string &folder);

} // namespace example
