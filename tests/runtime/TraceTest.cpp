// Traces: what threads did, as JSON that viewers read.
#include "runtime/profile/Trace.h"
#include "runtime/core/Decimal.h"
#include "runtime/core/Error.h"
#include "runtime/core/Model.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"
#include "tests/support/TemporaryFolder.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

nlohmann::json read(const std::string &path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

// Rows go two at a time: both threads may have some, or one all.
TEST(Trace, HasACallAndItsKernelsThreadByThread) {
  TemporaryFolder folder;
  axl_set_threads(2);
  Model model(fake::model);
  Tensor x(AXL_F32, {8, 2}), y(AXL_F32, {8, 2});
  float factor = 1;
  Trace::start(folder.path("trace.json"));
  model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {{"y", y}});
  Trace::stop();
  model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {{"y", y}});
  axl_set_threads(0);

  int64_t calls = 0, chunks = 0;
  std::set<int> threads;
  double begin = 0, end = 0;
  nlohmann::json events = read(folder.path("trace.json"));
  for (const auto &event : events)
    if (event["name"] == "scale") {
      ++calls;
      begin = event["ts"];
      end = begin + double(event["dur"]);
    }
  for (const auto &event : events)
    if (event["name"] == "multiply_rows") {
      chunks += int64_t(event["args"]["chunks"]);
      EXPECT_TRUE(threads.insert(int(event["tid"])).second) << "a thread has one slice of a launch";
      EXPECT_GE(event["ts"], begin);
      EXPECT_LE(double(event["ts"]) + double(event["dur"]), end + 0.01);
    }
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(chunks, 4);
}

TEST(Trace, IsLeftToTheParentOfAFork) {
  TemporaryFolder folder;
  Model model(fake::model);
  Tensor x(AXL_F32, {8, 2}), y(AXL_F32, {8, 2});
  float factor = 1;
  auto call = [&] { model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {{"y", y}}); };
  Trace::start(folder.path("trace.json"));
  call();
  pid_t child = fork();
  if (child == 0) {
    call();
    Trace::stop();
    std::fflush(nullptr); // as the end of the program does
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  call();
  Trace::stop();
  nlohmann::json events = read(folder.path("trace.json"));
  auto isCall = [](const nlohmann::json &event) { return event["name"] == "scale"; };
  EXPECT_EQ(std::ranges::count_if(events, isCall), 2);
}

TEST(Trace, NamesAreAnyText) {
  TemporaryFolder folder;
  auto now = TraceClock::now();
  const std::string name = "a\"b\\c\n\u00e4";
  Trace(folder.path("trace.json")).slice(name.c_str(), now, now);
  EXPECT_EQ(read(folder.path("trace.json"))[0]["name"], name);
}

TEST(Trace, ACallMayOutliveIt) {
  TemporaryFolder folder;
  Trace::start(folder.path("trace.json"));
  {
    TracedCall call("late");
    Trace::stop();
  }
  EXPECT_EQ(read(folder.path("trace.json")).size(), 1u); // the name of the process
}

TEST(Trace, IsJsonOfSlices) {
  TemporaryFolder folder;
  std::string path = folder.path("trace.json");
  auto now = TraceClock::now();
  {
    Trace trace(path);
    trace.slice("multiply", 1, now, now + std::chrono::microseconds(1500), "{\"chunks\":3}");
  }
  nlohmann::json events = read(path);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]["name"], "multiply");
  EXPECT_EQ(events[0]["ph"], "X");
  EXPECT_EQ(events[0]["tid"], 1);
  EXPECT_DOUBLE_EQ(events[0]["dur"], 1500.0);
  EXPECT_EQ(events[0]["args"]["chunks"], 3);
  EXPECT_EQ(events[1]["ph"], "M");
}

struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Numbers, OfMessagesAreTheSameInAllLocales) {
  std::locale old = std::locale::global(std::locale(std::locale::classic(), new Commas));
  std::string together = concat(1234567, " ", 0.5);
  std::locale::global(old);
  EXPECT_EQ(together, "1234567 0.5");
}

TEST(Numbers, HaveSoManyDigits) {
  EXPECT_EQ(decimal(1234567.0 / 8, 3), "154320.875");
  EXPECT_EQ(decimal(1.0 / 3, 4, std::chars_format::general), "0.3333");
  EXPECT_EQ(decimal(1e308, 2).size(), 312u);
}

// Goes away after what the runtime keeps, since it is made before.
struct Last {
  bool looks = false;
  ~Last() {
    if (looks && Trace::active())
      std::_Exit(1);
  }
} last;

TEST(Trace, IsNotThereOnceTheProgramHasEndedIt) {
  TemporaryFolder folder;
  auto endProgram = [&] {
    Trace::start(folder.path("trace.json"));
    last.looks = true;
    std::exit(0);
  };
  EXPECT_EXIT(endProgram(), testing::ExitedWithCode(0), "");
}

TEST(Trace, SaysWhyAFileCannotBeWritten) {
  setenv("AXLOOM_TRACE", "/nowhere/trace.json", true);
  expectError(AXL_ERROR_FILE,
              "cannot write the trace '/nowhere/trace.json': No such file or directory",
              [] { Model model(fake::model); });
  unsetenv("AXLOOM_TRACE");
}

} // namespace
