// What users get wrong, and what they read then: one test for each, around the fake model.
#include "examples/translate/app/Shape.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/core/Error.h"
#include "runtime/data/Vocabulary.h"
#include "tests/examples/Process.h"
#include "tests/examples/translate/ToyCorpus.h"
#include "translate.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace example;
using axloom::test::readFile;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class BadInputTest : public testing::Test {
protected:
  Finished train(const std::vector<std::string> &options = {},
                 const Process::Options &process = {}) const {
    std::vector<std::string> command = {TRAINER,   "--data",  toy.data, "--checkpoint",
                                        toy.model, "--steps", "5"};
    command.insert(command.end(), options.begin(), options.end());
    return runProgram(command, process);
  }

  // Trains a few steps, so that there is a run to damage.
  void trainFirst() const { ASSERT_EQ(train().status, 0); }

  std::string checkpoint() const { return toy.model + "/checkpoint.safetensors"; }

  ToyFolder toy;
};

void expectError(const Finished &finished, const testing::Matcher<std::string> &message) {
  EXPECT_EQ(finished.status, 1) << finished.output;
  EXPECT_THAT(finished.errors, message);
}

TEST_F(BadInputTest, NumbersThatAreNone) {
  Finished minutes = train({"--minutes", "nan"});
  EXPECT_NE(minutes.status, 0);
  EXPECT_THAT(minutes.errors, HasSubstr("--minutes: 'nan' is not a number from 0 to 525600"));
  EXPECT_THAT(train({"--validation-minutes", "inf"}).errors,
              HasSubstr("--validation-minutes: 'inf' is not a number above 0"));
  EXPECT_THAT(train({"--threads", "-1"}).errors,
              HasSubstr("--threads: '-1' is not a number from 0 to 256"));
  EXPECT_THAT(train({"--steps", "0"}).errors, HasSubstr("--steps: '0' is not a number above 0"));
  EXPECT_THAT(train({"--steps", "3000000000"}).errors,
              HasSubstr("'3000000000' is not a number above 0 and up to 2147483647"));
  EXPECT_THAT(train({"--steps", "0100"}).errors,
              HasSubstr("--steps: '0100' begins with a 0: leave it out"));
  EXPECT_THAT(train({"--steps", "+0100"}).errors, HasSubstr("'+0100' begins with a 0"));
  EXPECT_THAT(train({"--steps", "+"}).errors, HasSubstr("--steps: '+' is not a number above 0"));
  EXPECT_THAT(train({"--history-steps", "99999999999999999999"}).errors,
              HasSubstr("'99999999999999999999' is not a number above 0 and up to 1e15"));
}

TEST_F(BadInputTest, PathsWithoutAName) {
  for (const char *option : {"--data", "--checkpoint"}) {
    Finished refused = train({option, ""});
    EXPECT_NE(refused.status, 0);
    EXPECT_THAT(refused.errors, HasSubstr(std::string(option) + ": the name is empty"));
  }
  Finished picture = runProgram({TRANSLATE, "--checkpoint", toy.model, "--attention", "", "a dog"});
  EXPECT_NE(picture.status, 0);
  EXPECT_THAT(picture.errors, HasSubstr("--attention: the name is empty"));
}

TEST_F(BadInputTest, HelpThatCannotBeWritten) {
  expectError(runProgram({"/bin/sh", "-c", "\"$0\" --help > /dev/full", TRAINER}),
              HasSubstr("error: standard output cannot be written: No space left"));
}

TEST_F(BadInputTest, OutputThatCannotBeWritten) {
  Finished full = runProgram({"/bin/sh", "-c", "\"$@\" > /dev/full", "sh", TRAINER, "--data",
                              toy.data, "--checkpoint", toy.model, "--steps", "5"});
  expectError(full, HasSubstr("trainer: error: standard output cannot be written: No space left"));
  EXPECT_TRUE(std::filesystem::exists(checkpoint())); // nothing is lost for that
}

