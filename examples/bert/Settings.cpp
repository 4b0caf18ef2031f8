#include "examples/bert/Settings.h"

using namespace axloom;

namespace bert {
namespace {

struct NamedSize {
  int layers, width, heads, hidden, vocabulary, length;
};

// The first is for two cores and a quarter of an hour; the others are the paper's (section 3).
constexpr NamedSize sizes[] = {
    {2, 128, 2, 512, 4000, 64},
    {12, 768, 12, 3072, 30522, 512},
    {24, 1024, 16, 4096, 30522, 512},
};

} // namespace

Settings::Settings(Options &options) {
  const NamedSize &size = sizes[options.choice("size", {"small", "base", "large"})];
  layers = options.count("layers", size.layers);
  width = options.count("width", size.width);
  heads = options.count("heads", size.heads);
  hidden = options.count("hidden", size.hidden);
  vocabulary = options.count("vocabulary", size.vocabulary);
  length = options.count("length", size.length);
  batch = options.count("batch", 64);
  dropout = options.fraction("dropout", 0.1);
  rate = options.get("rate", 1e-4);
  warmup = options.count("warmup", 10000);
  adam = {options.fraction("beta1", 0.9), options.fraction("beta2", 0.999),
          options.get("epsilon", 1e-6), options.fraction("weight_decay", 0.01)};
}

nn::BertOptions Settings::encoder() const {
  nn::BertOptions o{.words = vocabulary,
                    .places = length,
                    .layers = layers,
                    .layer = nn::BertOptions::layerOf(width, heads, hidden)};
  o.layer.dropout = o.layer.attentionDropout = dropout;
  return o;
}

} // namespace bert
