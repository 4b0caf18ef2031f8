// The language model as a program: model.cpp.
#pragma once

namespace axloom {
class Options;
class Program;
} // namespace axloom

namespace lm {

/// Adds the functions of the decoder-only Transformer to the program.
void build(axloom::Program &program, axloom::Options &options);

} // namespace lm
