// The classifier that BERT is fine-tuned to: its encoder, what its pooler makes of the first
// position, and a linear map to classes (Devlin et al. 2018, section 3.2).
#include "examples/bert/Settings.h"
#include "examples/bert/model.h"
#include "frontend/Axloom.h"
#include "frontend/nn/Masks.h"
#include "frontend/train/Schedule.h"

using namespace axloom;
using nn::Model;

namespace bert {
namespace {

struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {};       // positions that attention looks at
struct Pooled : Axis<"pooled"> {}; // what a text is in short
struct Class : Axis<"class"> {};

constexpr int padding = 0; // the token that fills short texts up

class Classifier {
public:
  Classifier(Program &program, const Settings &s, int classes)
      : B(program.size("B", s.batch)), S(program.size("S", s.length)),
        encoder(program, s.encoder()), pooler(program.scope("pooler"), s.width, s.width),
        head(program.scope("head"), s.width, classes), dropoutRate(s.dropout) {}

  // tokens: [batch, position] -> logits: [batch, class]
  Tensor<Batch, Class> operator()(const IntTensor<Batch, Position> &tokens,
                                  const Randomness &randomness = {}) const {
    Mask<Batch, Key> visible = nn::real(rename<Position, Key>(tokens), padding);
    auto x = encoder.apply<Position, Key>(tokens, constant(0), visible, randomness);
    auto pooled = tanh(pooler(gather<Position>(x, constant(0)))); // [batch, pooled]
    return head(dropout(pooled, dropoutRate, randomness));
  }

  Size B, S; // texts and positions of a call

private:
  nn::Bert<> encoder;
  nn::Linear<Model, Pooled> pooler;
  nn::Linear<Pooled, Class> head;
  double dropoutRate;
};

} // namespace

void buildClassifier(Program &program, Options &options) {
  Settings s(options);
  Classifier model(program, s, options.count("classes", 20));
  train::Adam adam(program.scope("adam"), program.parameters(), s.adam);
  program.function("train_step", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", model.B, model.S);
    auto labels = f.argument<int, Batch>("labels", model.B);
    Randomness randomness(f.argument<int>("seed"), adam.stepsDone());
    auto steps = f.argument<int>("steps");
    auto loss = mean<Batch>(cross_entropy<Class>(model(tokens, randomness), labels));
    adam.minimize(loss, train::linearDecay(adam.stepsDone(), steps, s.rate, s.warmup));
    f.result("loss", loss);
  });
  program.function("classify", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", model.B, model.S);
    f.result<Batch, Class>("log_probabilities", log_softmax<Class>(model(tokens)));
  });
}

} // namespace bert
