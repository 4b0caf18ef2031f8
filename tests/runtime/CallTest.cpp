// What calls check before anything runs, and what they hand over.
#include "runtime/Runtime.h"
#include "runtime/core/FiniteCheck.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

using namespace axloom::runtime;

namespace {

class Call : public testing::Test {
protected:
  Call() : x(Tensor::of<float>({5, 3})), y(Tensor::of<float>({5, 3})) {
    std::iota(x.view<float>().begin(), x.view<float>().end(), 1.f);
  }

  // The error of a call of scale with these tensors.
  void expectScaleError(axl_code code, const std::string &message, AnyView in, AnyView out) {
    expectError(code, message, [&] {
      model.call("scale", {{"x", in}, {"factor", View<const float>(factor)}}, {{"y", out}});
    });
  }

  Model model{fake::model};
  Tensor x, y;
  float factor = 2;
};

TEST_F(Call, AMovedTensorHasNoMemory) {
  Tensor other = std::move(x);
  EXPECT_EQ(other.size(), 15);
  EXPECT_EQ(x.data(), nullptr);
  x = std::move(other);
  EXPECT_EQ(x.size(), 15);
}

TEST_F(Call, ByNameInAnyOrder) {
  model.call("scale", {{"factor", View<float>(factor)}, {"x", x}}, {{"y", y}});
  for (int i = 0; i < 15; ++i)
    EXPECT_EQ(y.view<float>()[i], 2.f * float(i + 1));
}

TEST_F(Call, ByIndexInTheOrderOfTheTables) {
  const AnyView arguments[] = {x, View<float>(factor)}, results[] = {y};
  model.call(model.function("scale"), arguments, results);
  EXPECT_EQ(y.view<float>()[14], 30);
}

TEST_F(Call, RunAllocatesResults) {
  auto results = model.run("scale", {{"x", x}, {"factor", View<float>(factor)}});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].name, "y");
  EXPECT_THAT(results[0].tensor.extents(), testing::ElementsAre(5, 3));
  EXPECT_EQ(results[0].tensor.view<float>()[14], 30);
}

TEST_F(Call, EveryBatchSizeUpToTheMaximum) {
  for (int64_t batch = 0; batch <= 8; ++batch) {
    Tensor in(AXL_F32, {batch, 3}), out(AXL_F32, {batch, 3});
    std::iota(in.view<float>().begin(), in.view<float>().end(), 0.f);
    model.call("scale", {{"x", in}, {"factor", View<float>(factor)}}, {{"y", out}});
    for (int64_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(out.view<float>()[i], 2.f * float(i)) << "batch " << batch;
  }
}

TEST_F(Call, DeviceMemoryIsAligned) {
  const axl_device *cpu = axl_cpu_device();
  for (int64_t bytes : {0, 1, 64, 65, 5'000'000}) {
    axl_memory memory;
    ASSERT_EQ(cpu->allocate(cpu, bytes, &memory), AXL_OK);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % AXL_ALIGNMENT, 0u);
    std::memset(static_cast<void *>(memory), 1, size_t(bytes));
    cpu->release(cpu, memory);
  }
}

#ifndef __SANITIZE_ADDRESS__ // it ends programs that ask for too much
TEST_F(Call, NoMemoryLeftIsAnError) {
  const axl_device *cpu = axl_cpu_device();
  axl_memory none;
  EXPECT_EQ(cpu->allocate(cpu, int64_t(1) << 60, &none), AXL_ERROR_MEMORY);
  EXPECT_STREQ(axl_last_error(), "the machine has no memory left");
}
#endif

TEST_F(Call, NamesUnknownFunctions) {
  expectError(AXL_ERROR_ARGUMENT,
              "model 'fake' has no function named 'scales'; it has: scale, train_step, evaluate, "
              "encode, decode_step, broken",
              [&] { model.call("scales", {}, {}); });
}

