// Beam search with the compiled model: a row that goes on in the place of another gives the bits
// that it gives where the same tokens were decoded there from the start.
#include "runtime/data/Vocabulary.h"
#include "runtime/decode/Beam.h"
#include "runtime/decode/Greedy.h"
#include "tests/system/support/Transformer.h"

#include <gmock/gmock.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

using Sentences = std::vector<std::vector<int32_t>>;

constexpr int32_t rows = 5, position = 4;
constexpr int32_t parents[rows] = {1, 0, 4, 4, 2};

/// Two sentences, of two and three rows.
Session encoded(Model &model) {
  std::vector<int32_t> one = randomSentence(5, 1), other = randomSentence(9, 2);
  Tensor source = tokens({one, one, other, other, other});
  Session session(model, {{"B", rows}, {"S", source.extent(1)}, {"T", smallLength}});
  session.call("encode", {{"source", source}}, {});
  return session;
}

/// The logits that follow upon one more token of each row.
Tensor step(Session &session, const std::vector<int32_t> &heard, int32_t place) {
  Tensor token = Tensor::of<int32_t>({rows}), logits(AXL_F32, {rows, smallVocabulary});
  std::ranges::copy(heard, token.view<int32_t>().begin());
  session.call("decode_step", {{"token", token}, {"position", View<int32_t>(place)}},
               {{"logits", logits}});
  return logits;
}

void reorder(Session &session, std::span<const int32_t> from) {
  Tensor parent = Tensor::of<int32_t>({rows});
  std::ranges::copy(from, parent.view<int32_t>().begin());
  session.call("reorder", {{"parent", parent}}, {});
}

/// What each row has heard at each position before the rows change places.
Sentences said() {
  Sentences heard{std::vector<int32_t>(rows, Vocabulary::begin)};
  for (int32_t place = 1; place < position; ++place)
    heard.push_back(randomSentence(rows, 100 + uint32_t(place)));
  return heard;
}

std::span<const float> valuesOf(const Tensor &tensor) {
  return {tensor.view<float>().data(), size_t(tensor.size())};
}

} // namespace

TEST(Reorder, RowsGoOnAsIfTheyHadSaidItThemselves) {
  Model model(compiledTransformer());
  Session moved = encoded(model), fresh = encoded(model);
  Sentences heard = said();
  for (int32_t place = 0; place < position; ++place)
    step(moved, heard[size_t(place)], place);
  reorder(moved, parents);
  for (int32_t place = 0; place < position; ++place) {
    std::vector<int32_t> own;
    for (int32_t parent : parents)
      own.push_back(heard[size_t(place)][size_t(parent)]);
    step(fresh, own, place);
  }
  for (int32_t place = position; place < position + 3; ++place) {
    std::vector<int32_t> next = randomSentence(rows, 200 + uint32_t(place));
    EXPECT_TRUE(sameBits(valuesOf(step(moved, next, place)), valuesOf(step(fresh, next, place))))
        << "position " << place;
  }
}

TEST(Reorder, WithItselfChangesNothing) {
  Model model(compiledTransformer());
  Session session = encoded(model), other = encoded(model);
  for (Session *one : {&session, &other})
    step(*one, said()[0], 0);
  reorder(session, std::vector<int32_t>{0, 1, 2, 3, 4});
  EXPECT_TRUE(sameBits(valuesOf(step(session, said()[1], 1)), valuesOf(step(other, said()[1], 1))));
}

TEST(Reorder, ParentsOutsideTheBatchAreErrors) {
  Model model(compiledTransformer());
  Session session = encoded(model);
  try {
    reorder(session, std::vector<int32_t>{0, 1, 2, 3, 5});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error &error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("argument 'parent' has 5 as element 4; values "
                                                 "must be at least 0 and below "));
  }
}

TEST(Reorder, BeamsOfTheCompiledModelDependOnTheirSourceAlone) {
  Model model(compiledTransformer()); // of at most 17 rows
  Sentences asked;
  for (uint32_t i = 0; i < 9; ++i)
    asked.push_back(randomSentence(1 + 2 * i, i));
  BeamOptions options;
  options.maximumLength = smallLength;
  options.beyondSource = 4; // so that sessions of other sizes are compared
  Beam beam(model, options);
  Sentences together = beam.decode(asked);
  for (size_t i = 0; i < asked.size(); ++i)
    EXPECT_EQ(beam.decode(std::span(&asked[i], 1))[0], together[i]) << "sentence " << i;
  options.beams = 1;
  options.beyondSource = smallLength;
  GreedyOptions greedy;
  greedy.maximumLength = smallLength;
  EXPECT_EQ(Beam(model, options).decode(asked), Greedy(model, greedy).decode(asked));
}
