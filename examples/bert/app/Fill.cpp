// The program `bert_fill`: which words the pretrained model would put where a text has [MASK].
#include "examples/bert/app/Options.h"
#include "examples/bert/app/Programs.h"
#include "examples/bert/app/Shape.h"
#include "examples/bert/app/Text.h"
#include "examples/common/AttentionPicture.h"
#include "examples/common/Likeliest.h"
#include "examples/common/Print.h"
#include "examples/common/RunFolder.h"
#include "examples/common/Subwords.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/decode/Sampler.h"

#include <algorithm>

using namespace axloom::runtime;

namespace example {
namespace {

// Of each word.
std::vector<float> probabilities(std::span<const float> logits) {
  std::vector<float> found(logits.size());
  Sampler sampler({}); // from all words, as likely as the model thinks
  for (const Sampler::Candidate &word : sampler.candidates(logits))
    found[size_t(word.token)] = float(word.probability);
  return found;
}

class Guesser {
public:
  Guesser(const axl_model &description, const FillOptions &options)
      : shape(pretrainingShape(description)), folder(options.folder),
        vocabulary(loadVocabulary(folder.vocabulary, shape.vocabulary)), model(description),
        top(options.top) {
    loadCheckpoint(model, folder.checkpoint);
  }

  // A line for each [MASK] of the text, under the text.
  void guess(const std::string &text) {
    std::vector<int32_t> ids = encodeMasked(text, vocabulary, shape.length), masked;
    for (size_t at = 0; at < ids.size(); ++at)
      if (ids[at] == vocabulary.id(maskUnit))
        masked.push_back(int32_t(at));
    Tensor tokens = batchOf(ids), segments(AXL_I32, {1, int64_t(ids.size())});
    Tensor targets(AXL_I32, {int64_t(masked.size())});
    std::ranges::copy(masked, targets.view<int32_t>().begin());
    auto results =
        model.run("fill", {{"tokens", tokens}, {"segments", segments}, {"targets", targets}});
    auto logits = results[0].tensor.view<float>(); // [target, word]
    print("{}", text);
    for (size_t i = 0; i < masked.size(); ++i) {
      std::span row(logits.begin() + ptrdiff_t(i) * shape.vocabulary, size_t(shape.vocabulary));
      print("  {}", example::likeliest(probabilities(row), top, [&](size_t word) {
              return vocabulary.piece(int32_t(word));
            }));
    }
  }

  void draw(const std::string &text, const std::string &path) {
    std::vector<int32_t> ids = encodeMasked(text, vocabulary, shape.length);
    drawAttention(model, ids, unitsOf(vocabulary, ids), path);
  }

private:
  PretrainingShape shape;
  RunFolder folder;
  Vocabulary vocabulary;
  Model model;
  int top;
};

int fill(const axl_model &description, const FillOptions &options) {
  Guesser guesser(description, options);
  if (!options.attention.empty())
    guesser.draw(options.texts.front(), options.attention);
  for (const std::string &text : options.texts)
    guesser.guess(text);
  return 0;
}

} // namespace

int runFill(const axl_model &model, int argc, char **argv) {
  int status = 0;
  std::optional<FillOptions> options = parseFill(argc, argv, status);
  return options ? guarded("bert_fill", [&] { return fill(model, *options); }) : status;
}

} // namespace example