TEST_F(Call, NamesMissingUnknownAndDoubledArguments) {
  expectError(AXL_ERROR_ARGUMENT,
              "scale of model 'fake': argument 'factor' is missing; its arguments are: x, factor "
              "(model.cpp:20)",
              [&] { model.call("scale", {{"x", x}}, {{"y", y}}); });
  expectError(AXL_ERROR_ARGUMENT,
              "scale of model 'fake': argument 'bias' is unknown; its arguments are: x, factor "
              "(model.cpp:20)",
              [&] {
                model.call("scale", {{"x", x}, {"factor", View<float>(factor)}, {"bias", x}},
                           {{"y", y}});
              });
  expectError(AXL_ERROR_ARGUMENT,
              "scale of model 'fake': argument 'x' is passed twice; its arguments are: x, factor "
              "(model.cpp:20)",
              [&] {
                model.call("scale", {{"x", x}, {"x", x}, {"factor", View<float>(factor)}},
                           {{"y", y}});
              });
  expectError(AXL_ERROR_ARGUMENT,
              "scale of model 'fake': result 'y' is missing; its results are: y (model.cpp:20)",
              [&] { model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {}); });
}

TEST_F(Call, ChecksTypesAndRanks) {
  expectScaleError(AXL_ERROR_ARGUMENT,
                   "scale of model 'fake': argument 'x' must be f32 [batch: B, position: S], but a "
                   "tensor of i32 [5, 3] was passed (model.cpp:20)",
                   Tensor::of<int32_t>({5, 3}), y);
  expectScaleError(AXL_ERROR_ARGUMENT,
                   "scale of model 'fake': argument 'x' must be f32 [batch: B, position: S], but a "
                   "tensor of f32 [15] was passed (model.cpp:20)",
                   Tensor::of<float>({15}), y);
}

TEST_F(Call, ChecksThatSizesAgree) {
  expectScaleError(AXL_ERROR_SIZE,
                   "scale of model 'fake': size S must be 3 as in the other tensors of this call "
                   "or session, but axis 'position' of result 'y' has size 4 (model.cpp:20)",
                   x, Tensor::of<float>({5, 4}));
}

TEST_F(Call, ChecksMaxima) {
  expectScaleError(AXL_ERROR_SIZE,
                   "scale of model 'fake': size B is 9 (axis 'batch' of argument 'x'), but the "
                   "model was compiled for at most 8 (model.cpp:20)",
                   Tensor::of<float>({9, 3}), Tensor::of<float>({9, 3}));
}

TEST_F(Call, ChecksMemory) {
  expectScaleError(AXL_ERROR_ARGUMENT,
                   "scale of model 'fake': argument 'x' has no memory (null) (model.cpp:20)",
                   View<float>(nullptr, {5, 3}), y);
  for (int64_t extent : {INT64_MAX, int64_t(1) << 32, int64_t(1) << 31})
    expectScaleError(AXL_ERROR_ARGUMENT,
                     concat("scale of model 'fake': argument 'x' is larger than any memory: f32 [",
                            extent, ", ", extent, "] (model.cpp:20)"),
                     View<float>(nullptr, {extent, extent}), y);
  const Tensor constant(AXL_F32, {5, 3});
  expectScaleError(AXL_ERROR_ARGUMENT,
                   "scale of model 'fake': result 'y' was given memory that is read only", x,
                   constant);
}

TEST_F(Call, ResultsNeedMemoryOfTheirOwn) {
  Tensor x(AXL_F32, {5, 3});
  float *numbers = x.view<float>().data();
  expectScaleError(AXL_ERROR_ARGUMENT,
                   "scale of model 'fake': result 'y' was given memory that argument 'x' has; give "
                   "each result memory of its own (model.cpp:20)",
                   View<float>(numbers, {2, 3}), View<float>(numbers + 5, {2, 3}));
  float factor = 2; // side by side is enough
  model.call("scale", {{"x", View<float>(numbers, {2, 3})}, {"factor", View<float>(factor)}},
             {{"y", View<float>(numbers + 6, {2, 3})}});
}