TEST_F(BadInputTest, ClosedStandardStreams) {
  auto trainWithout = [&](const std::string &streams, const std::string &options) {
    return runProgram({"/bin/sh", "-c", "\"$@\" --history-steps 1 " + options + streams, "sh",
                       TRAINER, "--data", toy.data, "--checkpoint", toy.model});
  };
  ASSERT_EQ(trainWithout(" <&- 2>&-", "--steps 5").status, 0);
  std::string history = readFile(toy.model + "/history.jsonl");
  for (std::istringstream lines(history); std::getline(lines, history);)
    EXPECT_THAT(history, AllOf(StartsWith("{"), testing::EndsWith("}")));
  ASSERT_EQ(trainWithout(" 2>&-", "--steps 10 --resume").status, 0);
  expectError(trainWithout(" >&-", "--steps 15 --resume"),
              HasSubstr("standard output cannot be written: Bad file descriptor"));
  Finished resumed = train({"--steps", "20", "--resume"});
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_THAT(resumed.output, HasSubstr("going on after step 15"));
}

TEST_F(BadInputTest, NoCorpus) {
  std::filesystem::remove(toy.data + "/valid.tsv");
  expectError(train(), AllOf(StartsWith("trainer: error: "), HasSubstr(toy.data + "/valid.tsv")));
}

TEST_F(BadInputTest, UnreadableCorpus) {
  std::filesystem::permissions(toy.data + "/train.tsv", std::filesystem::perms::none);
  expectError(train({}, {.input = "", .environment = {}, .unprivileged = true}),
              AllOf(HasSubstr(toy.data + "/train.tsv"), HasSubstr("Permission denied")));
}

TEST_F(BadInputTest, EmptyCorpus) {
  toy.write("train", "");
  expectError(train(), AllOf(HasSubstr(toy.data + "/train.tsv"), HasSubstr("empty")));
}

TEST_F(BadInputTest, OneColumn) {
  toy.write("train", "a\tb\nonly one column\n");
  expectError(train(), HasSubstr("train.tsv:2: expected 'source<TAB>target', found one column"));
}

TEST_F(BadInputTest, NotUtf8) {
  toy.write("test", "a\tb\nfine\tsch\xf6n\n");
  expectError(train(), AllOf(HasSubstr(toy.data + "/test.tsv"), HasSubstr("UTF-8")));
}

TEST_F(BadInputTest, OnlyLongPairs) {
  std::string line;
  for (int i = 0; i < 40; ++i)
    line += "dog ";
  toy.write("valid", line + "\tHund\n");
  expectError(train(),
              HasSubstr("valid: every pair has more than 24 tokens on a side, the model's limit"));
}

TEST_F(BadInputTest, CorpusTooSmallForTheVocabulary) {
  toy.write("train", "a\tb\n");
  expectError(train(), HasSubstr("160"));
}

TEST_F(BadInputTest, VocabularyOfAnotherModel) {
  trainFirst();
  const std::string_view lines[] = {"we see the old car now", "wir sehen das alte Auto nun"};
  axloom::runtime::Vocabulary::learn(lines, 40, toy.model + "/vocabulary.model");
  expectError(train({"--resume"}), HasSubstr("has 40 units, but the model was compiled for 160"));
}

TEST_F(BadInputTest, NothingToResume) {
  expectError(train({"--resume"}), AllOf(HasSubstr("there is no checkpoint '" + checkpoint()),
                                         HasSubstr("start without --resume")));
}

TEST_F(BadInputTest, ResumeWithAnotherSeed) {
  trainFirst();
  expectError(train({"--resume", "--seed", "7"}), HasSubstr("made with --seed 1, not 7"));
}

TEST_F(BadInputTest, TruncatedCheckpoint) {
  trainFirst();
  std::filesystem::resize_file(checkpoint(), std::filesystem::file_size(checkpoint()) / 2);
  expectError(train({"--resume"}), HasSubstr(checkpoint()));
}

TEST_F(BadInputTest, FlippedByteInTheCheckpoint) {
  trainFirst();
  const std::string good = readFile(checkpoint());
  for (size_t at : {size_t(3), size_t(40), good.size() / 2, good.size() - 1}) {
    std::string bad = good;
    bad[at] = char(bad[at] ^ 4);
    std::ofstream(checkpoint(), std::ios::binary) << bad;
    expectError(train({"--resume"}), HasSubstr(checkpoint()));
    EXPECT_EQ(readFile(checkpoint()), bad);
  }
}

