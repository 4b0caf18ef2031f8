#include "tests/system/support/RaggedModel.h"

#include "frontend/Axloom.h"
#include "frontend/nn/Embedding.h"
#include "frontend/nn/Masks.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/Transformer.h"

using namespace axloom;
using namespace axloom::test;
using nn::Model;

namespace {
struct Batch : Axis<"batch"> {};
struct Source : Axis<"source"> {};
struct Target : Axis<"target"> {};
struct Key : Axis<"key"> {};
struct Vocabulary : Axis<"vocabulary"> {};

constexpr int padding = 0;

template <Padding P> class Transformer {
public:
  explicit Transformer(Program &program)
      : B(program.size("B", 16)), S(program.size("S", raggedLength)),
        T(program.size("T", raggedLength)),
        table(program.scope("embedding"), raggedVocabulary, raggedWidth, init::normal(0, 0.2)) {
    nn::LayerOptions layer{raggedWidth, 2, 16, 16, 48};
    for (int i = 0; i < 2; ++i) {
      encoder.emplace_back(program.scope("encoder").scope(i), layer);
      decoder.emplace_back(program.scope("decoder").scope(i), layer);
    }
  }

  Size lengths(const Size &longest) const {
    return P == Padding::Ragged ? longest.raggedOver<Batch>() : longest;
  }

  // Where tokens stand. [batch, A] -> [A], ragged: [batch, A]
  template <AnAxis A, class X> auto positions(const X &tokens) const {
    if constexpr (P == Padding::Ragged)
      return iota<A, Batch>(size<A>(tokens), size<Batch>(tokens));
    else
      return iota<A>(size<A>(tokens));
  }

  template <AnAxis A, class X> Tensor<Batch, A, Model> embed(const X &tokens) const {
    return table(tokens) * 5.0 + nn::sinusoids(positions<A>(tokens), raggedWidth);
  }

  Tensor<Batch, Source, Model> encode(const IntTensor<Batch, Source> &source) const {
    Mask<Batch, Key> visible = nn::real(rename<Source, Key>(source), padding);
    Tensor<Batch, Source, Model> x = embed<Source>(source);
    for (const auto &layer : encoder)
      x = layer.template apply<Source, Key>(x, visible, {});
    return x;
  }

  Tensor<Batch, Target, Model> decode(const Tensor<Batch, Source, Model> &memory,
                                      const IntTensor<Batch, Source> &source,
                                      const IntTensor<Batch, Target> &target) const {
    auto here = positions<Target>(target);
    auto visible =
        rename<Target, Key>(here) <= here && nn::real(rename<Target, Key>(target), padding);
    auto sourceVisible = nn::real(source, padding);
    Tensor<Batch, Target, Model> y = embed<Target>(target);
    for (const auto &layer : decoder)
      y = layer.template apply<Key, Source>(y, layer.ownMemory(rename<Target, Key>(y)), visible,
                                            layer.crossAttention.project(memory), sourceVisible,
                                            {});
    return y;
  }

  // The losses of tokens that are not padding; 0 elsewhere.
  Tensor<Batch, Target> losses(const Tensor<Batch, Target, Vocabulary> &logits,
                               const IntTensor<Batch, Target> &labels) const {
    auto each = cross_entropy<Vocabulary>(logits, labels, 0.1);
    return where(nn::real(labels, padding), each, 0.0);
  }

  Size B, S, T;
  nn::Embedding<Vocabulary, Model> table;
  std::vector<nn::EncoderLayer<>> encoder;
  std::vector<nn::DecoderLayer<>> decoder;
};

template <Padding P> void build(Program &program) {
  Transformer<P> model(program);
  auto run = [&](Function &f, auto use) {
    auto source = f.argument<int, Batch, Source>("source", model.B, model.lengths(model.S));
    auto target = f.argument<int, Batch, Target>("target", model.B, model.lengths(model.T));
    auto labels = f.argument<int, Batch, Target>("labels", model.B, model.lengths(model.T));
    auto memory = model.encode(source);
    Tensor<Batch, Target, Vocabulary> logits =
        model.table.logits(model.decode(memory, source, target));
    use(memory, logits, model.losses(logits, labels));
  };
  program.function("evaluate", [&](Function &f) {
    run(f, [&](const auto &memory, const auto &logits, const auto &losses) {
      f.result<Batch, Source, Model>("memory", memory);
      f.result<Batch, Target, Vocabulary>("logits", logits);
      f.result<Batch, Target>("losses", losses);
      f.result("loss", sum<Batch, Target>(losses));
    });
  });
  program.function("descend", [&](Function &f) {
    run(f, [&](const auto &, const auto &, const auto &losses) {
      auto loss = sum<Batch, Target>(losses);
      auto gradients = gradient(loss, program.parameters());
      for (size_t i = 0; i < gradients.size(); ++i)
        assign(program.parameters()[i], program.parameters()[i] - gradients[i]);
      f.result("loss", loss);
    });
  });
}
} // namespace

std::string test::encoderDecoder(Padding padding) {
  Program program;
  if (padding == Padding::Ragged)
    build<Padding::Ragged>(program);
  else
    build<Padding::Padded>(program);
  return program.print();
}
