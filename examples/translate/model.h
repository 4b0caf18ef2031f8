// The translation model as a program: model.cpp.
#pragma once

namespace axloom {
class Options;
class Program;
} // namespace axloom

namespace translate {

/// Adds the functions of the encoder-decoder Transformer to the program.
void build(axloom::Program &program, axloom::Options &options);

} // namespace translate
