// The command line of generators: bundles, stages, and one clear message with exit code 1 for each
// mistake.

#include "codegen/driver/Generate.h"

#include "frontend/Axloom.h"
#include "tests/support/TemporaryFolder.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace axloom;
using namespace axloom::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {
struct Batch : Axis<"batch"> {};
struct Model : Axis<"model"> {};
struct Inner : Axis<"inner"> {};

struct Outcome {
  int code;
  std::string output, errors;
};
} // namespace

/// Runs a generator's main as a program would.
static Outcome generated(std::vector<std::string> flags,
                         const std::function<void(Program &, Options &)> &build) {
  flags.insert(flags.begin(), "generator");
  std::vector<char *> arguments;
  for (std::string &flag : flags)
    arguments.push_back(flag.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  int code = generate(int(arguments.size()), arguments.data(), build);
  std::string output = testing::internal::GetCapturedStdout();
  return {code, output, testing::internal::GetCapturedStderr()};
}

static void scale(Program &program, Options &options) {
  int width = options.get("width", 4);
  Size batch = program.size("B", 8);
  program.function("scale", [&](Function &f) {
    auto x = f.argument<float, Batch, Model>("x", batch, width);
    f.result<Batch, Model>("y", x * 2.0f);
  });
}

static void withParameter(Program &program, Options &) {
  program.function("f", [&](Function &f) {
    auto w = program.parameter<Model>("weight", init::zeros(), 4);
    f.result<Model>("y", w * 2.0f);
  });
}

static void products(Program &program, Options &) {
  Size batch = program.size("B", 8);
  program.function("products", [&](Function &f) {
    auto x = f.argument<float, Batch, Model>("x", batch, 64);
    auto w = f.argument<float, Model, Inner>("w", 64, 64);
    auto y = contract<Inner>(contract<Model>(x, w), w);
    f.result<Batch, Model>("y", contract<Inner>(contract<Model>(y, w), w));
  });
}

/// Training with an optimizer's memory, then what is left to use; both draw random numbers.
static void trained(Program &program, Options &) {
  auto weight = program.parameter<Model>("weight", init::normal(0, 1), 4);
  auto moment = program.state<float, Model>("moment", init::zeros(), 4);
  program.function("train_step", [&](Function &f) {
    auto seed = f.argument<int>("seed");
    auto next = moment + random(moment, Randomness(seed, seed));
    assign(moment, next);
    assign(weight, weight - next);
  });
  program.function("predict", [&](Function &f) {
    auto seed = f.argument<int>("seed");
    f.result<Model>("y", weight * random(weight, Randomness(seed, seed)));
  });
}

TEST(Generate, WritesABundle) {
  TemporaryFolder folder;
  Outcome outcome = generated(
      {"--output", folder.path(), "--name", "scale", "--kernel", "--cache", folder.path() + "/c"},
      scale);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  for (const char *file : {"libscale.a", "scale.h", "scale.json", "scale.txt"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() + "/" + file)) << file;
}

TEST(Generate, PrintsStagesAndSetsOptions) {
  Outcome outcome = generated({"--emit=graph", "--set", "width=6"}, scale);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("model: 6"));
  EXPECT_THAT(generated({"--stop-after=form-kernels"}, scale).output, HasSubstr("axloom.kernel"));
}

TEST(Generate, CompilesNamedFunctionsWithTheirVariables) {
  TemporaryFolder folder;
  Outcome outcome = generated({"--functions", "predict", "--output", folder.path(), "--name",
                               "part", "--cache", folder.path() + "/c"},
                              trained);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(readFile(folder.path() + "/part.h"),
              AllOf(HasSubstr("struct predict"), Not(HasSubstr("train_step"))));
  EXPECT_THAT(readFile(folder.path() + "/part.json"),
              AllOf(HasSubstr("\"weight\""), Not(HasSubstr("\"moment\""))));
}

TEST(Generate, NamedFunctionsAreAsInTheWhole) {
  std::string whole = generated({"--emit=graph"}, trained).output;
  auto fromPredict = [](const std::string &graph) { return graph.substr(graph.find("@predict")); };
  // Random numbers are told apart by a count over all functions.
  EXPECT_EQ(fromPredict(generated({"--emit=graph", "--functions=predict"}, trained).output),
            fromPredict(whole));
  EXPECT_EQ(generated({"--emit=graph", "--functions=predict,train_step"}, trained).output, whole);
}

