//===- Names.h - What both kinds of headers say -----------------*- C++ -*-===//

#pragma once

#include "codegen/host/Description.h"

namespace axloom::codegen {
/// "[batch: B, model: 512]".
std::string shapeComment(const Description &model, const ValueInfo &value);

/// The C++ type of an element; `brainFloat` is what bf16 is called.
std::string elementTypeName(int32_t tag, const char *brainFloat);

/// A line that lists the size symbols and their maxima; empty without any.
std::string sizesComment(const Description &model);
} // namespace axloom::codegen
