// Whole compiles: the same bytes twice, and nearly nothing to do the second time.

#include "codegen/driver/Compiler.h"
#include "tests/support/Graphs.h"
#include "tests/support/TemporaryFolder.h"

#include <chrono>
#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;

static const char *const text = R"(
axloom.size @B max 64
func.func @rows(%x: !axloom.tensor<batch: B, model: 48, f32> {axloom.name = "x", axloom.order = ["batch", "model"]},
                %w: !axloom.tensor<model: 48, out: 24, f32> {axloom.name = "w", axloom.order = ["model", "out"]})
    -> (!axloom.tensor<batch: B, out: 24, f32> {axloom.name = "y", axloom.order = ["batch", "out"]}) {
  %s = axloom.softmax %x over "model" : !axloom.tensor<batch: B, model: 48, f32> -> !axloom.tensor<batch: B, model: 48, f32>
  %y = axloom.contract %s, %w over ["model"] : !axloom.tensor<batch: B, model: 48, f32>, !axloom.tensor<model: 48, out: 24, f32> -> !axloom.tensor<batch: B, out: 24, f32>
  return %y : !axloom.tensor<batch: B, out: 24, f32>
})";

namespace {
class CompilerTest : public testing::Test {
protected:
  CompilerTest() {
    options.name = "rows";
    options.target = Target::host();
  }

  Bundle compileWithCache(const std::string &cache) {
    options.kernels.cacheFolder = cache;
    auto module = graphs.parse(text);
    auto backend = createBackend(options.target);
    auto start = std::chrono::steady_clock::now();
    FailureOr<Bundle> bundle = Compiler(options, *backend).compile(*module);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_TRUE(succeeded(bundle)) << graphs.takeErrors();
    return succeeded(bundle) ? *bundle : Bundle();
  }

  template <class T> using FailureOr = mlir::FailureOr<T>;
  Graphs graphs;
  CompilerOptions options;
  double seconds = 0;
};
} // namespace

TEST_F(CompilerTest, TwoColdCompilesGiveTheSameBytesAndAWarmOneIsNearlyFree) {
  TemporaryFolder first, second;
  Bundle a = compileWithCache(first.path());
  double cold = seconds;
  options.kernels.jobs = 1; // another order of compiling changes nothing
  Bundle b = compileWithCache(second.path());
  EXPECT_EQ(a.archive, b.archive);
  EXPECT_EQ(a.header, b.header);
  Bundle c = compileWithCache(first.path());
  EXPECT_EQ(a.archive, c.archive);
  EXPECT_LT(seconds, cold / 3) << "a warm compile took " << seconds << " s, a cold one " << cold
                               << " s";
}

TEST_F(CompilerTest, FingerprintIsOfTheGraphNotOfHowItIsCompiled) {
  TemporaryFolder cache;
  Bundle optimized = compileWithCache(cache.path());
  options.passes.disabled = {"simplify", "fuse-epilogues"};
  Bundle plain = compileWithCache(cache.path());
  auto fingerprintOf = [](const Bundle &bundle) {
    size_t at = bundle.report.find("fingerprint ");
    return bundle.report.substr(at, bundle.report.find('\n') - at);
  };
  EXPECT_EQ(fingerprintOf(optimized), fingerprintOf(plain));
}

TEST_F(CompilerTest, PrintsEachStage) {
  TemporaryFolder cache;
  options.kernels.cacheFolder = cache.path();
  auto backend = createBackend(options.target);
  auto printed = [&](Stage stage) {
    auto module = graphs.parse(text);
    FailureOr<std::string> text = Compiler(options, *backend).print(*module, stage);
    EXPECT_TRUE(succeeded(text)) << graphs.takeErrors();
    return succeeded(text) ? *text : "";
  };
  using testing::AllOf, testing::HasSubstr, testing::Not;
  EXPECT_THAT(printed(Stage::Graph),
              AllOf(HasSubstr("axloom.softmax"), Not(HasSubstr("axloom.kernel"))));
  EXPECT_THAT(printed(Stage::Differentiated), Not(HasSubstr("axloom.kernel")));
  EXPECT_THAT(printed(Stage::Fused),
              AllOf(HasSubstr("axloom.kernel"), Not(HasSubstr("placements"))));
  EXPECT_THAT(printed(Stage::Planned), HasSubstr("placements"));
  EXPECT_THAT(printed(Stage::Kernels),
              AllOf(HasSubstr("//   reads "), HasSubstr("call @axl_launch")));
  EXPECT_THAT(printed(Stage::Llvm),
              AllOf(HasSubstr("@rows_model = constant"), HasSubstr("call i32 @axl_launch")));
}