TEST(Generate, SaysWhichFunctionsThereAre) {
  EXPECT_EQ(generated({"--functions=predict,decode"}, trained).errors,
            "error: --functions names 'decode', expected some of train_step, predict\n");
  for (const char *flag : {"--functions", "--functions=", "--functions=,"}) {
    Outcome outcome = generated({flag}, trained);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.errors,
              "error: --functions names no function, expected some of train_step, predict\n");
  }
}

TEST(Generate, ListsOptionsOfTheModel) {
  auto listed = [](std::vector<std::string> flags) {
    flags.push_back("--list-options");
    return generated(flags, scale).output;
  };
  EXPECT_EQ(listed({}), "width=4\n");
  EXPECT_EQ(listed({"--set", "width=6"}), "width=6\n");
  EXPECT_EQ(listed({"--set", "wdith=6"}), "");
}

TEST(Generate, Explains) {
  TemporaryFolder folder;
  const std::vector<std::string> flags = {"--cache", folder.path() + "/c", "--name", "scale",
                                          "explain"};
  auto explained = [&](std::vector<std::string> more) {
    more.insert(more.begin(), flags.begin(), flags.end());
    return generated(std::move(more), scale);
  };
  EXPECT_THAT(explained({}).output,
              AllOf(StartsWith("model scale for "), HasSubstr("bytes read: 16*B\n"),
                    HasSubstr("GenerateTest.cpp:")));
  // Eight rows of four floats are 128 bytes, read and written at 1 GB/s.
  EXPECT_THAT(explained({"--sizes", "B=8", "--peak=1", "--bandwidth=1"}).output,
              HasSubstr("at least 0.000256 ms: 0 GFLOP in products"));
  EXPECT_THAT(explained({"--sizes", "B=8"}).output, HasSubstr("; the machine: "));
  EXPECT_EQ(explained({"--sizes", "B=9"}).errors, "error: --sizes gives B=9, at most 8\n");
  EXPECT_EQ(explained({"--line", "model"}).errors,
            "error: --line is 'model', expected FILE:NUMBER\n");
}

// Runs in a process of its own: the environment counts only until threads are first used.
TEST(GenerateDeathTest, ExplainsForTheThreadsOfTheEnvironment) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto explained = [] {
    TemporaryFolder folder;
    return generated({"--cache", folder.path(), "explain", "--sizes", "B=8"}, scale);
  };
  EXPECT_EXIT(
      {
        setenv("AXLOOM_THREADS", "many", /*overwrite=*/1);
        Outcome outcome = explained();
        std::fputs(outcome.errors.c_str(), stderr);
        std::exit(outcome.code);
      },
      testing::ExitedWithCode(1), "error: AXLOOM_THREADS is 'many'; expected a number from 0");
}

TEST(Generate, ListsOptimizations) {
  Outcome outcome = generated({"--list-optimizations"}, scale);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  std::istringstream names(outcome.output);
  int count = 0;
  for (std::string name; std::getline(names, name); ++count)
    EXPECT_EQ(generated({"--emit=planned", "--disable", name}, scale).code, 0) << name;
  EXPECT_GT(count, 0);
}

TEST(Generate, KeepsToAMemoryBudget) {
  EXPECT_EQ(generated({"--emit=planned", "--memory-budget=1M@B=8"}, products).code, 0);
  EXPECT_THAT(generated({"--emit=planned", "--memory-budget=1@B=8"}, products).errors,
              AllOf(HasSubstr("GenerateTest.cpp:"), HasSubstr("'products' takes "),
                    HasSubstr("the memory budget is 1, and the least that recomputation reaches")));
  EXPECT_EQ(generated({"--memory-budget=1M@B"}, products).errors,
            "error: the memory budget '1M@B' has the size 'B', expected a symbol and a positive "
            "number as in B=32\n");
}

