// Pretraining of BERT (Devlin et al. 2018): the model guesses hidden words, and whether the second
// segment of a text follows the first. Sections in parentheses are the paper's.
#include "examples/bert/model.h"

#include "examples/bert/Settings.h"
#include "frontend/Axloom.h"
#include "frontend/nn/Masks.h"
#include "frontend/train/Loss.h"
#include "frontend/train/Schedule.h"

using namespace axloom;
using nn::Model;
using nn::Word;

namespace bert {
namespace {

struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {};           // positions that attention looks at
struct Token : Axis<"token"> {};       // all positions of all texts, one after the other
struct Target : Axis<"target"> {};     // hidden tokens that the model has to guess
struct Pooled : Axis<"pooled"> {};     // what a text is in short
struct Guess : Axis<"guess"> {};       // inside the head that guesses words
struct Relation : Axis<"relation"> {}; // of two segments: 0 they follow, 1 they do not

constexpr int padding = 0; // the token that fills short texts up

/// What a hidden word was: a transformation, then a projection that shares its weights with the
/// word embedding (3.1, task 1).
class MaskedWords {
public:
  MaskedWords(const Scope &scope, const Settings &s, const nn::Embedding<Word, Model> &words)
      : dense(scope.scope("transform"), s.width, s.width),
        norm(scope.scope("norm"), s.width, 1e-12), words(words),
        bias(scope.parameter<Word>("bias", init::zeros(), s.vocabulary)) {}

  // x: [target, model] -> [target, word]
  Tensor<Target, Word> operator()(const Tensor<Target, Model> &x) const {
    auto guess = norm(rename<Guess, Model>(gelu(dense(x))));
    return words.logits(guess) + bias;
  }

private:
  nn::Linear<Model, Guess> dense;
  nn::LayerNorm<Model> norm;
  const nn::Embedding<Word, Model> &words;
  Variable<Axes<Word>, float> bias;
};

struct Bert {
  Bert(Program &program, const Settings &s)
      : settings(s), B(program.size("B", s.batch)), S(program.size("S", s.length)),
        M(program.size("M", s.targets())), encoder(program, s.encoder()),
        pooler(program.scope("pooler"), s.width, s.width),
        words(program.scope("masked_words"), s, encoder.words),
        next(program.scope("next_sentence"), s.width, 2) {}

  // tokens and segments: [batch, position] -> [batch, position, model]
  Tensor<Batch, Position, Model> encode(const IntTensor<Batch, Position> &tokens,
                                        const IntTensor<Batch, Position> &segments,
                                        const Randomness &randomness = {}) const {
    Mask<Batch, Key> visible = nn::real(rename<Position, Key>(tokens), padding);
    return encoder.apply<Position, Key>(tokens, segments, visible, randomness);
  }

  // For each layer [batch, heads, position, key]. tokens: [batch, position]
  auto attention(const IntTensor<Batch, Position> &tokens) const {
    Mask<Batch, Key> visible = nn::real(rename<Position, Key>(tokens), padding);
    return encoder.applyWithWeights<Position, Key>(tokens, constant(0), visible, {}).weights;
  }

  // The words at some positions, which count through all texts of the batch: text * S + position.
  // x: [batch, position, model], targets: [target] -> [target, word]
  Tensor<Target, Word> guess(const Tensor<Batch, Position, Model> &x,
                             const IntTensor<Target> &targets) const {
    return words(gather<Token>(merge<Batch, Position, Token>(x), targets));
  }

  // Whether the second segment follows the first, from the first position (3.1, task 2).
  // x: [batch, position, model] -> [batch, relation]
  Tensor<Batch, Relation> relation(const Tensor<Batch, Position, Model> &x) const {
    return next(tanh(pooler(gather<Position>(x, constant(0)))));
  }

  const Settings &settings;
  Size B, S, M; // texts, positions and targets of a call

private:
  nn::Bert<> encoder;
  nn::Linear<Model, Pooled> pooler;
  MaskedWords words;
  nn::Linear<Pooled, Relation> next;
};

/// The arguments that training and evaluation share.
struct Pairs {
  Pairs(Function &f, const Bert &model)
      : tokens(f.argument<int, Batch, Position>("tokens", model.B, model.S)),
        segments(f.argument<int, Batch, Position>("segments", model.B, model.S)),
        targets(f.argument<int, Target>("targets", model.M)),
        labels(f.argument<int, Target>("labels", model.M)),
        relation(f.argument<int, Batch>("relation", model.B)) {}

  IntTensor<Batch, Position> tokens, segments;
  IntTensor<Target> targets, labels;
  IntTensor<Batch> relation;
};

/// How many of the labels have the largest logit of their row.
template <AnAxis A, AnAxis Classes>
Tensor<> countRight(const Tensor<A, Classes> &logits, const IntTensor<A> &labels) {
  return sum<A>(cast<float>(argmax<Classes>(logits) == labels));
}

/// One step of Adam against the sum of both losses, each a mean (3.1).
void addTraining(Program &program, const Bert &model) {
  const Settings &s = model.settings;
  train::Adam adam(program.scope("adam"), program.parameters(), s.adam);
  program.function("train_step", [&](Function &f) {
    Pairs pairs(f, model);
    Randomness randomness(f.argument<int>("seed"), adam.stepsDone());
    auto steps = f.argument<int>("steps");

    auto x = model.encode(pairs.tokens, pairs.segments, randomness);
    auto words = mean<Target>(cross_entropy<Word>(model.guess(x, pairs.targets), pairs.labels));
    auto next = mean<Batch>(cross_entropy<Relation>(model.relation(x), pairs.relation));
    auto loss = words + next;
    adam.minimize(loss, train::linearDecay(adam.stepsDone(), steps, s.rate, s.warmup));

    f.result("loss", loss);
  });
}

/// Sums over a batch: both losses, and how many guesses are right.
void addEvaluation(Program &program, const Bert &model) {
  program.function("evaluate", [&](Function &f) {
    Pairs pairs(f, model);
    auto x = model.encode(pairs.tokens, pairs.segments);
    auto words = model.guess(x, pairs.targets);
    auto next = model.relation(x);
    f.result("loss", sum<Target>(cross_entropy<Word>(words, pairs.labels)));
    f.result("words_right", countRight<Target, Word>(words, pairs.labels));
    f.result("next_loss", sum<Batch>(cross_entropy<Relation>(next, pairs.relation)));
    f.result("next_right", countRight<Batch, Relation>(next, pairs.relation));
  });
}

/// Vectors for each token, what each layer's heads look at in a text of one segment, and the words
/// that the model would put at some positions.
void addInference(Program &program, const Bert &model) {
  program.function("encode", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", model.B, model.S);
    auto segments = f.argument<int, Batch, Position>("segments", model.B, model.S);
    f.result<Batch, Position, Model>("vectors", model.encode(tokens, segments));
  });
  program.function("attention", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", model.B, model.S);
    auto weights = model.attention(tokens);
    for (size_t i = 0; i < weights.size(); ++i)
      f.result<Batch, nn::Heads, Position, Key>("encoder." + std::to_string(i), weights[i]);
  });
  program.function("fill", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", model.B, model.S);
    auto segments = f.argument<int, Batch, Position>("segments", model.B, model.S);
    auto targets = f.argument<int, Target>("targets", model.M);
    f.result<Target, Word>("logits", model.guess(model.encode(tokens, segments), targets));
  });
}

} // namespace

void buildPretraining(Program &program, Options &options) {
  Settings settings(options);
  Bert model(program, settings);
  addTraining(program, model);
  addEvaluation(program, model);
  addInference(program, model);
}

} // namespace bert