TEST_F(Call, ChecksValuesThatIndexATable) {
  for (int32_t wrong : {-1, 10}) {
    Tensor source(AXL_I32, {1, 3});
    source.view<int32_t>()[2] = wrong;
    float loss = 7;
    expectError(
        AXL_ERROR_ARGUMENT,
        concat("evaluate of model 'fake': argument 'source' has ", wrong,
               " as element 2; values must be at least 0 and below 10 (model.cpp:20)"),
        [&] { model.call("evaluate", {{"source", source}}, {{"loss", View<float>(loss)}}); });
    EXPECT_EQ(loss, 7) << "nothing may run";
  }
}

TEST_F(Call, NamesKernelMessageAndLine) {
  float result;
  expectError(AXL_ERROR_KERNEL,
              "broken of model 'fake': kernel 'report': the tile does not fit (model.cpp:30)",
              [&] { model.call("broken", {}, {{"y", View<float>(result)}}); });
}

TEST_F(Call, WorksAfterAnError) {
  float result;
  EXPECT_THROW(model.call("broken", {}, {{"y", View<float>(result)}}), Error);
  model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {{"y", y}});
  EXPECT_EQ(y.view<float>()[0], 2);
}

TEST_F(Call, FunctionsWithStateNeedASession) {
  Tensor source(AXL_I32, {1, 2});
  expectError(AXL_ERROR_ARGUMENT,
              "encode of model 'fake' keeps state in a session; call it through a Session",
              [&] { model.call("encode", {{"source", source}}, {}); });
}

TEST_F(Call, RefusesAnotherAbi) {
  axl_model other = fake::model;
  other.abi_version = 0;
  expectError(
      AXL_ERROR_ABI,
      concat("model 'fake' was generated for version 0 of the runtime's interface, but this "
             "is version ",
             AXL_ABI_VERSION, "; generate it again"),
      [&] { Model{other}; });
}

TEST_F(Call, RefusesUnknownDevices) {
  axl_model other = fake::model;
  other.device = "abacus";
  expectError(AXL_ERROR_ABI,
              "the model was compiled for device 'abacus', which this program does not have; it "
              "has: cpu",
              [&] { Model{other}; });
}

TEST_F(Call, FindsTheFirstTensorThatIsNotFinite) {
  Tensor source(AXL_I32, {1, 3});
  source.view<int32_t>()[1] = 4;
  float loss;
  fake::poison = 4;
  model.checkFinite(true);
  expectError(AXL_ERROR_NOT_FINITE,
              "evaluate of model 'fake': tensor 'error', written by kernel 'token_error', is not "
              "finite at [0, 1] (model.cpp:30)",
              [&] { model.call("evaluate", {{"source", source}}, {{"loss", View<float>(loss)}}); });
  fake::poison = -1;
  model.call("evaluate", {{"source", source}}, {{"loss", View<float>(loss)}});
}

TEST_F(Call, ChecksTheMemoryOfVariables) {
  Tensor table = model.variable("table");
  axl_host_tensor nowhere{nullptr, AXL_F32, 1, {table.extents()[0]}};
  expectError(AXL_ERROR_ARGUMENT,
              "the tensor passed for variable 'table' of model 'fake' has no memory (null)",
              [&] { model.writeVariable("table", AnyView(nowhere, false)); });
  int32_t index = model.findVariable("table");
  expectError(AXL_ERROR_ARGUMENT,
              "variable 'table' of model 'fake' was to be copied into memory that is read only",
              [&] { model.readVariable(index, View<const float>(table.view<float>())); });
}

TEST_F(Call, ChecksIndicesOfVariables) {
  Tensor table = model.variable("table");
  expectError(AXL_ERROR_ARGUMENT, "model 'fake' has no variable number 99; it has 5",
              [&] { model.writeVariable(99, table); });
  expectError(AXL_ERROR_ARGUMENT, "model 'fake' has no variable number -1; it has 5",
              [&] { model.readVariable(-1, table); });
  int32_t index = 0;
  while (fake::model.variables[index].kind != AXL_SESSION)
    ++index;
  expectError(AXL_ERROR_ARGUMENT, "variable 'heard' of model 'fake' belongs to its sessions",
              [&] { model.writeVariable(index, table); });
}

