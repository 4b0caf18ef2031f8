// A device with a memory of its own: the runtime must never look into its handles.
#include "runtime/Runtime.h"
#include "runtime/core/FiniteCheck.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

using namespace axloom::runtime;

namespace {

// Handles are small numbers; whoever takes one for a pointer crashes.
std::map<intptr_t, std::vector<char>> blocks;
intptr_t lastHandle = 0;
int64_t limit = 1 << 20;
bool refusesCopies = false;

char *hostOf(axl_memory memory) { return blocks.at(reinterpret_cast<intptr_t>(memory)).data(); }

axl_tensor onHost(axl_tensor tensor) {
  tensor.memory = reinterpret_cast<axl_memory>(hostOf(tensor.memory));
  return tensor;
}

const axl_device device{
    "far away",
    0,
    nullptr,
    [](const axl_device *, int64_t bytes, axl_memory *memory) {
      if (bytes > limit)
        return axl_report(AXL_ERROR_MEMORY, "the far away device is full");
      blocks[++lastHandle].resize(size_t(bytes));
      *memory = reinterpret_cast<axl_memory>(lastHandle);
      return int(AXL_OK);
    },
    [](const axl_device *, axl_memory memory) { blocks.erase(reinterpret_cast<intptr_t>(memory)); },
    [](const axl_device *, axl_memory to, int64_t offset, const void *from, int64_t bytes) {
      if (refusesCopies)
        return axl_report(AXL_ERROR_KERNEL, "the far away device is asleep");
      std::memcpy(hostOf(to) + offset, from, size_t(bytes));
      return int(AXL_OK);
    },
    [](const axl_device *, void *to, axl_memory from, int64_t offset, int64_t bytes) {
      std::memcpy(to, hostOf(from) + offset, size_t(bytes));
      return int(AXL_OK);
    },
    [](const axl_device *, const axl_tensor *to, const axl_tensor *from) {
      axl_tensor hostTo = onHost(*to), hostFrom = onHost(*from);
      return axl_copy_on_host(&hostTo, &hostFrom);
    },
    [](const axl_device *, const axl_kernel *kernel, int32_t count, const axl_tensor *tensors,
       const int32_t *sizes) {
      std::vector<axl_tensor> host;
      for (int32_t i = 0; i < count * kernel->operand_count; ++i)
        host.push_back(onHost(tensors[i]));
      return axl_run_sets_on_host(kernel, count, host.data(), sizes);
    },
    [](const axl_device *) { return int(AXL_OK); }};

class Device : public testing::Test {
protected:
  Device() {
    axl_register_device(&device);
    description.device = "far away";
  }
  ~Device() override { limit = 1 << 20; }

  axl_model description = fake::model;
};

TEST_F(Device, CallsMoveArgumentsAndResults) {
  Model model(description);
  Tensor x(AXL_F32, {5, 3}), y(AXL_F32, {5, 3});
  std::iota(x.view<float>().begin(), x.view<float>().end(), 1.f);
  float factor = 3;
  model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {{"y", y}});
  for (int i = 0; i < 15; ++i)
    EXPECT_EQ(y.view<float>()[i], 3.f * float(i + 1));
}

TEST_F(Device, VariablesMoveToo) {
  Model far(description, 9), near(fake::model, 9);
  EXPECT_THAT(far.variable("table").view<float>(),
              testing::ElementsAreArray(near.variable("table").view<float>()));
  Tensor table(AXL_F32, {10});
  table.view<float>()[2] = 8;
  far.writeVariable("table", table);
  EXPECT_EQ(far.variable("table").view<float>()[2], 8);
}

TEST_F(Device, SessionsLiveThereToo) {
  Model model(description);
  Session session(model, {{"B", 1}, {"S", 2}, {"T", 4}});
  Tensor source(AXL_I32, {1, 2});
  source.view<int32_t>()[1] = 6;
  session.call("encode", {{"source", source}}, {});
  EXPECT_EQ(session.variable("heard").view<int32_t>()[1], 6);
}

