// A model that needs no compiler: the functions of examples/translate behind hand-written tables,
// so that the programs around the model are tested by themselves.
//
// It translates word by word. The logits of target position t are
//   translation[source[t]] + previous[target_in[t]]        both [vocabulary, vocabulary]
// which suffices for the toy language of ToyCorpus.h. Training is plain gradient descent with a
// falling rate, label smoothing and dropout of the source token, so that the step counter and the
// seed matter as they do in the real model.
//
// AXLOOM_FAKE_NAN=n in the environment makes the loss of step n not a number.
#include "translate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace {

constexpr int64_t vocabulary = 160, maximumLength = 24;
constexpr float smoothing = 0.1f, dropout = 0.1f;

enum Symbol : int32_t { BatchSize, SourceLength, TargetLength };
enum Variable : int32_t { Translation, Previous, Step, Memory, Cache };

template <class Element> Element *elements(const axl_tensor &tensor) {
  return reinterpret_cast<Element *>(reinterpret_cast<char *>(tensor.memory) + tensor.offset);
}

template <class Element> Element *elements(axl_context *context, Variable variable) {
  return elements<Element>(*axl_variable(context, variable));
}

uint32_t scramble(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352d;
  x = (x ^ x >> 15) * 0x846ca68b;
  return x ^ x >> 16;
}

// The two rows that make the logits of one target position; row 0 (padding) stays zeros.
struct Rows {
  float *translation, *previous;
};

void logits(const Rows &rows, float *out) {
  for (int64_t v = 0; v < vocabulary; ++v)
    out[v] = rows.translation[v] + rows.previous[v];
}

// Turns logits into logarithms of probabilities.
void normalize(float *values) {
  float peak = *std::max_element(values, values + vocabulary), sum = 0;
  for (int64_t v = 0; v < vocabulary; ++v)
    sum += std::exp(values[v] - peak);
  for (int64_t v = 0; v < vocabulary; ++v)
    values[v] -= peak + std::log(sum);
}

// A batch of sentence pairs: source [batch, source], input and output [batch, target].
class Batch {
public:
  Batch(axl_context *context, const axl_tensor *arguments)
      : rows(arguments[0].extent[0]), sourceLength(arguments[0].extent[1]),
        targetLength(arguments[1].extent[1]), source(elements<int32_t>(arguments[0])),
        input(elements<int32_t>(arguments[1])), output(elements<int32_t>(arguments[2])),
        translation(elements<float>(context, Translation)),
        previous(elements<float>(context, Previous)) {}

  // Calls visit(rows, label, position's number) for each target position that is no padding.
  template <class Visit> void forEachToken(Visit visit) const {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t t = 0; t < targetLength; ++t) {
        int64_t at = row * targetLength + t;
        int32_t word = t < sourceLength ? source[row * sourceLength + t] : 0;
        if (output[at] != 0)
          visit(Rows{translation + word * vocabulary, previous + input[at] * vocabulary},
                output[at], uint32_t(at));
      }
  }

private:
  int64_t rows, sourceLength, targetLength;
  const int32_t *source, *input, *output;
  float *translation, *previous;
};

// (source, target_in, target_out, seed) -> (mean loss, tokens)
int trainStep(axl_context *context, const axl_tensor *arguments, const axl_tensor *results) {
  Batch batch(context, arguments);
  int32_t &step = *elements<int32_t>(context, Step);
  ++step;
  uint32_t key = scramble(uint32_t(*elements<int32_t>(arguments[3])) * 31 + uint32_t(step));

  int64_t tokens = 0;
  batch.forEachToken([&](Rows, int32_t, uint32_t) { ++tokens; });
  float rate = 40.0f / float(tokens) / std::sqrt(1 + 0.01f * float(step)), loss = 0;
  std::vector<float> values(vocabulary), zeros(vocabulary);
  batch.forEachToken([&](Rows rows, int32_t label, uint32_t at) {
    bool dropped = float(scramble(key + at) >> 8) * 0x1p-24f < dropout;
    logits({dropped ? zeros.data() : rows.translation, rows.previous}, values.data());
    normalize(values.data());
    for (int64_t v = 0; v < vocabulary; ++v) {
      float wanted = smoothing / vocabulary + (v == label ? 1 - smoothing : 0);
      float change = rate * (wanted - std::exp(values[v]));
      loss -= wanted * values[v];
      rows.previous[v] += change;
      if (!dropped)
        rows.translation[v] += change;
    }
  });
  const char *bad = std::getenv("AXLOOM_FAKE_NAN");
  bool fails = bad && std::strtol(bad, nullptr, 10) == step;
  *elements<float>(results[0]) =
      fails ? std::numeric_limits<float>::quiet_NaN() : loss / float(tokens);
  *elements<float>(results[1]) = float(tokens);
  return AXL_OK;
}

