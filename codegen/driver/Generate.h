//===- Generate.h - The main of a model's generator -------------*- C++ -*-===//
//
//   #include "codegen/driver/Generate.h"
//   #include "frontend/Axloom.h"
//   int main(int argc, char **argv) {
//     return axloom::generate(argc, argv, [](axloom::Program &program, axloom::Options &options) {
//       int layers = options.get("layers", 6);
//       ...
//     });
//   }
//
// The program takes the flags of codegen/driver/Flags.h and `--set OPTION=VALUE`; --help lists
// them, --list-options the model's options. A mistake is one message on standard error that names
// the user's line, and the exit code 1.
// Test: tests/codegen/driver/GenerateTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <functional>

namespace axloom {
class Options;
class Program;

int generate(int argc, char **argv, const std::function<void(Program &, Options &)> &build);
} // namespace axloom
