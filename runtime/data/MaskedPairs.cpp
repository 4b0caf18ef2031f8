#include "runtime/data/MaskedPairs.h"

#include "runtime/Random.h"
#include "runtime/core/Error.h"

#include <algorithm>

using namespace axloom::runtime;
namespace counters = axloom::random; // ::random is the C library's

namespace {

enum Site : uint32_t { PassageSite = 1, BatchSite = 2, PairSite = 3 };

constexpr int64_t specials = 3; // of a pair: [CLS] and two [SEP]

// The random numbers of one pair, one after the other.
class Draws {
public:
  Draws(uint32_t seed, int64_t epoch, int32_t passage)
      : key(counters::Key::of(seed, uint32_t(epoch), PairSite)),
        counter(key.start + uint32_t(passage) * counters::coordinateFactors[0]) {}

  // Uniform in [0, count).
  int64_t below(int64_t count) {
    counter += counters::coordinateFactors[1];
    return int64_t(uint64_t(counters::bits(key, counter)) * uint64_t(count) >> 32);
  }

private:
  counters::Key key;
  uint32_t counter;
};

using Ids = std::vector<int32_t>;

struct Pair {
  Ids tokens;          // as the model sees them
  int64_t first;       // tokens of the first segment, [CLS] and [SEP] included
  bool unrelated;      // the second segment is from another document
  Ids targets, labels; // positions in `tokens`, and what was there
};

// Draws a pair: segments, then targets.
class PairMaker {
public:
  PairMaker(const std::vector<TokenDocument> &documents, std::span<const int32_t> usable,
            const MaskedPairOptions &options, Draws draws)
      : documents(documents), usable(usable), options(options), draws(draws) {}

  Pair make(const Passage &passage) {
    int64_t cut = passage.begin + 1 + draws.below(passage.end - passage.begin - 1);
    Ids first = join(passage.document, passage.begin, cut);
    Ids second = join(passage.document, cut, passage.end);
    Pair pair;
    pair.unrelated = draws.below(2) == 1;
    if (pair.unrelated)
      second = elsewhere(passage.document, int64_t(second.size()));
    shorten(first, second);
    pair.tokens.push_back(Vocabulary::begin);
    append(pair.tokens, first);
    pair.tokens.push_back(Vocabulary::end);
    pair.first = int64_t(pair.tokens.size());
    append(pair.tokens, second);
    pair.tokens.push_back(Vocabulary::end);
    hide(pair);
    return pair;
  }

private:
  static void append(Ids &to, const Ids &ids) { to.insert(to.end(), ids.begin(), ids.end()); }

  Ids join(int32_t document, int64_t begin, int64_t end) const {
    Ids ids;
    for (int64_t i = begin; i < end; ++i)
      append(ids, documents[size_t(document)][size_t(i)]);
    return ids;
  }

  // Sentences of another document, about as many tokens as the segment that they replace: the
  // length should not tell what follows.
  Ids elsewhere(int32_t document, int64_t length) {
    auto own = std::ranges::lower_bound(usable, document) - usable.begin();
    auto count = int64_t(usable.size());
    int32_t other = usable[size_t((own + 1 + draws.below(count - 1)) % count)];
    const TokenDocument &sentences = documents[size_t(other)];
    auto next = size_t(draws.below(int64_t(sentences.size())));
    Ids ids = sentences[next++];
    while (next < sentences.size() && int64_t(ids.size() + sentences[next].size() / 2) <= length)
      append(ids, sentences[next++]);
    return ids;
  }

  // Takes tokens from the longer segment, from its beginning or its end, until both fit.
  void shorten(Ids &first, Ids &second) {
    auto room = size_t(options.length - specials);
    std::span<const int32_t> a = first, b = second;
    while (a.size() + b.size() > room) {
      std::span<const int32_t> &longer = a.size() > b.size() ? a : b;
      longer = draws.below(2) ? longer.subspan(1) : longer.first(longer.size() - 1);
    }
    first = Ids(a.begin(), a.end());
    second = Ids(b.begin(), b.end());
  }

  // Chooses the targets and hides them.
  void hide(Pair &pair) {
    Ids places;
    for (int64_t i = 1; i < int64_t(pair.tokens.size()) - 1; ++i)
      if (i != pair.first - 1)
        places.push_back(int32_t(i));
    auto count = int64_t(places.size());
    auto chosen = std::max<int64_t>(1, (count * 15 + 50) / 100);
    for (int64_t i = 0; i < chosen; ++i)
      std::swap(places[size_t(i)], places[size_t(i + draws.below(count - i))]);
    places.resize(size_t(chosen));
    std::ranges::sort(places);
    for (int32_t place : places) {
      int32_t &token = pair.tokens[size_t(place)];
      pair.targets.push_back(place);
      pair.labels.push_back(token);
      int64_t fate = draws.below(10);
      if (fate < 8)
        token = options.mask;
      else if (fate == 8)
        token = int32_t(options.firstUnit + draws.below(options.units - options.firstUnit));
    }
  }

  const std::vector<TokenDocument> &documents;
  std::span<const int32_t> usable;
  const MaskedPairOptions &options;
  Draws draws;
};

void checkUnits(const MaskedPairOptions &options) {
  if (options.mask < 0 || options.mask >= options.units || options.firstUnit < 0 ||
      options.firstUnit >= options.units)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("the mask is unit ", options.mask, " and unit ", options.firstUnit,
                       " the first that may stand in for a token; both must be units of the "
                       "vocabulary, 0 to ",
                       options.units - 1));
}