// Variables of the new sizes without values, beside the old sizes, would be written past their end.
TEST_F(Device, AfterAResetThatFailsASessionIsOfNoUseUntilTheNextOne) {
  Model model(description);
  const NamedSize sizes[] = {{"B", 1}, {"S", 2}, {"T", 4}},
                  smaller[] = {{"B", 1}, {"S", 1}, {"T", 1}};
  Session session(model, sizes);
  refusesCopies = true;
  expectError(AXL_ERROR_KERNEL, "the far away device is asleep", [&] { session.reset(smaller); });
  refusesCopies = false;
  Tensor source(AXL_I32, {1, 2});
  auto encode = [&] { session.call("encode", {{"source", source}}, {}); };
  expectError(AXL_ERROR_ARGUMENT, testing::HasSubstr("reset it again"), encode);
  expectError(AXL_ERROR_ARGUMENT, testing::HasSubstr("reset it again"),
              [&] { session.variable("heard"); });
  session.reset(sizes);
  encode();
}

TEST_F(Device, InitialValuesThatItRefusesAreStillMissing) {
  Model model(description, 3);
  refusesCopies = true;
  expectError(AXL_ERROR_KERNEL, "the far away device is asleep", [&] { model.variable("table"); });
  refusesCopies = false;
  EXPECT_THAT(model.variable("table").view<float>(),
              testing::ElementsAreArray(Model(fake::model, 3).variable("table").view<float>()));
}

TEST_F(Device, ArgumentsThereAreSearchedForInfinity) {
  Model model(description);
  model.checkFinite(true);
  Tensor x(AXL_F32, {5, 3}), y(AXL_F32, {5, 3});
  float factor = 3;
  auto call = [&] { model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {{"y", y}}); };
  call();
  factor = INFINITY;
  expectError(AXL_ERROR_NOT_FINITE, "argument 'factor' of scale is not finite at [] (model.cpp:20)",
              call);
  x.view<float>()[14] = INFINITY;
  expectError(AXL_ERROR_NOT_FINITE, "argument 'x' of scale is not finite at [4, 2] (model.cpp:20)",
              call);
}

// Up to the end of the last row, and not between rows.
TEST_F(Device, ResultsWithPaddedRowsAreSearchedForInfinity) {
  Model model(description);
  const float rows[] = {1, 1, NAN, NAN, 1, INFINITY};
  axl_tensor y{nullptr, 0, AXL_F32, 2, {2, 2}, {4, 1}};
  ASSERT_EQ(device.allocate(&device, sizeof(rows), &y.memory), AXL_OK);
  ASSERT_EQ(device.copy_in(&device, y.memory, 0, rows, sizeof(rows)), AXL_OK);
  const axl_operand result{"y", AXL_WRITE, {}, {}, 2};
  const axl_kernel kernel{"pad", 0, nullptr, 1, &result, 0, nullptr, 0, 2, nullptr, 0, nullptr};
  EXPECT_EQ(checkFiniteResults(model.internals(), kernel, &y), AXL_ERROR_NOT_FINITE);
  EXPECT_STREQ(axl_last_error(),
               "tensor 'y', written by kernel 'pad', is not finite at [1, 1] (model.cpp:30)");
  device.release(&device, y.memory);
}

TEST(Devices, AreNoNullPointers) {
  EXPECT_EQ(axl_register_device(nullptr), AXL_ERROR_ARGUMENT);
  EXPECT_THAT(axl_last_error(), testing::HasSubstr("a null pointer was passed"));
}

TEST_F(Device, MemoryIsGivenBack) {
  {
    Model model(description);
  }
  EXPECT_TRUE(blocks.empty());
}

TEST_F(Device, AFullDeviceIsAnError) {
  limit = 10;
  expectError(AXL_ERROR_MEMORY, "the far away device is full", [&] { Model{description}; });
}

} // namespace
