// Step 4: words to vectors through one layer of an encoder, from the modules of frontend/nn/.
#include "codegen/driver/Generate.h"
#include "frontend/Axloom.h"
#include "frontend/nn/Embedding.h"
#include "frontend/nn/Masks.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/Transformer.h"

using namespace axloom;
using nn::Model;

struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {};
struct Vocabulary : Axis<"vocabulary"> {};

void build(Program &program, Options &options) {
  Size B = program.size("B", 64), S = program.size("S", 64);
  int words = options.count("words", 32), width = options.count("width", 64);
  nn::Embedding<Vocabulary, Model> table(program.scope("embedding"), words, width,
                                         init::normal(0, 1));
  nn::EncoderLayer<> layer(program.scope("layer"), {.model = width,
                                                    .heads = 4,
                                                    .depth = width / 4,
                                                    .valueDepth = width / 4,
                                                    .hidden = 2 * width});
  program.function("encode", [&](Function &f) {
    auto text = f.argument<int, Batch, Position>("text", B, S); // 0 is padding
    auto real = nn::real(rename<Position, Key>(text), 0);       // [batch, key]
    auto x = table(text) + nn::sinusoids(iota<Position>(S), width);
    f.result<Batch, Position, Model>("y", layer.apply<Position, Key>(x, real, {}));
  });
}

int main(int argc, char **argv) { return generate(argc, argv, build); }
