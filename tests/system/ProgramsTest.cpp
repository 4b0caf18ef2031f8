// What users ship is small and stands alone: no LLVM, no Halide compiler, no Python.
#include "tests/examples/Process.h"

#include <filesystem>
#include <gmock/gmock.h>

using namespace example;

namespace {

class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, DependOnNoCompiler) {
  Finished libraries = runProgram({"/usr/bin/env", "ldd", GetParam()});
  ASSERT_EQ(libraries.status, 0) << libraries.errors;
  EXPECT_THAT(libraries.output, testing::HasSubstr("libc.so"));
  for (const char *unwanted : {"LLVM", "MLIR", "Halide", "python"})
    EXPECT_THAT(libraries.output, testing::Not(testing::HasSubstr(unwanted)));
}

TEST_P(Programs, AreSmall) {
  // Both programs may be tested at the same time.
  std::string copy =
      testing::TempDir() + "stripped_" + std::filesystem::path(GetParam()).filename().string();
  ASSERT_EQ(runProgram({"/usr/bin/env", "strip", "-o", copy, GetParam()}).status, 0);
  EXPECT_LT(std::filesystem::file_size(copy), 10'000'000u);
  std::filesystem::remove(copy);
}

INSTANTIATE_TEST_SUITE_P(All, Programs, testing::Values(TRAINER, TRANSLATE));

} // namespace
