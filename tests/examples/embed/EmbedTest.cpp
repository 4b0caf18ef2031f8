// Published weights, from their file to sentence embeddings: against reference.json, which
// reference.py computed in double precision.
#include "embed.h"

#include "examples/embed/app/Embedder.h"
#include "examples/embed/app/Nearest.h"
#include "runtime/checkpoint/Import.h"
#include "runtime/checkpoint/Safetensors.h"
#include "tests/examples/AttentionRows.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace axloom::runtime;
using namespace axloom::test;
using example::Embedder;
using testing::HasSubstr;

namespace {

std::string source(const std::string &path) {
  return std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/" + path;
}
std::string weights() { return std::getenv("AXLOOM_TEST_WEIGHTS"); }
std::string names() { return source("examples/embed/minilm.names"); }

struct Reference {
  std::vector<std::string> texts;
  std::vector<std::vector<float>> embeddings;
};

Reference reference() {
  std::ifstream file(source("tests/examples/embed/reference.json"));
  Reference found;
  for (const auto &entry : nlohmann::json::parse(file)) {
    found.texts.push_back(entry["text"]);
    found.embeddings.push_back(entry["embedding"]);
  }
  return found;
}

struct Finished {
  int status;
  std::string output, errors;
};

// The program with the fetched weights.
Finished run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"embed", "--weights", weights(), "--names", names()});
  std::vector<char *> command;
  for (std::string &argument : arguments)
    command.push_back(argument.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  int status = example::runNearest(embed_model, int(command.size()), command.data());
  std::string output = testing::internal::GetCapturedStdout();
  return {status, output, testing::internal::GetCapturedStderr()};
}

// More tokens than the model has positions.
std::string longText() {
  std::string text;
  for (int i = 0; i < 600; ++i)
    text += "word ";
  return text;
}

class EmbedTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    embedder = std::make_unique<Embedder>(embed_model, weights(), names());
  }
  static void TearDownTestSuite() { embedder.reset(); }

  static std::unique_ptr<Embedder> embedder;
  int64_t cut = 0;
};

std::unique_ptr<Embedder> EmbedTest::embedder;

// All in one batch, in which the short ones are padded.
TEST_F(EmbedTest, AreThoseOfTheReference) {
  Reference expected = reference();
  auto found = embedder->embed(expected.texts, cut);
  ASSERT_EQ(found.size(), expected.embeddings.size());
  for (size_t text = 0; text < found.size(); ++text)
    for (size_t i = 0; i < found[text].size(); ++i)
      ASSERT_NEAR(found[text][i], expected.embeddings[text][i], 1e-5) << expected.texts[text];
  EXPECT_EQ(cut, 0);
}

TEST_F(EmbedTest, ATextAloneHasTheSameBits) {
  Reference expected = reference();
  auto together = embedder->embed(expected.texts, cut);
  for (size_t text = 0; text < expected.texts.size(); ++text)
    EXPECT_EQ(embedder->embed(std::span(&expected.texts[text], 1), cut)[0], together[text]);
}

TEST_F(EmbedTest, LongTextsAreCutAndCounted) {
  std::vector<std::string> texts = {longText(), "short", ""};
  auto found = embedder->embed(texts, cut);
  EXPECT_EQ(cut, 1);
  EXPECT_EQ(found[2].size(), 384u);
}

TEST_F(EmbedTest, ExportIsLossless) {
  TemporaryFolder folder;
  std::string path = folder.path("again.safetensors");
  exportParameters(embedder->model, path, NameTable::load(names()));
  SafetensorsFile original(weights() + "/model.safetensors", Checksums::Optional), again(path);
  EXPECT_EQ(again.entries().size(), 101u);
  for (const auto &entry : again.entries()) {
    const SafetensorsFile::Entry *before = original.find(entry.name);
    ASSERT_TRUE(before) << entry.name;
    EXPECT_EQ(before->extents, entry.extents) << entry.name;
    Tensor a = original.read(*before), b = again.read(entry);
    ASSERT_EQ(a.bytes(), b.bytes()) << entry.name;
    EXPECT_EQ(std::memcmp(a.data(), b.data(), size_t(a.bytes())), 0) << entry.name;
  }
}