TEST_F(BadInputTest, CheckpointOfAnotherModel) {
  trainFirst();
  axl_model other = translate_model;
  std::vector<axl_variable_info> variables(other.variables, other.variables + other.variable_count);
  const axl_extent smaller[] = {{40, {-1, -1, -1, -1}}, {160, {-1, -1, -1, -1}}};
  variables[0].value.extents = smaller;
  variables[1].value.name = "next";
  other.variables = variables.data();
  axloom::runtime::saveCheckpoint(axloom::runtime::Model(other), {}, checkpoint());
  expectError(train({"--resume"}),
              AllOf(HasSubstr(checkpoint()), HasSubstr("translation"), HasSubstr("40"),
                    HasSubstr("160"), HasSubstr("previous"), HasSubstr("next")));
}

TEST_F(BadInputTest, FolderWithoutWritePermission) {
  std::filesystem::create_directory(toy.model);
  std::filesystem::permissions(toy.model, std::filesystem::perms(0555));
  Process::Options nobody{.input = "", .environment = {}, .unprivileged = true};
  expectError(train({}, nobody),
              AllOf(HasSubstr("the folder '" + toy.model + "' cannot be written to"),
                    HasSubstr("--checkpoint")));
}

// Until the file is closed.
int lockFolder(const std::string &path) {
  int file = open((path + "/.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  EXPECT_EQ(flock(file, LOCK_EX), 0);
  return file;
}

TEST_F(BadInputTest, FolderOfARunThatGoesOn) {
  Process first({TRAINER, "--data", toy.data, "--checkpoint", toy.model, "--minutes", "5"});
  auto giveUp = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (readFile(toy.model + "/history.jsonl").empty() &&
         std::chrono::steady_clock::now() < giveUp)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::string process = readFile(toy.model + "/.lock");
  ASSERT_THAT(process, testing::EndsWith("\n"));
  process.pop_back();
  for (const std::vector<std::string> &options : {std::vector<std::string>{}, {"--resume"}})
    expectError(train(options), "trainer: error: the folder '" + toy.model +
                                    "' is in use by another run (process " + process +
                                    "). Wait until it has ended, or choose another one with "
                                    "--checkpoint\n");
  first.signal(SIGTERM);
  EXPECT_EQ(first.wait().status, 130);
  EXPECT_FALSE(std::filesystem::exists(toy.model + "/previous"));

  // Whoever only evaluates disturbs nobody.
  int lock = lockFolder(toy.model);
  EXPECT_EQ(
      runProgram({TRAINER, "--data", toy.data, "--checkpoint", toy.model, "--minutes", "0"}).status,
      0);
  close(lock);
  // A run may go on in the folder that a new one would replace.
  std::filesystem::create_directory(toy.model + "/previous");
  lock = lockFolder(toy.model + "/previous");
  expectError(train({}), HasSubstr("the folder '" + toy.model + "/previous' is in use"));
  close(lock);
  EXPECT_EQ(train({"--resume", "--steps", "1"}).status, 0);
}

TEST_F(BadInputTest, FilesThatAKilledRunHasLeft) {
  trainFirst();
  for (const char *name : {"checkpoint.safetensors", "vocabulary.model", "loss.png"})
    std::ofstream(toy.model + "/" + name + ".12345.6.tmp") << "half of it";
  std::ofstream(toy.model + "/own.tmp") << "a file of the user";
  EXPECT_EQ(train({"--resume", "--steps", "6"}).status, 0);
  int left = 0;
  for (const auto &entry : std::filesystem::directory_iterator(toy.model))
    left += entry.path().extension() == ".tmp";
  EXPECT_EQ(left, 1);
  EXPECT_TRUE(std::filesystem::exists(toy.model + "/own.tmp"));
}

TEST_F(BadInputTest, LossThatIsNoNumber) {
  trainFirst();
  const std::string good = readFile(checkpoint());
  Process::Options bad{.input = "", .environment = {"AXLOOM_FAKE_NAN=8"}};
  expectError(train({"--resume", "--steps", "20"}, bad), HasSubstr("the loss of step 8 is nan"));
  EXPECT_EQ(readFile(checkpoint()), good);
  EXPECT_EQ(train({"--resume", "--steps", "20"}).status, 0);
}

TEST_F(BadInputTest, TranslatingBeforeTraining) {
  Finished finished = runProgram({TRANSLATE, "--checkpoint", toy.model, "tea"});
  expectError(finished, AllOf(StartsWith("translate: error: there is no vocabulary"),
                              HasSubstr("train first")));
}

TEST_F(BadInputTest, AttentionOfAModelThatDoesNotTell) {
  trainFirst();
  std::vector<std::string> command = {TRANSLATE,     "--checkpoint", toy.model,
                                      "--attention", toy.model,      "we see the old car"};
  expectError(runProgram(command), "translate: error: the model 'translate' has no function "
                                   "'attention', which this program needs\n");
  command.push_back("another text");
  expectError(runProgram(command),
              "translate: error: --attention draws one text, given as an argument; there are 2\n");
}

TEST_F(BadInputTest, BeamsThatCannotBe) {
  for (const char *count : {"0", "-4", "many"}) {
    Finished refused = train({"--beams", count});
    EXPECT_NE(refused.status, 0);
    EXPECT_THAT(refused.errors, HasSubstr("--beams: '" + std::string(count) +
                                          "' is not a number above 0 and up to 1e15"));
  }
  auto tooMany = HasSubstr("error: --beams is 513, but the model was compiled for at most 512 "
                           "sentences in a batch: choose fewer, or compile it with more\n");
  expectError(train({"--beams", "513"}), tooMany);
  EXPECT_FALSE(std::filesystem::exists(checkpoint())); // found before the training
  expectError(runProgram({TRANSLATE, "--checkpoint", toy.model, "--beams", "513", "tea"}), tooMany);
}

TEST_F(BadInputTest, WrongOptions) {
  EXPECT_NE(runProgram({TRAINER}).status, 0);
  EXPECT_THAT(runProgram({TRAINER}).errors, HasSubstr("--data is required"));
  EXPECT_THAT(train({"--minutes", "-3"}).errors, HasSubstr("--minutes"));
  EXPECT_THAT(train({"--steps", "many"}).errors, HasSubstr("--steps"));
  Finished help = runProgram({TRAINER, "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.output, HasSubstr("--resume"));
}

//===--- models that do not fit ---===//

std::string shapeError(const axl_model &model, int64_t beams = 1) {
  try {
    shapeOf(model);
    needsBeams(model, beams);
  } catch (const axloom::runtime::Error &error) {
    return error.what();
  }
  return "no error";
}

TEST(ShapeTest, ReadsTheModelsLimits) {
  ModelShape shape = shapeOf(translate_model);
  EXPECT_EQ(shape.vocabulary, 160);
  EXPECT_EQ(shape.sourceLength, 24);
  EXPECT_EQ(shape.targetLength, 24);
}

TEST(ShapeTest, NamesAMissingFunction) {
  axl_model model = translate_model;
  model.function_count = 3;
  EXPECT_EQ(shapeError(model),
            "the model 'translate' has no function 'decode_step', which this program needs");
}

TEST(ShapeTest, NamesAMissingTensor) {
  axl_model model = translate_model;
  std::vector<axl_function> functions(model.functions, model.functions + model.function_count);
  model.functions = functions.data();
  functions[0].argument_count = 3;
  EXPECT_EQ(shapeError(model), "the function 'train_step' of the model 'translate' needs a tensor "
                               "'seed' with 0 axes, and has none");
  functions[0].argument_count = 4;
  functions[3].result_count = 0;
  EXPECT_EQ(shapeError(model), "the function 'decode_step' of the model 'translate' needs a tensor "
                               "'logits' with 2 axes, and has none");
}

TEST(ShapeTest, OnlyBeamsNeedReorder) {
  axl_model model = translate_model;
  std::vector<axl_function> functions(model.functions, model.functions + model.function_count);
  model.functions = functions.data();
  EXPECT_EQ(shapeError(model, 4), "no error");
  functions[4].argument_count = 0;
  EXPECT_EQ(shapeError(model, 4), "the function 'reorder' of the model 'translate' needs a tensor "
                                  "'parent' with 1 axes, and has none");
  model.function_count = 4;
  EXPECT_EQ(shapeError(model), "no error");
  EXPECT_EQ(shapeError(model, 4),
            "--beams is 4, but the model 'translate' has no function 'reorder', with which one "
            "translation goes on in the place of another: add it, as in "
            "examples/translate/model.cpp, or leave --beams out");
}

} // namespace
