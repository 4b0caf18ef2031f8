// The table of kernels: shares, and what the machine would need.
#include "runtime/profile/Profile.h"
#include "runtime/core/Model.h"
#include "tests/runtime/FakeModel.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace axloom::runtime;

namespace {

TEST(Profile, WorkIsCountedWithTheSizesOfACall) {
  const axl_product products[] = {{{3, {1, 0, -1}}, AXL_F32}, {{5, {-1}}, AXL_BF16}};
  const axl_operand operands[] = {{"x", AXL_READ, {}, {}, -1},
                                  {"y", AXL_WRITE, {}, {}, -1},
                                  {"sum", AXL_READ | AXL_WRITE | AXL_ZEROED, {}, {}, -1},
                                  {"table", AXL_READ | AXL_ROWS, {}, {}, -1}};
  axl_kernel kernel = {};
  kernel.operands = operands;
  kernel.operand_count = 4;
  kernel.products = products;
  kernel.product_count = 2;
  axl_tensor tensor = {};
  tensor.type = AXL_F32;
  tensor.rank = 2;
  tensor.extent[0] = 2;
  tensor.extent[1] = 10;
  const axl_tensor tensors[] = {tensor, tensor, tensor, tensor};
  const int64_t sizes[] = {7, 11};
  Work work = workOf(kernel, sizes, tensors);
  EXPECT_EQ(work.operations, 2 * (3 * 11 * 7 + 5));
  EXPECT_EQ(work.bf16Operations, 2 * 5);
  EXPECT_EQ(work.bytes, 80 + 80 + 3 * 80);
}

// 100 GFLOP/s and 10 GB/s: products of 1e9 operations need 10 ms, 1e9 bytes need 100 ms.
TEST(Profile, SortsByWhatIsLostAgainstTheLimit) {
  Profile profile(fake::model);
  profile.add(0, 0.030, {1e9, 1e6}); // loses 20 ms
  profile.add(1, 0.900, {0, 5e8});   // the first of several
  profile.add(1, 0.060, {0, 5e8});   // loses 10 ms of its 60
  profile.add(1, 0.060, {0, 5e8});
  EXPECT_EQ(
      profile.table({100, 10}),
      "profile of model 'fake': 3 launches, 0.150 s in kernels; the machine would need 0.110 s\n"
      "the machine: 100 GFLOP/s, 10.0 GB/s\n"
      "  share   total s  launches  ms each  GFLOP/s   GB/s   of its limit    lost s  kernel\n"
      " 20.0 %     0.030         1   30.000     33.3    0.0  products  33 %     0.020  "
      "multiply_rows (model.cpp:20)\n"
      " 80.0 %     0.120         2   60.000      0.0    8.3  memory    83 %     0.020  "
      "token_error (model.cpp:30)\n");
}

// Four tenths of the operations at 100 GFLOP/s, six at 200: 4 + 3 ms. A machine without
// instructions for bf16 needs 10.
TEST(Profile, ProductsOfBf16HaveAPeakOfTheirOwn) {
  Profile profile(fake::model);
  profile.add(0, 0.030, {1e9, 1e6, 6e8});
  EXPECT_THAT(profile.table({100, 10, 200}),
              testing::AllOf(testing::HasSubstr("the machine would need 0.007 s\n"),
                             testing::HasSubstr("the machine: 100 GFLOP/s, 200 of bf16, 10.0 GB/s"),
                             testing::HasSubstr("products  23 %")));
  EXPECT_THAT(profile.table({100, 10, 0}),
              testing::AllOf(testing::HasSubstr("the machine: 100 GFLOP/s, 10.0 GB/s"),
                             testing::HasSubstr("products  33 %")));
}

TEST(Profile, ModelsPrintItWhenTheyAreClosed) {
  setenv("AXLOOM_PROFILE", "1", true);
  testing::internal::CaptureStderr();
  {
    Model model(fake::model);
    Tensor x(AXL_F32, {2, 2}), y(AXL_F32, {2, 2});
    float factor = 1;
    for (int i = 0; i < 3; ++i)
      model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {{"y", y}});
  }
  unsetenv("AXLOOM_PROFILE");
  std::string table = testing::internal::GetCapturedStderr();
  EXPECT_THAT(table, testing::StartsWith("profile of model 'fake': 2 launches, "));
  EXPECT_THAT(table, testing::ContainsRegex("100\\.0 %  +[0-9.]+ +2 +[0-9.]+ +[0-9.]+ +[0-9.]+  "
                                            "[a-z]+ +[0-9]+ % +[0-9.]+  multiply_rows "
                                            "\\(model.cpp:20\\)\n"));
  EXPECT_THAT(table, testing::Not(testing::HasSubstr("descend")));
}

} // namespace
