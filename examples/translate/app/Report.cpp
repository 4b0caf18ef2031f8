#include "examples/translate/app/Report.h"

#include "examples/common/Print.h"
#include "runtime/metrics/Bleu.h"
#include "runtime/train/Progress.h"

#include <algorithm>

using axloom::runtime::formatCount;
using axloom::runtime::SentencePair;

namespace example {
namespace {

constexpr size_t sampleCount = 10;

void printSamples(std::span<const SentencePair> test, std::span<const std::string> systems) {
  size_t samples = std::min(sampleCount, test.size());
  print("{} sample translations:", samples);
  for (size_t i = 0; i < samples; ++i) {
    size_t at = i * test.size() / samples;
    print("\n  source     {}\n  reference  {}\n  model      {}", test[at].source, test[at].target,
          systems[at]);
  }
}

} // namespace

void reportTest(Translator &translator, std::span<const SentencePair> test) {
  std::vector<std::string> sources, references, systems;
  for (const SentencePair &pair : test) {
    sources.push_back(pair.source);
    references.push_back(pair.target);
  }
  print("translating {} test sentences", formatCount(int64_t(test.size())));
  int64_t tooLong = 0;
  for (Translation &translation : translator.translate(sources)) {
    tooLong += translation.tooLong;
    systems.push_back(std::move(translation.text));
  }
  if (tooLong > 0)
    print("{} of them have more than {} tokens, the model's limit, and count as not translated",
          formatCount(tooLong), translator.shape().sourceLength);
  print("test {}\n", axloom::runtime::corpusBleu(systems, references).text());
  printSamples(test, systems);
}

} // namespace example