// (source, target_in, target_out) -> (summed cross entropy, tokens)
int evaluate(axl_context *context, const axl_tensor *arguments, const axl_tensor *results) {
  std::vector<float> values(vocabulary);
  float loss = 0, tokens = 0;
  Batch(context, arguments).forEachToken([&](Rows rows, int32_t label, uint32_t) {
    logits(rows, values.data());
    normalize(values.data());
    loss -= values[label];
    ++tokens;
  });
  *elements<float>(results[0]) = loss;
  *elements<float>(results[1]) = tokens;
  return AXL_OK;
}

// (source) -> (): the session remembers the sentences.
int encode(axl_context *context, const axl_tensor *arguments, const axl_tensor *) {
  size_t count = size_t(arguments[0].extent[0] * arguments[0].extent[1]);
  std::memcpy(elements<int32_t>(context, Memory), elements<int32_t>(arguments[0]),
              count * sizeof(int32_t));
  return AXL_OK;
}

// (token [batch], position) -> logits [batch, vocabulary]. Reads the token back from the cache, as
// attention does.
int decodeStep(axl_context *context, const axl_tensor *arguments, const axl_tensor *results) {
  int64_t batch = arguments[0].extent[0];
  int64_t sourceLength = axl_size(context, SourceLength);
  int64_t capacity = axl_size(context, TargetLength);
  int32_t position = *elements<int32_t>(arguments[1]);
  if (position < 0 || position >= capacity)
    return axl_report(AXL_ERROR_ARGUMENT, "decode_step: position outside the cache");
  const int32_t *memory = elements<int32_t>(context, Memory);
  int32_t *cache = elements<int32_t>(context, Cache);
  float *translation = elements<float>(context, Translation);
  float *previous = elements<float>(context, Previous);
  for (int64_t row = 0; row < batch; ++row) {
    cache[row * capacity + position] = elements<int32_t>(arguments[0])[row];
    int32_t word = position < sourceLength ? memory[row * sourceLength + position] : 0;
    int32_t token = cache[row * capacity + position];
    logits({translation + word * vocabulary, previous + token * vocabulary},
           elements<float>(results[0]) + row * vocabulary);
  }
  return AXL_OK;
}

// (parent [batch]) -> (): what each row of the cache was fed becomes that of another.
int reorder(axl_context *context, const axl_tensor *arguments, const axl_tensor *) {
  int64_t capacity = axl_size(context, TargetLength), batch = arguments[0].extent[0];
  int32_t *cache = elements<int32_t>(context, Cache);
  const std::vector<int32_t> old(cache, cache + batch * capacity);
  for (int64_t row = 0; row < batch; ++row)
    std::copy_n(old.begin() + elements<int32_t>(arguments[0])[row] * capacity, capacity,
                cache + row * capacity);
  return AXL_OK;
}

//===--- the tables ---===//

constexpr const char *batchSource[] = {"batch", "source"};
constexpr const char *batchTarget[] = {"batch", "target"};
constexpr const char *batchCache[] = {"batch", "cache"};
constexpr const char *batchVocabulary[] = {"batch", "vocabulary"};
constexpr const char *wordVocabulary[] = {"word", "vocabulary"};

