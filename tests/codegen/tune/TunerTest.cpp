// --tune: measures once, gives the same bundle ever after, and says what is wrong.

#include "codegen/Target.h"
#include "codegen/driver/Compiler.h"
#include "codegen/driver/Generate.h"
#include "codegen/tune/ScheduleCache.h"
#include "frontend/Axloom.h"
#include "runtime/abi/axloom.h"
#include "runtime/device/Threads.h"
#include "tests/support/Graphs.h"
#include "tests/support/TemporaryFolder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <memory>

using namespace axloom;
using namespace axloom::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {
struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Model : Axis<"model"> {};
struct Inner : Axis<"inner"> {};

struct Outcome {
  int code;
  std::string output, errors;
};

/// A product whose rows are the tokens of a batch, and something that is none.
void program(Program &program, Options &options) {
  Size batch = program.size("B", 64);
  bool ragged = options.get("ragged", 0);
  program.function("up", [&](Function &f) {
    Size length = program.size("S", 16);
    auto w = program.parameter<Model, Inner>("weight", init::ones(), 24, 40);
    if (ragged) {
      auto x =
          f.argument<float, Batch, Position, Model>("x", batch, length.raggedOver<Batch>(), 24);
      f.result<Batch, Position, Inner>("y", contract<Model>(x, w));
    } else {
      auto x = f.argument<float, Batch, Position, Model>("x", batch, length, 24);
      f.result<Batch, Position, Inner>("y", contract<Model>(x, w));
      f.result<Batch, Position, Model>("z", softmax<Model>(x));
    }
  });
}

class Tune : public testing::Test {
protected:
  /// A generator's main with the caches of this test.
  Outcome generated(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"generator", "--name", "up", "--cache", folder.path() + "/cache"});
    std::vector<char *> arguments;
    for (std::string &flag : flags)
      arguments.push_back(flag.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int code = generate(int(arguments.size()), arguments.data(), program);
    std::string output = testing::internal::GetCapturedStdout();
    return {code, output, testing::internal::GetCapturedStderr()};
  }
  Outcome tuned(const std::string &output) {
    return generated({"--tune", "B=8,S=5", "--output", folder.path() + "/" + output});
  }
  std::string contents(const std::string &file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::string bundle(const std::string &output) {
    std::string all;
    for (const char *file : {"libup.a", "up.h", "up.json", "up.txt"})
      all += contents(folder.path() + "/" + output + "/" + file);
    return all;
  }
  std::string schedules() { return codegen::ScheduleCache(folder.path() + "/cache").path(); }
  /// Lets other values win than those that did.
  void replaceChoices(const std::string &with) {
    std::string text = contents(schedules());
    size_t place = text.find("\"choices\": {");
    text.replace(place, text.find('}', place) - place, "\"choices\": {" + with);
    std::ofstream(schedules()) << text;
  }

  TemporaryFolder folder;
};

TEST_F(Tune, MeasuresOnceAndGivesTheSameBundleEverAfter) {
  Outcome first = tuned("first");
  ASSERT_EQ(first.code, 0) << first.errors;
  EXPECT_THAT(first.errors,
              AllOf(HasSubstr("tuning kernel 1 of "), HasSubstr("tuning kernel 2 of "),
                    HasSubstr("s left\n"), HasSubstr("with B=8, S=5; kept in '" + schedules())));
  std::string known = contents(schedules());
  EXPECT_THAT(known, AllOf(HasSubstr("\"kernel\": \"contract: <"), HasSubstr("\"usual ns\"")));
  Outcome second = tuned("second");
  ASSERT_EQ(second.code, 0) << second.errors;
  EXPECT_THAT(second.errors,
              AllOf(Not(HasSubstr("tuning kernel")), HasSubstr(", 0 of them measured")));
  EXPECT_EQ(contents(schedules()), known);
  EXPECT_TRUE(bundle("first") == bundle("second"));
}

TEST_F(Tune, UsesWhatTheCacheSays) {
  ASSERT_EQ(generated({"--output", folder.path() + "/usual"}).code, 0);
  ASSERT_EQ(tuned("tuned").code, 0);
  const std::string half = std::to_string(codegen::Target::host().traits.tileRows / 2);
  replaceChoices("\"tile rows\": " + half);
  EXPECT_THAT(generated({"--emit=kernels", "--tune", "B=8,S=5"}).output,
              HasSubstr("contraction, tile rows " + half + "\n"));
  ASSERT_EQ(tuned("chosen").code, 0);
  EXPECT_FALSE(bundle("chosen") == bundle("usual"));
  // Without the flag nothing is chosen, whatever the cache says.
  ASSERT_EQ(generated({"--output", folder.path() + "/again"}).code, 0);
  EXPECT_TRUE(bundle("again") == bundle("usual"));
}

TEST_F(Tune, MeasuresAgainWhereTheCacheMakesNoSense) {
  ASSERT_EQ(tuned("tuned").code, 0);
  for (const char *nonsense : {"\"tile rows\": 1000", "\"luck\": 3"}) {
    replaceChoices(nonsense);
    EXPECT_THAT(tuned("tuned").errors, HasSubstr(", 1 of them measured"));
  }
  // Other sizes are other work, and so are other threads.
  EXPECT_THAT(generated({"--emit=kernels", "--tune", "B=9,S=5"}).errors,
              Not(HasSubstr(", 0 of them measured")));
  const int threads = runtime::threadCount();
  axl_set_threads(threads % 2 + 1);
  EXPECT_THAT(tuned("tuned").errors, HasSubstr("tuning kernel 2 of "));
  axl_set_threads(threads);
  EXPECT_THAT(tuned("tuned").errors, HasSubstr(", 0 of them measured"));
}

/// Takes a value that the test chooses for the usual one of whatever a schedule leaves open.
class OtherUsualValues : public codegen::Backend {
public:
  mlir::FailureOr<std::vector<codegen::Schedule>>
  schedules(llvm::ArrayRef<ir::KernelOp> kernels, const codegen::Target &target,
            const codegen::CompileOptions &options) override {
    auto schedules = halide->schedules(kernels, target, options);
    for (codegen::Schedule &schedule : *schedules)
      for (codegen::Choice &choice : schedule.choices)
        choice.usual = usual;
    return schedules;
  }
  mlir::FailureOr<std::vector<codegen::CompiledKernel>>
  compile(llvm::ArrayRef<ir::KernelOp> kernels, const codegen::Target &target,
          const codegen::CompileOptions &options) override {
    return halide->compile(kernels, target, options);
  }

  int64_t usual = 1;

private:
  std::unique_ptr<codegen::Backend> halide = codegen::createBackend(codegen::Target::host());
};

// What was measured beside other usual values says nothing about today's.
TEST_F(Tune, MeasuresAgainBesideOtherUsualValues) {
  Graphs graphs;
  codegen::CompilerOptions options;
  options.target = codegen::Target::host();
  options.kernels.cacheFolder = folder.path();
  options.tune = {"B=8"};
  OtherUsualValues backend;
  auto measured = [&](int64_t usual) {
    auto module = graphs.parse(R"(
axloom.size @B max 64
!x = !axloom.tensor<batch: B, model: 1000, f32>
func.func @f(%x: !x) -> !x {
  %y = axloom.softmax %x over "model" : !x -> !x
  return %y : !x
})");
    backend.usual = usual;
    testing::internal::CaptureStderr();
    auto kernels = codegen::Compiler(options, backend).print(*module, codegen::Stage::Kernels);
    EXPECT_TRUE(succeeded(kernels)) << graphs.takeErrors();
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_THAT(measured(1), HasSubstr(", 1 of them measured"));
  EXPECT_THAT(measured(1), HasSubstr(", 0 of them measured"));
  EXPECT_THAT(measured(2), HasSubstr(", 1 of them measured"));
}

TEST_F(Tune, TakesRaggedBatchesAsFull) {
  Outcome outcome = generated({"--set", "ragged=1", "--emit=kernels", "--tune", "B=8,S=5"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("up.0.contraction: "));
}

TEST_F(Tune, NamesMistakes) {
  EXPECT_EQ(generated({"--tune", "B=8"}).errors, "error: --tune lacks 'S'; the sizes are B, S\n");
  EXPECT_EQ(generated({"--tune", "B=65,S=5"}).errors, "error: --tune gives B=65, at most 64\n");
  EXPECT_EQ(generated({"--tune"}).errors,
            "error: --tune needs values for the sizes, as in --tune B=32,S=64\n");
  EXPECT_THAT(generated({"--tune", "B=8,S=5", "--target", "mock"}).errors,
              StartsWith("error: --tune measures on this machine, which cannot run code for mock; "
                         "tune on such a machine, or for --target host ("));
  std::filesystem::create_directories(folder.path() + "/cache/schedules");
  std::ofstream(schedules()) << "{\"schedules\": ";
  Outcome damaged = tuned("tuned");
  EXPECT_EQ(damaged.code, 1);
  EXPECT_THAT(damaged.errors,
              StartsWith("error: the schedule cache '" + schedules() + "' is damaged: "));
  EXPECT_EQ(contents(schedules()), "{\"schedules\": ");
  setenv("AXLOOM_THREADS", "many", 1);
  EXPECT_EQ(generated({"--emit=kernels"}).code, 0); // nothing runs
  unsetenv("AXLOOM_THREADS");
}
} // namespace