TEST(Generate, TracesPasses) {
  Outcome outcome = generated({"--emit=planned", "--print-changes", "--time"}, scale);
  EXPECT_THAT(outcome.errors,
              AllOf(HasSubstr("infer: unchanged"), HasSubstr("+ "), HasSubstr("stage passes (")));
  EXPECT_THAT(generated({"--emit=planned", "--time"}, scale).errors,
              AllOf(HasSubstr("pass form-kernels ("), HasSubstr("stage passes (")));
}

TEST(Generate, NamesTheMistakeInAFlag) {
  EXPECT_EQ(generated({"--emit=everything"}, scale).errors,
            "error: --emit is 'everything', expected one of graph, differentiated, fused, planned, "
            "kernels, explain, llvm, bundle\n");
  EXPECT_THAT(generated({"--target=pdp11"}, scale).errors,
              StartsWith("error: --target is 'pdp11', expected one of host, "));
  EXPECT_EQ(generated({"--precision=f16"}, scale).errors,
            "error: --precision is 'f16', expected one of f32, bf16\n");
  EXPECT_THAT(generated({"--name=a-b"}, scale).errors,
              StartsWith("error: --name is 'a-b', expected letters"));
  EXPECT_THAT(generated({"--name=axl"}, scale).errors, StartsWith("error: --name is 'axl', which"));
  EXPECT_EQ(generated({"--name=math"}, scale).errors,
            "error: --name is 'math', but math.h is a header of the C library, which includes "
            "would no longer find; choose another name\n");
  EXPECT_THAT(generated({"--disable=luck"}, scale).errors,
              StartsWith("error: cannot disable 'luck'; the optimizations are "));
  EXPECT_THAT(generated({"--stop-after=luck"}, scale).errors,
              StartsWith("error: cannot stop after 'luck'; the passes are "));
  Outcome unknown = generated({"--no-such-flag"}, scale);
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.errors, AllOf(StartsWith("error: "), HasSubstr("--no-such-flag")));
}

TEST(Generate, SaysWhereFactorsStayAsTheyAre) {
  auto asked = [](const std::string &target) {
    return generated({"--target=" + target, "--precision=bf16", "--emit=fused"}, products);
  };
  for (std::string target : {"x86-64-avx2", "x86-64-sapphire-rapids"}) {
    Outcome outcome = asked(target);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.errors,
              "note: " + target +
                  " has no products of bf16 that are faster, so factors stay f32\n");
    EXPECT_THAT(outcome.output, AllOf(HasSubstr("axloom.contract"), Not(HasSubstr("factors"))));
  }
  Outcome rounded = asked("x86-64-avx512-bf16");
  EXPECT_EQ(rounded.errors, "");
  EXPECT_THAT(rounded.output, HasSubstr("factors = bf16"));
}

TEST(Generate, NamesTheMistakeInAnOption) {
  Outcome outcome = generated({"--set", "depth=6"}, scale);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("no option 'depth'"));
}

TEST(Generate, NamesTheUsersLine) {
  int line = 0;
  Outcome outcome = generated({}, [&](Program &program, Options &) {
    program.function("f", [&](Function &f) {
      auto x = f.argument<float, Model>("x", 4);
      auto y = f.argument<float, Model>("y", 5);
      line = __LINE__ + 1;
      f.result<Model>("sum", x + y);
    });
  });
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.errors,
              AllOf(HasSubstr("GenerateTest.cpp:" + std::to_string(line)), HasSubstr("error: "),
                    HasSubstr("'model'"), HasSubstr("4"), HasSubstr("5")));
}

TEST(Generate, RefusesAProgramWithoutAFunction) {
  TemporaryFolder folder;
  Outcome outcome =
      generated({"--output", folder.path() + "/bundle"}, [](Program &program, Options &) {
        program.parameter<Model>("weight", init::zeros(), 4);
      });
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.errors, "error: the program has no function, so there is nothing to compile\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/bundle"));
}

TEST(Generate, RefusesAKernelWithVariablesAndFoldersItCannotWrite) {
  EXPECT_EQ(generated({"--kernel"}, withParameter).errors,
            "error: --kernel is for a function without variables, but the model has 'weight'; use "
            "axloom_add_model\n");
  TemporaryFolder folder;
  std::ofstream(folder.path() + "/file") << "";
  Outcome outcome =
      generated({"--output", folder.path() + "/file", "--cache", folder.path() + "/c"}, scale);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("'" + folder.path() + "/file'"));
}