TEST_F(Call, NoTensorHasFewerThanNoElements) {
  expectError(AXL_ERROR_ARGUMENT, "axis 1 of a tensor cannot have -1 elements",
              [] { Tensor(AXL_F32, {2, -1}); });
  expectError(AXL_ERROR_MEMORY,
              "no memory for a tensor of f32 [1099511627776, 1099511627776]: it is too large",
              [] { Tensor(AXL_F32, {int64_t(1) << 40, int64_t(1) << 40}); });
}

TEST_F(Call, FindsVariablesAndArgumentsThatAreNotFinite) {
  model.checkFinite(true);
  x.view<float>()[4] = std::numeric_limits<float>::infinity();
  expectScaleError(AXL_ERROR_NOT_FINITE,
                   "argument 'x' of scale is not finite at [1, 1] (model.cpp:20)", x, y);
  Tensor table(AXL_F32, {10});
  table.view<float>()[7] = std::numeric_limits<float>::quiet_NaN();
  model.writeVariable("table", table);
  expectScaleError(AXL_ERROR_NOT_FINITE, "variable 'table' is not finite at [7] (model.cpp:10)", y,
                   x);
}

// The fake model with `scale` alone, which takes x as elements of another type and does nothing.
struct TypedScale {
  explicit TypedScale(int32_t type) {
    arguments[0].type = type;
    scale.arguments = arguments;
    scale.entry = [](axl_context *, const axl_tensor *, const axl_tensor *) { return int(AXL_OK); };
    model.functions = &scale;
    model.function_count = 1;
  }

  axl_function scale = fake::model.functions[0];
  axl_value arguments[2] = {scale.arguments[0], scale.arguments[1]};
  axl_model model = fake::model;
};

template <class T> void expectInfinityIsFound(T largest, T infinity) {
  TypedScale typed(elementTag<T>);
  Model model(typed.model);
  model.checkFinite(true);
  Tensor x = Tensor::of<T>({5, 3}), y(AXL_F32, {5, 3});
  float factor = 2;
  auto call = [&] { model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {{"y", y}}); };
  std::ranges::fill(x.view<T>(), largest);
  call();
  x.view<T>()[4] = infinity;
  expectError(AXL_ERROR_NOT_FINITE, "argument 'x' of scale is not finite at [1, 1] (model.cpp:20)",
              call);
}

TEST(FiniteCheck, KnowsTheNumbersOfEachType) {
  using Float = std::numeric_limits<float>;
  using Double = std::numeric_limits<double>;
  expectInfinityIsFound(Float::max(), Float::infinity());
  expectInfinityIsFound(Double::max(), Double::infinity());
  expectInfinityIsFound(std::bit_cast<BFloat16>(uint16_t(0x7f7f)), BFloat16(Float::infinity()));
}

TEST(FiniteCheck, FollowsStrides) {
  Model model(fake::model);
  float columns[] = {1, 1, std::numeric_limits<float>::infinity(), 1, 1, 1};
  const axl_tensor y{reinterpret_cast<axl_memory>(columns), 0, AXL_F32, 2, {3, 2}, {1, 3}};
  const axl_operand result{"y", AXL_WRITE, {}, {}, 2};
  const axl_kernel kernel{"turn", 0, nullptr, 1, &result, 0, nullptr, 0, 2, nullptr, 0, nullptr};
  EXPECT_EQ(checkFiniteResults(model.internals(), kernel, &y), AXL_ERROR_NOT_FINITE);
  EXPECT_STREQ(axl_last_error(),
               "tensor 'y', written by kernel 'turn', is not finite at [2, 0] (model.cpp:30)");
}

} // namespace
