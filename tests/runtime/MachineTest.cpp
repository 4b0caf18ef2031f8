// What the runtime finds out about the machine, before the first generated instruction runs.
#include "runtime/Runtime.h"
#include "runtime/core/CpuFeatures.h"
#include "runtime/device/Threads.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

#include <cstdlib>

using namespace axloom::runtime;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

// An environment variable for the time of a test.
class Environment {
public:
  Environment(const char *name, const char *value) : name(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name); }

private:
  const char *name;
};

TEST(Machine, HasWhatEveryX86Has) {
  const char *const basic[] = {"cmov", "cx8", "fxsr", "mmx", "sse", "sse2"};
  EXPECT_THAT(missingCpuFeatures(basic), IsEmpty());
}

TEST(Machine, AgreesWithTheCompilersOwnDetection) {
  auto has = [](const char *name) {
    const char *const one[] = {name};
    return missingCpuFeatures(one).empty();
  };
  EXPECT_EQ(has("avx2"), bool(__builtin_cpu_supports("avx2")));
  EXPECT_EQ(has("fma"), bool(__builtin_cpu_supports("fma")));
  EXPECT_EQ(has("avx512f"), bool(__builtin_cpu_supports("avx512f")));
  EXPECT_EQ(has("avx512bw"), bool(__builtin_cpu_supports("avx512bw")));
  EXPECT_EQ(has("avx512bf16"), bool(__builtin_cpu_supports("avx512bf16")));
  EXPECT_EQ(has("avx512vnni"), bool(__builtin_cpu_supports("avx512vnni")));
  EXPECT_EQ(has("sse4.2"), bool(__builtin_cpu_supports("sse4.2")));
}

TEST(Machine, UnknownAndHiddenFeaturesAreMissing) {
  Environment hidden("AXLOOM_HIDE_CPU_FEATURES", "sse3,sse2");
  const char *const wanted[] = {"sse", "sse2", "avx9000"};
  EXPECT_THAT(missingCpuFeatures(wanted), ElementsAre("sse2", "avx9000"));
}

TEST(Machine, AModelThatNeedsMoreIsRefused) {
  const char *const features[] = {"sse2", "avx9000", "amx-quantum"};
  axl_model model = fake::model;
  model.features = features;
  model.feature_count = 3;
  expectError(AXL_ERROR_CPU,
              "model 'fake' was compiled for x86-64-linux, but this machine lacks avx9000, "
              "amx-quantum; compile it with --target= for this machine",
              [&] { Model{model}; });
}

TEST(Machine, ThreadsCanBeSet) {
  EXPECT_EQ(axl_set_threads(3), 3);
  EXPECT_EQ(threadCount(), 3);
  EXPECT_GE(axl_set_threads(0), 1);
}

TEST(Machine, ParallelForVisitsEachIndexOnce) {
  axl_set_threads(4);
  std::vector<int> visits(1000);
  parallelFor(1000, [&](int64_t index) { ++visits[size_t(index)]; });
  EXPECT_THAT(visits, testing::Each(1));
  axl_set_threads(0);
}

// Runs in a process of its own: the environment counts only until threads are first used.
TEST(MachineDeathTest, AThreadCountThatIsNoNumber) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Environment threads("AXLOOM_THREADS", "many");
        try {
          startHost();
        } catch (const Error &error) {
          fprintf(stderr, "%s\n", error.what());
          std::exit(3);
        }
      },
      testing::ExitedWithCode(3),
      "AXLOOM_THREADS is 'many'; expected a number from 0 \\(as many as there are processors\\) to "
      "256");
  EXPECT_EXIT(
      {
        Environment threads("AXLOOM_THREADS", "5");
        startHost();
        std::exit(threadCount());
      },
      testing::ExitedWithCode(5), "");
}

} // namespace