void checkSentences(const std::vector<TokenDocument> &documents, int32_t units) {
  for (const TokenDocument &document : documents)
    for (const Ids &sentence : document) {
      if (sentence.empty())
        throw Error(AXL_ERROR_DATA, concat("document ", &document - documents.data(),
                                           " has a sentence without tokens: leave it out"));
      for (int32_t id : sentence)
        if (id < 0 || id >= units)
          throw Error(AXL_ERROR_DATA,
                      concat("a document has token ", id, ", but the vocabulary has ", units,
                             " units; was it made with another vocabulary?"));
    }
}

} // namespace

std::vector<TokenDocument> axloom::runtime::tokenize(std::span<const Document> documents,
                                                     const Vocabulary &vocabulary) {
  std::vector<TokenDocument> found;
  for (const Document &document : documents) {
    TokenDocument &sentences = found.emplace_back();
    for (const std::string &sentence : document)
      if (Ids ids = vocabulary.encode(sentence); !ids.empty())
        sentences.push_back(std::move(ids));
  }
  return found;
}

MaskedPairs::MaskedPairs(const std::vector<TokenDocument> &documents,
                         const MaskedPairOptions &options)
    : documents(documents), options(options) {
  positive("MaskedPairOptions::pairs", options.pairs);
  if (options.length < specials + 2)
    throw Error(AXL_ERROR_ARGUMENT, concat("a pair has at least ", specials + 2,
                                           " tokens, but the length is ", options.length));
  checkUnits(options);
  checkSentences(documents, options.units);
  for (int32_t i = 0; i < int32_t(documents.size()); ++i)
    addPassages(i);
  if (usable.size() < 2)
    throw Error(AXL_ERROR_DATA,
                concat("pairs of segments need at least two documents of two sentences, but there ",
                       usable.size() == 1 ? "is " : "are ", usable.size(),
                       "; a sentence a line, and a blank line between documents"));
}

// A passage is as many sentences as a pair has room for, at least two, and what would be left over
// alone.
void MaskedPairs::addPassages(int32_t document) {
  const TokenDocument &sentences = documents[size_t(document)];
  int64_t room = options.length - specials;
  tooLong +=
      std::ranges::count_if(sentences, [&](const Ids &s) { return int64_t(s.size()) > room; });
  auto count = int32_t(sentences.size());
  if (count < 2) {
    ++tooShort;
    return;
  }
  usable.push_back(document);
  for (int32_t begin = 0, end = 0; begin < count; begin = end) {
    int64_t tokens = 0;
    while (end < count && (end - begin < 2 || count - end == 1 ||
                           tokens + int64_t(sentences[size_t(end)].size()) <= room))
      tokens += int64_t(sentences[size_t(end++)].size());
    passages.push_back({document, begin, end, tokens});
  }
}

int64_t MaskedPairs::batchesInEpoch() const {
  return (pairs() + options.pairs - 1) / options.pairs;
}

// Passages of one length are together, shuffled; the batches are shuffled, too.
void MaskedPairs::plan(int64_t next) {
  epoch = options.shuffle ? next : 0;
  size_t count = passages.size(), batchCount = size_t(batchesInEpoch());
  order = options.shuffle ? shuffled(count, options.seed, epoch, PassageSite) : inOrder(count);
  std::ranges::stable_sort(order, {}, [&](int32_t i) { return passages[size_t(i)].tokens; });
  batches =
      options.shuffle ? shuffled(batchCount, options.seed, epoch, BatchSite) : inOrder(batchCount);
}

void MaskedPairs::fill(Batch &batch, int64_t index) const {
  int64_t begin = batches[size_t(index)] * options.pairs;
  std::vector<Pair> drawn;
  int64_t longest = 0, targets = 0;
  for (int64_t i = begin; i < std::min(begin + options.pairs, pairs()); ++i) {
    int32_t passage = order[size_t(i)];
    PairMaker maker(documents, usable, options, Draws(options.seed, epoch, passage));
    drawn.push_back(maker.make(passages[size_t(passage)]));
    longest = std::max(longest, int64_t(drawn.back().tokens.size()));
    targets += int64_t(drawn.back().targets.size());
  }
  static_assert(Vocabulary::padding == 0, "tensors begin as zeros");
  auto count = int64_t(drawn.size());
  int32_t *tokens = batch.zeros<int32_t>("tokens", {count, longest}).data();
  int32_t *segments = batch.zeros<int32_t>("segments", {count, longest}).data();
  int32_t *relation = batch.zeros<int32_t>("relation", {count}).data();
  int32_t *places = batch.zeros<int32_t>("targets", {targets}).data();
  int32_t *labels = batch.zeros<int32_t>("labels", {targets}).data();
  batch.sentences = count;
  batch.tokens = targets;
  for (int64_t row = 0; row < count; ++row) {
    const Pair &pair = drawn[size_t(row)];
    auto length = int64_t(pair.tokens.size());
    std::ranges::copy(pair.tokens, tokens + row * longest);
    std::fill_n(segments + row * longest + pair.first, length - pair.first, 1);
    relation[row] = pair.unrelated;
    for (int32_t place : pair.targets)
      *places++ = int32_t(row * longest + place);
    labels = std::ranges::copy(pair.labels, labels).out;
  }
}
