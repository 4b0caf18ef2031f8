// Step 5: a gradient, a step of Adam, and what they make of an encoder: a classifier that says
// whether the first word of a text occurs again.
#include "codegen/driver/Generate.h"
#include "frontend/Axloom.h"
#include "frontend/nn/Embedding.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/Transformer.h"
#include "frontend/train/Adam.h"

using namespace axloom;
using nn::Model;

struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {};
struct Vocabulary : Axis<"vocabulary"> {};
struct Class : Axis<"class"> {};

class Classifier {
public:
  Classifier(const Scope &scope, int words, int width)
      : width(width), table(scope.scope("embedding"), words, width, init::normal(0, 1)),
        layer(scope.scope("layer"), {.model = width,
                                     .heads = 4,
                                     .depth = width / 4,
                                     .valueDepth = width / 4,
                                     .hidden = 2 * width}),
        answer(scope.scope("answer"), width, 2) {}

  // text: [batch, position] -> [batch, class]
  auto operator()(const IntTensor<Batch, Position> &text) const {
    auto x = table(text) + nn::sinusoids(iota<Position>(size<Position>(text)), width);
    auto y = layer.apply<Position, Key>(x, constant(true), {});
    return answer(gather<Position>(y, constant(0))); // what the first position has learned
  }

private:
  int width;
  nn::Embedding<Vocabulary, Model> table;
  nn::EncoderLayer<> layer;

public:
  nn::Linear<Model, Class> answer;
};

void build(Program &program, Options &options) {
  Size B = program.size("B", 256), S = program.size("S", 64);
  Classifier classifier(program, options.count("words", 32), options.count("width", 64));
  train::Adam adam(program.scope("adam"), program.parameters(), {});

  // The mean of -log p(label) over the texts of a call.
  auto loss = [&](Function &f) {
    auto text = f.argument<int, Batch, Position>("text", B, S);
    auto label = f.argument<int, Batch>("label", B);
    return mean<Batch>(cross_entropy<Class>(classifier(text), label));
  };
  program.function("slope", [&](Function &f) {
    auto mean = loss(f);
    f.result<>("loss", mean);
    f.result<Class, Model>("slope", gradient(mean, classifier.answer.weight));
  });
  program.function("train_step", [&](Function &f) {
    auto mean = loss(f);
    adam.minimize(mean, constant(0.002));
    f.result<>("loss", mean);
  });
  program.function("classify", [&](Function &f) {
    auto text = f.argument<int, Batch, Position>("text", B, S);
    f.result<Batch>("class", argmax<Class>(classifier(text)));
  });
}

int main(int argc, char **argv) { return generate(argc, argv, build); }