// Two texts, the second padded.
TEST_F(EmbedTest, AttentionWeightsSumToOneOverRealTokens) {
  Tensor tokens = Tensor::of<int32_t>({2, 6});
  const int32_t ids[] = {101, 1037, 2158, 2003, 5983, 102, 101, 1037, 2158, 102, 0, 0};
  std::ranges::copy(ids, tokens.view<int32_t>().data());
  auto results = embedder->model.run("attention", {{"tokens", tokens}});
  ASSERT_EQ(results.size(), 6u);
  for (const NamedTensor &layer : results) {
    EXPECT_THAT(layer.tensor.extents(), testing::ElementsAre(2, 12, 6, 6)) << layer.name;
    example::expectRows(layer, [](int64_t text, int64_t) { return text == 0 ? 6 : 4; });
  }
}

TEST_F(EmbedTest, DrawsWhatItLooksAt) {
  TemporaryFolder folder;
  auto draw = [&](const std::string &path) {
    return run({"--attention", path, "Embeddings, drawn."});
  };
  EXPECT_EQ(draw(folder.path("a.svg")).status, 0);
  std::string svg = readFile(folder.path("a.svg"));
  for (const char *part : {">[CLS]<", ">em<", ">##bed<", ">layer 6, head 12<"})
    EXPECT_THAT(svg, HasSubstr(part));
  Finished failed = draw(folder.path("missing/a.png"));
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.errors, HasSubstr(folder.path("missing/a.png")));
}

TEST_F(EmbedTest, PrintsTheNearestLinesFirst) {
  TemporaryFolder folder;
  std::string file = folder.write("lines", "The stock market fell sharply today.\n\n"
                                           "A man is eating a piece of bread.\n"
                                           "A man is eating food.\n");
  Finished all = run({"--file", file, "A man is eating food."});
  ASSERT_EQ(all.status, 0) << all.errors;
  EXPECT_EQ(all.errors, "");
  EXPECT_THAT(all.output, testing::MatchesRegex("[01]\\.[0-9]+  A man is eating food\\.\n"
                                                "0\\.[0-9]+  A man is eating a piece of bread\\.\n"
                                                "-?0\\.[0-9]+  The stock market fell sharply "
                                                "today\\.\n"));
  std::string windows = folder.write("windows", "The stock market fell sharply today.\r\n\r\n"
                                                "A man is eating a piece of bread.\r\n"
                                                "A man is eating food.\r\n");
  EXPECT_EQ(run({"--file", windows, "A man is eating food."}).output, all.output);
  Finished two = run({"--file", file, "--top", "2", "[stocks and markets]"});
  ASSERT_EQ(two.status, 0) << two.errors;
  EXPECT_EQ(std::ranges::count(two.output, '\n'), 2);
  EXPECT_LT(two.output.find("The stock market"), two.output.find('\n'));
}

TEST_F(EmbedTest, PrintsTheVectorOfTheSentence) {
  std::string sentence = "[x y]";
  Finished found = run({"--vector", "--threads", "1", sentence});
  axl_set_threads(0);
  ASSERT_EQ(found.status, 0) << found.errors;
  std::vector<float> expected = embedder->embed(std::span(&sentence, 1), cut)[0];
  std::istringstream numbers(found.output);
  std::vector<float> printed{std::istream_iterator<float>(numbers), {}};
  EXPECT_THAT(printed, testing::Pointwise(testing::FloatNear(1e-6F), expected));
}

TEST_F(EmbedTest, SaysWhatItCuts) {
  TemporaryFolder folder;
  std::string message = "embed: the sentence has more than 512 tokens and was cut\n";
  EXPECT_EQ(run({"--vector", longText()}).errors, message);
  std::string file = folder.write("lines", "short\n" + longText() + "\n");
  EXPECT_EQ(run({"--file", file, longText()}).errors,
            "embed: 1 lines have more than 512 tokens and were cut\n" + message);
}

TEST_F(EmbedTest, RefusesFilesThatItCannotRead) {
  TemporaryFolder folder;
  for (const std::string &path : {folder.path("missing"), folder.root().string()}) {
    Finished failed = run({"--file", path, "sentence"});
    EXPECT_EQ(failed.status, 1);
    EXPECT_THAT(failed.errors, HasSubstr("cannot read '" + path + "'"));
  }
}

TEST_F(EmbedTest, SaysWhatIsMissing) {
  TemporaryFolder folder;
  expectError(AXL_ERROR_FILE, HasSubstr(folder.path("vocab.txt")),
              [&] { Embedder(embed_model, folder.root().string(), names()); });
  folder.write("vocab.txt", "the\n[PAD]\n[UNK]\n[CLS]\n[SEP]\n");
  expectError(AXL_ERROR_DATA, HasSubstr("has [PAD] as unit 1"),
              [&] { Embedder(embed_model, folder.root().string(), names()); });
}

} // namespace
