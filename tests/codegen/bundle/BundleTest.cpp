// The files of a bundle: archive, parameter table, report; and what cannot be written.

#include "tests/codegen/support/Planned.h"
#include "tests/support/FileSizeLimit.h"
#include "tests/support/TemporaryFolder.h"

#include "llvm/Object/Archive.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace axloom;
using namespace axloom::test;

static const char *const text = R"(
axloom.size @B max 100
axloom.variable "parameter" @"layer.weight" : !axloom.tensor<in: 3, out: 5, f32> order ["out", "in"] init {kind = "uniform", low = -1.0 : f64, high = 1.0 : f64}
axloom.variable "session" @cache : !axloom.tensor<batch: B, f32> order ["batch"] init {kind = "zeros"}
func.func @copy(%x: !axloom.tensor<batch: B, f32> {axloom.name = "x"}) -> (!axloom.tensor<batch: B, f32> {axloom.name = "y"})
    attributes {axloom.slots = [#axloom.size<100>, #axloom.size<4*B>], axloom.below = [array<i64>, array<i64: 0>]} {
  %a = axloom.kernel "copy"(%x) {input_layouts = [#axloom.layout<[batch]>], result_layouts = [#axloom.layout<[batch]>],
      placements = [#axloom.placement<slot 0>]} : (!axloom.tensor<batch: B, f32>) -> !axloom.tensor<batch: B, f32> {
  ^bb0(%v: !axloom.tensor<batch: B, f32>):
    axloom.yield %v : !axloom.tensor<batch: B, f32>
  }
  %b = axloom.kernel "copy"(%a) {input_layouts = [#axloom.layout<[batch]>], result_layouts = [#axloom.layout<[batch]>],
      placements = [#axloom.placement<result 0>]} : (!axloom.tensor<batch: B, f32>) -> !axloom.tensor<batch: B, f32> {
  ^bb0(%v: !axloom.tensor<batch: B, f32>):
    axloom.yield %v : !axloom.tensor<batch: B, f32>
  }
  return %b : !axloom.tensor<batch: B, f32>
})";

static codegen::Bundle copyBundle() {
  FakeKernel copy{
      "for (int i = 0; i < DIM(0, 0).extent; ++i) DATA(float, 1)[i] = DATA(float, 0)[i]; return 0;",
      {},
      {},
      {},
      {}};
  return Planned(text, {{"copy", copy}}, "copier").bundle();
}

TEST(Bundle, ArchiveHoldsTheHostProgramAndEachKernelOnce) {
  codegen::Bundle bundle = copyBundle();
  auto archive =
      llvm::object::Archive::create(llvm::MemoryBufferRef(bundle.archive, "libcopier.a"));
  ASSERT_TRUE(bool(archive));
  std::vector<std::string> names, symbols;
  llvm::Error error = llvm::Error::success();
  for (const auto &child : (*archive)->children(error))
    names.push_back(child.getName()->str());
  ASSERT_FALSE(bool(error));
  for (const auto &symbol : (*archive)->symbols())
    symbols.push_back(symbol.getName().str());
  EXPECT_THAT(names, testing::ElementsAre("copier.o", "copy.o"));
  EXPECT_THAT(symbols, testing::UnorderedElementsAre("copier_model", "copy_argv"));
}

TEST(Bundle, ParameterTableIsJson) {
  nlohmann::json table = nlohmann::json::parse(copyBundle().parameters);
  EXPECT_EQ(table["model"], "copier");
  ASSERT_EQ(table["variables"].size(), 2u);
  const auto &weight = table["variables"][0];
  EXPECT_EQ(weight["name"], "layer.weight");
  EXPECT_EQ(weight["kind"], "parameter");
  EXPECT_EQ(weight["axes"], nlohmann::json({"out", "in"}));
  EXPECT_EQ(weight["extents"], nlohmann::json({5, 3}));
  EXPECT_EQ(weight["initializer"],
            nlohmann::json({{"kind", "uniform"}, {"low", -1.0}, {"high", 1.0}}));
  EXPECT_EQ(table["variables"][1]["extents"], nlohmann::json({"B"}));
}

TEST(Bundle, ReportNamesKernelsAndMemory) {
  EXPECT_THAT(copyBundle().report,
              testing::AllOf(testing::HasSubstr("size B, at most 100\n"),
                             testing::HasSubstr("1 parameters, 15 elements, 60 bytes\n"),
                             testing::HasSubstr("function copy: 2 kernels\n"),
                             testing::HasSubstr("arena: 576 bytes with all sizes at their maxima"),
                             testing::HasSubstr("slot 1: 4*B bytes, above 0\n"),
                             testing::HasSubstr("  copy.0.copy  fake  copy  model.cpp:")));
}

/// What the report says of the arena of a function with this argument and a slot of so many bytes.
static std::string arenaOf(const std::string &sizes, const std::string &argument,
                           const std::string &bytes) {
  const std::string function = "func.func @f(%x: !axloom.tensor<" + argument +
                               ", f32>) attributes {axloom.slots = [#axloom.size<" + bytes +
                               ">], axloom.below = [array<i64>]} { return }";
  std::string report = Planned(sizes + function, {}).bundle().report;
  size_t begin = report.find("arena: ");
  return report.substr(begin, report.find('\n', begin) - begin);
}

// A quarter of the tokens, where half as many sentences are half as long.
TEST(Bundle, ReportTakesRaggedBatchesAsFull) {
  EXPECT_EQ(arenaOf("axloom.size @B max 8\naxloom.size @S max 16\n", "batch: B, position: S[batch]",
                    "64*total.S"),
            "arena: 8192 bytes with all sizes at their maxima, 2048 bytes at half of them");
}

TEST(Bundle, ReportHasRoomForLargeMaxima) {
  EXPECT_EQ(arenaOf("axloom.size @B max 2147483647\naxloom.size @S max 2147483647\n",
                    "batch: B, position: S", "4*B*S"),
            "arena: 18446744056529.68 MB with all sizes at their maxima, 4611686009837.45 MB at "
            "half of them");
}

TEST(Bundle, SaysWhichFolderCannotBeWritten) {
  TemporaryFolder folder;
  std::string file = folder.path() + "/file";
  std::filesystem::copy("/proc/self/cmdline", file);
  EXPECT_THAT(codegen::write(copyBundle(), file + "/below"),
              testing::AllOf(testing::StartsWith("cannot make the folder '" + file + "/below': "),
                             testing::HasSubstr("Not a directory")));
}

TEST(Bundle, SaysWhichFileHasNoRoom) {
  TemporaryFolder folder;
  codegen::Bundle bundle = copyBundle();
  std::string problem;
  {
    FileSizeLimit limit(16);
    problem = codegen::write(bundle, folder.path());
  }
  EXPECT_EQ(problem, "cannot write 'libcopier.a' into '" + folder.path() + "': File too large");
}
