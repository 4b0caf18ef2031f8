// Attention of one query against the interpreter; keys behind a decoder's position are not read.

#include "tests/codegen/support/KernelCases.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace axloom;
using namespace axloom::test;
using ir::reference::Array;
using ir::reference::Sizes;

namespace {
/// q: [b, h, d], k: [b, h, key, d], v: [b, h, key, e]; `more` inputs follow, of which `lines` make
/// the mask %m, of type `mask`. No lines: there is none.
KernelCase attention(const std::string &name, int depth, int values, std::vector<std::string> more,
                     const std::string &lines, const std::string &mask) {
  const std::string d = "d: " + std::to_string(depth), e = "e: " + std::to_string(values);
  const std::string q = "b: B, " + d + ", h: 3, f32", k = "b: B, " + d + ", h: 3, key: T, f32",
                    v = "b: B, " + e + ", h: 3, key: T, f32", y = "b: B, " + e + ", h: 3, f32",
                    rows = "b: B, h: 3, f32";
  std::vector<std::string> inputs = {q, k, v};
  std::string layouts = "input_layouts = [#axloom.layout<[b, h, d]>, #axloom.layout<[b, h, key, "
                        "d]>, #axloom.layout<[b, h, key, e]>";
  for (const std::string &input : more) {
    inputs.push_back(input);
    std::string axes;
    for (const char *axis : {"b", "key"})
      if (input.find(std::string(axis) + ":") != std::string::npos)
        axes += (axes.empty() ? "" : ", ") + std::string(axis);
    layouts += ", #axloom.layout<[" + axes + "]>";
  }
  std::string masked = lines.empty() ? "" : " mask %m",
              maskType = lines.empty() ? "" : " mask T<" + mask + ">";
  KernelCase entry =
      kernelCase(name, inputs,
                 lines + "%y, %l = axloom.attention %x0, %x1, %x2" + masked +
                     " depth \"d\" key \"key\" scale 0.25 : T<" + q + ">, T<" + k + ">, T<" + v +
                     ">" + maskType + " -> T<" + y + ">, T<" + rows + ">",
                 {y}, {"B", "T"}, layouts + "], result_layouts = [#axloom.layout<[b, h, e]>]");
  entry.limit = 80; // positions, some of them beyond the last key
  return entry;
}

const std::string ofBatch = "b: B, i32", seen = "b: B, key: T, i1";

std::string shown(const std::string &compared) {
  return "%i = axloom.iota \"key\" size <T> : T<key: T, i32>\n    %m = axloom.compare " + compared +
         " : ";
}

const std::string upToPosition =
    shown("\"le\" %i, %x3") + "T<key: T, i32>, T<" + ofBatch + "> -> T<" + seen + ">\n    ";

const std::vector<KernelCase> &cases() {
  static const std::vector<KernelCase> all = [] {
    std::vector<KernelCase> made = {
        attention("plain", 64, 64, {}, "", ""),
        attention("odd_depths", 5, 3, {}, "", ""),
        attention("padding", 64, 32, {seen},
                  "%m = axloom.not %x3 : T<" + seen + "> -> T<" + seen + ">\n    ", seen),
        attention("up_to_position", 64, 64, {ofBatch}, upToPosition, seen),
        attention("before_a_number", 32, 48, {"i32"},
                  shown("\"gt\" %x3, %i") + "T<i32>, T<key: T, i32> -> T<key: T, i1>\n    ",
                  "key: T, i1"),
        attention("not_behind_position", 64, 64, {ofBatch},
                  replaced(replaced(upToPosition, "\"le\"", "\"gt\""), "%m", "%p") +
                      "%m = axloom.not %p : T<" + seen + "> -> T<" + seen + ">\n    ",
                  seen),
        attention("up_to_position_without_padding", 64, 64, {ofBatch, seen},
                  replaced(upToPosition, "%m", "%p") + "%m = axloom.and %p, %x4 : T<" + seen +
                      ">, T<" + seen + "> -> T<" + seen + ">\n    ",
                  seen)};
    made.push_back(withRoundedFactors(made[3], /*tolerance=*/3e-2));
    return made;
  }();
  return all;
}

KernelCheck &checks() {
  static KernelCheck all(cases());
  return all;
}

class SingleQuery : public testing::TestWithParam<size_t> {};

TEST_P(SingleQuery, MatchesTheInterpreter) {
  EXPECT_EQ(checks().runner(GetParam()).description().family, "single_query");
  checks().check(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SingleQuery, testing::Range<size_t>(0, cases().size()),
                         [](const auto &info) { return cases()[info.param].name; });

/// Results of "up_to_position" for keys and values of which those from `position` on are `hidden`.
Array attend(int64_t room, int32_t position, double hidden) {
  constexpr size_t index = 3;
  Sizes large{{{"B", 1}, {"T", 40}}, {}}, sizes{{{"B", 1}, {"T", room}}, {}};
  std::vector<Array> inputs = checks().randomInputs(index, large),
                     few = checks().randomInputs(index, sizes);
  few[0] = inputs[0];
  few[3].values = {double(position)};
  for (int operand : {1, 2}) // [depth, heads, keys], in the order of names
    for (int row = 0; row < 64 * 3; ++row)
      for (int key = 0; key < room; ++key)
        few[operand].values[row * room + key] =
            key <= position ? inputs[operand].values[row * 40 + key] : hidden;
  return checks().runner(index).run(few, sizes).front();
}
} // namespace

TEST(SingleQueryOfADecoder, DoesNotReadTheKeysBehindItsPosition) {
  double nothing = std::numeric_limits<double>::quiet_NaN();
  for (double value : attend(37, 20, nothing).values)
    ASSERT_TRUE(std::isfinite(value));
}

TEST(SingleQueryOfADecoder, HasTheSameBitsInAnyRoom) {
  Array expected = attend(40, 18, 0.5);
  for (int64_t room : {19, 20, 33})
    EXPECT_EQ(attend(room, 18, -1).values, expected.values) << room;
}

TEST(SingleQueryOfADecoder, SeesAllKeysOrNoneWhereItsPositionIsBeyondThem) {
  using Limits = std::numeric_limits<int32_t>;
  for (int32_t position : {17, 1000, Limits::max()})
    EXPECT_EQ(attend(17, position, 0).values, attend(17, 16, 0).values) << position;
  for (int32_t position : {-1, -2, Limits::min()})
    for (double value : attend(17, position, 0.5).values)
      ASSERT_EQ(value, 0) << position;
}
