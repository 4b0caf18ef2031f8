// A picture of what a model looks at in a text.
#pragma once

#include "runtime/core/Model.h"

#include <string>
#include <vector>

namespace example {

// Draws the weights that the model gives for one text of these tokens, written as `units`, to a
// .png or .svg. Throws Error (AXL_ERROR_ARGUMENT) if the model lacks this function, and
// AXL_ERROR_FILE if the picture cannot be written:
//   attention(tokens [batch, position]) -> for each layer [batch, heads, position, position]
void drawAttention(axloom::runtime::Model &model, const std::vector<int32_t> &ids,
                   const std::vector<std::string> &units, const std::string &path);

} // namespace example
