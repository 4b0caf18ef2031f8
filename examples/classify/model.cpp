// A Transformer encoder, the mean of what it makes of a text, and a linear map to classes. The
// encoder has learned positions and is trained from scratch, or it is BERT and starts with
// published weights.
#include "examples/classify/model.h"

#include "frontend/Axloom.h"
#include "frontend/nn/Bert.h"
#include "frontend/nn/Masks.h"
#include "frontend/train/Adam.h"
#include "frontend/train/Clip.h"
#include "frontend/train/Schedule.h"

using namespace axloom;
using nn::Model;

namespace classify {
namespace {

struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {}; // positions that attention looks at
struct Class : Axis<"class"> {};

constexpr int padding = 0; // the token that fills short texts up

/// What can be set about the model; the defaults are those of training from scratch.
struct Settings {
  explicit Settings(Options &options)
      : bert(options.choice("encoder", {"transformer", "bert"}) == 1),
        layers(options.count("layers", 3)), width(options.count("width", 192)),
        heads(options.count("heads", 4)), hidden(options.count("hidden", 4 * width)),
        vocabulary(options.count("vocabulary", 8000)), classes(options.count("classes", 20)),
        length(options.count("length", 128)), places(options.count("places", length)),
        batch(options.count("batch", 256)), dropout(options.fraction("dropout", 0.2)),
        attentionDropout(options.fraction("attention_dropout", 0.0)),
        poolsPadding(options.choice("pooling", {"real", "all"}) == 1),
        smoothing(options.fraction("smoothing", 0.1)), rate(options.get("rate", 5e-4)),
        warmup(options.count("warmup", 200)), clip(options.get("clip", 1.0)),
        adam{options.fraction("beta1", 0.9), options.fraction("beta2", 0.999),
             options.get("epsilon", 1e-8), options.fraction("weight_decay", 0.05)} {}

  nn::LayerOptions layer() const {
    Size depth = Size(width) / heads;
    nn::LayerOptions layer = bert ? nn::BertOptions::layerOf(width, heads, hidden)
                                  : nn::LayerOptions{.model = width,
                                                     .heads = heads,
                                                     .depth = depth,
                                                     .valueDepth = depth,
                                                     .hidden = hidden,
                                                     .attentionBias = true};
    layer.dropout = dropout;
    layer.attentionDropout = attentionDropout;
    return layer;
  }

  bool bert;
  int layers, width, heads, hidden, vocabulary, classes;
  int length; // the most tokens of a text
  int places; // rows of the table of positions
  int batch;  // the most texts of a call
  double dropout, attentionDropout;
  bool poolsPadding; // the mean goes over all positions of the batch
  double smoothing, rate;
  int warmup;  // steps
  double clip; // the largest norm of all gradients together; 0: any
  train::Adam::Constants adam;
};

/// What an encoder makes of a text, and what each layer's heads look at.
struct Encoded {
  Tensor<Batch, Position, Model> x;
  std::vector<Tensor<Batch, nn::Heads, Position, Key>> weights;
};

//  tokens and which of them are real: [batch, position]
using Encoder = std::function<Encoded(const IntTensor<Batch, Position> &,
                                      const Mask<Batch, Position> &, const Randomness &)>;

/// Word vectors, vectors of positions, and layers.
class Transformer {
public:
  Transformer(const Scope &scope, const Settings &s)
      : words(scope.scope("embedding.word"), s.vocabulary, s.width, init::normal(0, 0.02)),
        places(scope.scope("embedding.position"), s.places, s.width, init::normal(0, 0.02)),
        dropoutRate(s.dropout) {
    for (int i = 0; i < s.layers; ++i)
      layers.emplace_back(scope.scope("encoder").scope(i), s.layer());
  }

  Encoded operator()(const IntTensor<Batch, Position> &tokens, const Mask<Batch, Position> &real,
                     const Randomness &randomness) const {
    auto positions = iota<Position>(size<Position>(tokens));
    Encoded text{dropout(words(tokens) + places(positions), dropoutRate, randomness), {}};
    for (const auto &layer : layers) {
      auto seen =
          layer.applyWithWeights<Position, Key>(text.x, rename<Position, Key>(real), randomness);
      text.x = seen.output;
      text.weights.push_back(seen.weights);
    }
    return text;
  }

private:
  nn::Embedding<nn::Word, Model> words;
  nn::LearnedPositions<> places;
  std::vector<nn::EncoderLayer<>> layers;
  double dropoutRate;
};

Encoder makeEncoder(const Scope &scope, const Settings &s) {
  if (!s.bert)
    return Transformer(scope, s);
  nn::Bert<> bert(
      scope, {.words = s.vocabulary, .places = s.places, .layers = s.layers, .layer = s.layer()});
  return [bert](const IntTensor<Batch, Position> &tokens, const Mask<Batch, Position> &real,
                const Randomness &randomness) {
    auto seen = bert.applyWithWeights<Position, Key>(tokens, constant(0),
                                                     rename<Position, Key>(real), randomness);
    return Encoded{seen.output, {seen.weights.begin(), seen.weights.end()}};
  };
}

class Classifier {
public:
  Classifier(const Program &program, const Settings &s)
      : settings(s), encode(makeEncoder(program, s)),
        head(program.scope("head"), s.width, s.classes) {}

  // tokens: [batch, position] -> logits: [batch, class]
  Tensor<Batch, Class> operator()(const IntTensor<Batch, Position> &tokens,
                                  const Randomness &randomness = {}) const {
    Mask<Batch, Position> real = nn::real(tokens, padding);
    auto x = encode(tokens, real, randomness).x;
    Tensor<Batch, Model> pooled =
        settings.poolsPadding ? mean<Position>(x) : mean<Position>(where(real, x));
    return head(dropout(pooled, settings.dropout, randomness));
  }

  // [batch, position] -> for each layer [batch, heads, position, key]
  auto attention(const IntTensor<Batch, Position> &tokens) const {
    return encode(tokens, nn::real(tokens, padding), {}).weights;
  }

private:
  const Settings &settings;
  Encoder encode;
  nn::Linear<Model, Class> head;
};

} // namespace

void build(Program &program, Options &options) {
  Settings s(options);
  Classifier model(program, s);
  Size B = program.size("B", s.batch), S = program.size("S", s.length);

  train::Adam adam(program.scope("adam"), program.parameters(), s.adam);
  program.function("train_step", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", B, S);
    auto labels = f.argument<int, Batch>("labels", B);
    Randomness randomness(f.argument<int>("seed"), adam.stepsDone());
    auto steps = f.argument<int>("steps");

    auto loss = mean<Batch>(cross_entropy<Class>(model(tokens, randomness), labels, s.smoothing));
    auto gradients = gradient(loss, program.parameters());
    if (s.clip > 0)
      gradients = train::clipByGlobalNorm(gradients, s.clip);
    adam.apply(gradients, train::linearDecay(adam.stepsDone(), steps, s.rate, s.warmup));
    f.result("loss", loss);
  });

  program.function("classify", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", B, S);
    f.result<Batch, Class>("log_probabilities", log_softmax<Class>(model(tokens)));
  });

  program.function("attention", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", B, S);
    auto weights = model.attention(tokens);
    for (std::size_t i = 0; i < weights.size(); ++i)
      f.result<Batch, nn::Heads, Position, Key>("encoder." + std::to_string(i), weights[i]);
  });
}

} // namespace classify
