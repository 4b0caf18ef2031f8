//===- Stage.h - The stages of a compile that can be printed ----*- C++ -*-===//

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace axloom::codegen {
enum class Stage {
  Graph,          // as the user wrote it
  Differentiated, // gradients are graph
  Fused,          // kernels formed
  Planned,        // layouts and memory assigned
  Kernels,        // how each kernel is compiled, and the host program that launches them, as MLIR
  Explain,        // where time and memory will go, and why
  Llvm,           // host program and tables as LLVM IR
  Bundle          // archive, header, parameter table, report
};

struct StageName {
  std::string_view name;
  Stage stage;
  std::string_view lastPass; // that has run in it; empty: all of them, or none for the graph
};

inline constexpr std::array<StageName, 8> stageNames = {
    {{"graph", Stage::Graph, ""},
     {"differentiated", Stage::Differentiated, "differentiate"},
     {"fused", Stage::Fused, "form-kernels"},
     {"planned", Stage::Planned, ""},
     {"kernels", Stage::Kernels, ""},
     {"explain", Stage::Explain, ""},
     {"llvm", Stage::Llvm, ""},
     {"bundle", Stage::Bundle, ""}}};
} // namespace axloom::codegen
