//===- LineDiff.h - What changed between two texts --------------*- C++ -*-===//

#pragma once

#include <string>
#include <string_view>

namespace axloom::codegen {
/// The lines that only one text has, in order: "- old line" and "+ new line". Empty for equal
/// texts. Test: tests/codegen/driver/LineDiffTest.cpp.
std::string lineDiff(std::string_view before, std::string_view after);
} // namespace axloom::codegen
