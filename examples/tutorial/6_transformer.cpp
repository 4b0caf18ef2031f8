// Step 6: the encoder-decoder Transformer, to be trained to write words backwards.
#include "codegen/driver/Generate.h"
#include "frontend/Axloom.h"
#include "frontend/nn/Cache.h"
#include "frontend/nn/Embedding.h"
#include "frontend/nn/Masks.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/Transformer.h"
#include "frontend/train/Adam.h"
#include "frontend/train/Loss.h"
#include "frontend/train/Schedule.h"

using namespace axloom;
using nn::Model;

struct Batch : Axis<"batch"> {};
struct Source : Axis<"source"> {}; // positions of the word
struct Target : Axis<"target"> {}; // positions of the answer
struct Key : Axis<"key"> {};       // positions that self-attention looks at
struct Vocabulary : Axis<"vocabulary"> {};

constexpr int padding = 0, letters = 30, width = 64, heads = 4, depth = width / heads;

nn::LayerOptions layer() {
  return {.model = width,
          .heads = heads,
          .depth = depth,
          .valueDepth = depth,
          .hidden = 2 * width,
          .dropout = 0};
}

class Transformer {
public:
  explicit Transformer(Program &program)
      : B(program.size("B", 128)), S(program.size("S", 32)), T(program.size("T", 32)),
        table(program.scope("embedding"), letters, width, init::normal(0, 1 / std::sqrt(width))),
        encoder(program.scope("encoder"), layer()), decoder(program.scope("decoder"), layer()) {}

  // What the letters are, and where they stand. letter: [batch, ...], position: [...]
  template <class Letter, class Position>
  auto embed(const Letter &letter, const Position &position) const {
    return table(letter) * std::sqrt(width) + nn::sinusoids(position, width);
  }

  // Keys and values of each letter of the source, in the light of all others.
  auto encode(const IntTensor<Batch, Source> &source) const {
    auto visible = nn::real(rename<Source, Key>(source), padding); // [batch, key]
    auto x = encoder.apply<Source, Key>(embed(source, iota<Source>(S)), visible, {});
    return decoder.crossAttention.project(x);
  }

  // What follows each position of the target. -> [batch, target, vocabulary]
  auto operator()(const IntTensor<Batch, Source> &source,
                  const IntTensor<Batch, Target> &target) const {
    auto y = embed(target, iota<Target>(T)); // [batch, target, model]
    auto past = nn::causal<Target, Key>(T);  // [target, key]
    auto own = decoder.ownMemory(rename<Target, Key>(y));
    auto real = nn::real(source, padding); // [batch, source]
    auto z = decoder.apply<Key, Source>(y, own, past, encode(source), real, {});
    return table.logits(z);
  }

  Size B, S, T; // words of a call, and letters of the longest source and target
  nn::Embedding<Vocabulary, Model> table;
  nn::EncoderLayer<> encoder;
  nn::DecoderLayer<> decoder;
};

// target_in is the answer behind a begin token, target_out the answer before an end token: each
// position is to say the next letter.
void addTraining(Program &program, const Transformer &model) {
  train::Adam adam(program.scope("adam"), program.parameters(), {.beta2 = 0.98, .epsilon = 1e-9});
  program.function("train_step", [&](Function &f) {
    auto source = f.argument<int, Batch, Source>("source", model.B, model.S);
    auto in = f.argument<int, Batch, Target>("target_in", model.B, model.T);
    auto out = f.argument<int, Batch, Target>("target_out", model.B, model.T);
    auto loss =
        train::tokenLoss<Vocabulary, Batch, Target>(model(source, in), out, nn::real(out, padding));
    auto steps = f.argument<int>("steps");
    adam.minimize(loss.mean(), train::linearDecay(adam.stepsDone(), steps, 0.004, 200));
    f.result<>("loss", loss.mean());
  });
}

// One letter at a time: what earlier steps have computed lies in the caller's session.
void addDecoding(Program &program, const Transformer &model) {
  Scope session = program.scope("session");
  auto visible = session.session<bool, Batch, Source>("visible", model.B, model.S);
  nn::Cache<Batch, Source> memory(session.scope("source"), {model.B, heads, model.S, depth, depth});
  nn::Cache<Batch, Key> past(session.scope("target"), {model.B, heads, model.T, depth, depth});

  program.function("encode", [&](Function &f) {
    auto source = f.argument<int, Batch, Source>("source", model.B, model.S);
    memory.store(model.encode(source));
    assign(visible, nn::real(source, padding));
  });
  program.function("decode_step", [&](Function &f) {
    auto letter = f.argument<int, Batch>("token", model.B);
    auto position = f.argument<int>("position");
    auto y = model.embed(letter, position); // [batch, model]
    auto own = past.put(position, model.decoder.ownMemory(y));
    auto seen = iota<Key>(model.T) <= position;
    auto z = model.decoder.apply<Key, Source>(y, own, seen, memory.load(), visible, {});
    f.result<Batch>("next", argmax<Vocabulary>(model.table.logits(z)));
  });
}

void build(Program &program, Options &) {
  Transformer model(program);
  addTraining(program, model);
  addDecoding(program, model);
}

int main(int argc, char **argv) { return generate(argc, argv, build); }