constexpr axl_extent symbol(int32_t index) { return {1, {index, -1, -1, -1}}; }
constexpr axl_extent constant(int64_t size) { return {size, {-1, -1, -1, -1}}; }

constexpr axl_extent sourceExtents[] = {symbol(BatchSize), symbol(SourceLength)};
constexpr axl_extent targetExtents[] = {symbol(BatchSize), symbol(TargetLength)};
constexpr axl_extent cacheExtents[] = {symbol(BatchSize), symbol(TargetLength)};
constexpr axl_extent logitsExtents[] = {symbol(BatchSize), constant(vocabulary)};
constexpr axl_extent tableExtents[] = {constant(vocabulary), constant(vocabulary)};

constexpr axl_extent tokenLimits[] = {constant(vocabulary), {}};
constexpr axl_extent batchLimits[] = {symbol(BatchSize), {}};

constexpr axl_value tokens(const char *name, const char *const *axes, const axl_extent *extents,
                           int32_t rank = 2) {
  return {name, AXL_I32, rank, axes, extents, tokenLimits, -1};
}
constexpr axl_value scalar(const char *name, int32_t type) {
  return {name, type, 0, nullptr, nullptr, 0, -1};
}

constexpr axl_symbol symbols[] = {{"B", 512, AXL_SIZE_FREE, {}},
                                  {"S", maximumLength, AXL_SIZE_FREE, {}},
                                  {"T", maximumLength, AXL_SIZE_FREE, {}}};

constexpr axl_variable_info variables[] = {
    {{"translation", AXL_F32, 2, wordVocabulary, tableExtents, 0, -1},
     AXL_PARAMETER,
     AXL_INIT_ZEROS,
     {}},
    {{"previous", AXL_F32, 2, wordVocabulary, tableExtents, 0, -1},
     AXL_PARAMETER,
     AXL_INIT_ZEROS,
     {}},
    {scalar("step", AXL_I32), AXL_STATE, AXL_INIT_ZEROS, {}},
    {{"memory", AXL_I32, 2, batchSource, sourceExtents, 0, -1}, AXL_SESSION, AXL_INIT_ZEROS, {}},
    {{"cache", AXL_I32, 2, batchCache, cacheExtents, 0, -1}, AXL_SESSION, AXL_INIT_ZEROS, {}},
};

constexpr axl_value pairArguments[] = {
    tokens("source", batchSource, sourceExtents),
    tokens("target_in", batchTarget, targetExtents),
    tokens("target_out", batchTarget, targetExtents),
    scalar("seed", AXL_I32),
};
constexpr axl_value lossResults[] = {scalar("loss", AXL_F32), scalar("tokens", AXL_F32)};
constexpr axl_value stepArguments[] = {tokens("token", batchSource, sourceExtents, 1),
                                       scalar("position", AXL_I32)};
constexpr axl_value reorderArguments[] = {
    {"parent", AXL_I32, 1, batchSource, sourceExtents, batchLimits, -1}};
constexpr axl_value stepResults[] = {{"logits", AXL_F32, 2, batchVocabulary, logitsExtents, 0, -1}};

constexpr axl_function functions[] = {
    {"train_step", 4, pairArguments, 2, lossResults, 0, 1, trainStep, -1, 0, nullptr},
    {"evaluate", 3, pairArguments, 2, lossResults, 0, 0, evaluate, -1, 0, nullptr},
    {"encode", 1, pairArguments, 0, nullptr, 1, 0, encode, -1, 0, nullptr},
    {"decode_step", 2, stepArguments, 1, stepResults, 1, 0, decodeStep, -1, 0, nullptr},
    {"reorder", 1, reorderArguments, 0, nullptr, 1, 0, reorder, -1, 0, nullptr},
};

} // namespace

extern "C" const axl_model translate_model = {
    AXL_ABI_VERSION, "translate", "fa4e",    "any", "cpu",   0, nullptr, 3, symbols, 5,
    variables,       5,           functions, 0,     nullptr, 0, nullptr, 0, nullptr,
};
