// What signals mean to the training loop: they end or suspend it after a step.
#include "runtime/core/Error.h"
#include "runtime/train/Signals.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/TrainerFixture.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

TEST_F(Trainer, ASignalEndsTheStepAndSaves) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    tokens.onBatch = [&](const DataPosition &position, View<int32_t>) {
      if (position == DataPosition{2, 1})
        std::raise(signal);
    };
    TrainResult result = train(model, tokens, {}, options);
    EXPECT_EQ(result.reason, StopReason::Signal);
    EXPECT_EQ(result.position.step, 6);
    EXPECT_EQ(readPosition(options.checkpoint).step, 6);
  }
}

TEST_F(Trainer, ASignalDuringTheLastValidationCounts) {
  options.steps = 3;
  options.validate = [](Model &) {
    std::raise(SIGINT);
    return Validation();
  };
  EXPECT_EQ(train(model, tokens, {}, options).reason, StopReason::Signal);
}

// Whoever ends a program may not wait for a validation.
TEST_F(Trainer, ASignalLeavesOutAValidation) {
  int64_t saved = 0;
  options.validationSteps = 4;
  options.validate = [&](Model &) {
    saved = readPosition(options.checkpoint).step;
    return Validation();
  };
  tokens.onBatch = [](const DataPosition &position, View<int32_t>) {
    if (position == DataPosition{3, 1}) // the eighth step
      std::raise(SIGTERM);
  };
  EXPECT_EQ(train(model, tokens, {}, options).position.step, 8);
  EXPECT_EQ(saved, 4);
  EXPECT_EQ(readPosition(options.checkpoint).step, 8);
}

TEST_F(Trainer, SoDoesOneThatComesWhileTheModelIsSaved) {
  struct Files : FileLayer {
    int fsync(int file) override {
      std::raise(SIGTERM);
      return FileLayer::fsync(file);
    }
  } files;
  options.files = &files;
  options.validationSteps = 4;
  options.validate = [](Model &) -> Validation {
    ADD_FAILURE() << "a validation";
    return {};
  };
  EXPECT_EQ(train(model, tokens, {}, options).position.step, 4);
  EXPECT_EQ(readPosition(options.checkpoint).step, 4);
}

TEST_F(Trainer, SignalsMeanWhatTheyMeantBefore) {
  static int caught;
  caught = 0;
  auto old = std::signal(SIGTERM, [](int) { ++caught; });
  train(model, tokens, {}, options);
  std::raise(SIGTERM);
  EXPECT_EQ(caught, 1);
  std::signal(SIGTERM, old);
}

TEST_F(Trainer, IgnoredSignalsStayIgnored) {
  for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGTSTP})
    std::signal(signal, SIG_IGN);
  options.steps = 3;
  tokens.onBatch = [](const DataPosition &, View<int32_t>) {
    for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGTSTP})
      std::raise(signal);
  };
  EXPECT_EQ(train(model, tokens, {}, options).position.step, 3);

  std::signal(SIGTERM,
              SIG_DFL); // now it stops the training, and SIGINT after it still means nothing
  EXPECT_EQ(train(model, tokens, {}, options).reason, StopReason::Signal);
  for (int signal : {SIGINT, SIGHUP, SIGTSTP})
    std::signal(signal, SIG_DFL);
}

TEST_F(Trainer, AReaderOfItsLinesMayGo) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  options.steps = 3;
  tokens.onBatch = [&](const DataPosition &, View<int32_t>) {
    EXPECT_EQ(write(ends[1], "step", 4), -1);
    EXPECT_EQ(errno, EPIPE);
  };
  EXPECT_EQ(train(model, tokens, {}, options).position.step, 3);
  close(ends[1]);
}

// Longer than signals count as one.
void waitForAnother() { std::this_thread::sleep_for(std::chrono::milliseconds(1100)); }

TEST_F(Trainer, ASecondSignalEndsTheProgram) {
  tokens.onBatch = [](const DataPosition &, View<int32_t>) {
    std::raise(SIGINT);
    waitForAnother();
    std::raise(SIGINT);
  };
  EXPECT_EXIT(train(model, tokens, {}, options), testing::KilledBySignal(SIGINT), "");
}

TEST_F(Trainer, SignalsThatComeTogetherAreOne) {
  tokens.onBatch = [](const DataPosition &, View<int32_t>) {
    for (int signal : {SIGHUP, SIGHUP, SIGTERM, SIGTERM, SIGINT})
      std::raise(signal);
    waitForAnother();
    std::raise(SIGHUP); // the terminal is closed at last
  };
  TrainResult result = train(model, tokens, {}, options);
  EXPECT_EQ(result.reason, StopReason::Signal);
  EXPECT_EQ(readPosition(options.checkpoint).step, 1);
}

TEST(StopSignals, AreMeantForAll) {
  static int caught;
  caught = 0;
  auto old = std::signal(SIGTERM, [](int) { ++caught; });
  auto first = std::make_unique<StopSignals>();
  std::raise(SIGTERM);
  auto second = std::make_unique<StopSignals>();
  EXPECT_TRUE(StopSignals::received());
  first.reset();
  std::raise(SIGTERM);
  EXPECT_EQ(caught, 0);
  second.reset();
  std::raise(SIGTERM);
  EXPECT_EQ(caught, 1);
  std::signal(SIGTERM, old);
}

// Wakes the process that forks it once that has stood still for a second.
pid_t forkAlarmClock() {
  pid_t child = fork();
  if (child != 0)
    return child;
  auto stands = [file = concat("/proc/", getppid(), "/stat")] {
    return readFile(file).find(") T ") != std::string::npos;
  };
  while (!stands())
    usleep(10'000);
  sleep(1);
  kill(getppid(), SIGCONT);
  _exit(0);
}

// Half a second of training, which Ctrl-Z stops once for a second: the first one after the step,
// the second one at once.
TEST_F(Trainer, TimeStandsStillWhileSuspended) {
  options.steps = 0;
  options.seconds = 0.5;
  for (int times : {1, 2}) {
    tokens.onBatch = [&](const DataPosition &position, View<int32_t>) {
      for (int i = 0; position == DataPosition{2, 1} && i < times; ++i)
        std::raise(SIGTSTP);
    };
    pid_t alarmClock = forkAlarmClock();
    auto start = std::chrono::steady_clock::now();
    TrainResult result = train(model, tokens, {}, options);
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    waitpid(alarmClock, nullptr, 0);
    EXPECT_EQ(result.reason, StopReason::Time);
    EXPECT_GE(passed.count(), 1.5) << times << " times";
    EXPECT_LT(double(result.position.tokens) / result.tokensPerSecond, 1) << times << " times";
  }
}

TEST_F(Trainer, ASuspensionDuringTheLastValidationCounts) {
  static int caught;
  caught = 0;
  auto old = std::signal(SIGTSTP, [](int) { ++caught; });
  options.steps = 3;
  options.validate = [](Model &) {
    std::raise(SIGTSTP);
    return Validation();
  };
  train(model, tokens, {}, options);
  EXPECT_EQ(caught, 1);
  std::signal(SIGTSTP, old);
}

} // namespace
