// What kernels make of variables is made once, and again only after variables have changed.
#include "runtime/Runtime.h"
#include "tests/runtime/Expect.h"

#include <HalideRuntime.h>
#include <atomic>
#include <functional>
#include <future>
#include <thread>

using namespace axloom::runtime;

namespace {

// ---- a model that doubles its weight and adds one to it ----

float *dataOf(void *buffer) {
  return reinterpret_cast<float *>(static_cast<halide_buffer_t *>(buffer)->host);
}

std::atomic<int> made = 0;
bool failing = false;
std::atomic<float> times = 2;
std::function<void()> beforeHeldIsRead, beforeRefusal;

// weight: [2, 2], as a matrix; doubled: [4]
int doubleAll(void **given) {
  ++made;
  if (failing)
    return 1;
  EXPECT_EQ(static_cast<halide_buffer_t *>(given[0])->dimensions, 2);
  for (int i = 0; i < 4; ++i)
    dataOf(given[1])[i] = times * dataOf(given[0])[i];
  return 0;
}

const axl_operand operands[] = {{"weight", AXL_READ, {-1}, {0}, -1},
                                {"doubled", AXL_WRITE, {-1}, {0}, -1}};
const int32_t inOrder[] = {0, 1};
const axl_block block{doubleAll, 2, inOrder};
const axl_kernel kernel{"double", 0, nullptr, 2, operands, 1, &block, 0, -1, nullptr, 0, nullptr};
const axl_prepared_info doubled{0, 0, {AXL_F32, 2, {2, 2}}, {AXL_F32, 1, {4}}};

int read(axl_context *context, const axl_tensor *, const axl_tensor *results) {
  axl_tensor tensor;
  if (int code = axl_prepared(context, 0, &tensor))
    return code;
  return axl_copy(context, &results[0], &tensor);
}

int hold(axl_context *context, const axl_tensor *, const axl_tensor *results) {
  axl_tensor tensor;
  if (int code = axl_prepared(context, 0, &tensor))
    return code;
  beforeHeldIsRead();
  return axl_copy(context, &results[0], &tensor);
}

int refuse(axl_context *context, const axl_tensor *, const axl_tensor *) {
  axl_tensor tensor;
  if (int code = axl_prepared(context, 0, &tensor))
    return code;
  if (beforeRefusal)
    beforeRefusal();
  return axl_report(AXL_ERROR_KERNEL, "refused");
}

int change(axl_context *context, const axl_tensor *, const axl_tensor *) {
  const axl_tensor &weight = *axl_variable(context, 0);
  for (int i = 0; i < 4; ++i)
    ++reinterpret_cast<float *>(reinterpret_cast<char *>(weight.memory) + weight.offset)[i];
  return AXL_OK;
}

int spoil(axl_context *context, const axl_tensor *arguments, const axl_tensor *results) {
  change(context, arguments, results);
  return axl_report(AXL_ERROR_KERNEL, "no");
}

const char *const axes[] = {"in"};
constexpr axl_extent four = {4, {-1, -1, -1, -1}};
const axl_variable_info weight{
    {"weight", AXL_F32, 1, axes, &four, 0, -1}, AXL_PARAMETER, AXL_INIT_CONSTANT, {3, 0}};
const axl_value result{"y", AXL_F32, 1, axes, &four, 0, -1};
const axl_function functions[] = {{"read", 0, nullptr, 1, &result, 0, 0, read, -1, 0, nullptr},
                                  {"change", 0, nullptr, 0, nullptr, 0, 1, change, -1, 0, nullptr},
                                  {"spoil", 0, nullptr, 0, nullptr, 0, 1, spoil, -1, 0, nullptr},
                                  {"refuse", 0, nullptr, 0, nullptr, 0, 0, refuse, -1, 0, nullptr},
                                  {"hold", 0, nullptr, 1, &result, 0, 0, hold, -1, 0, nullptr}};
const axl_model model = {AXL_ABI_VERSION, "prepared", "00c0ffee", "x86-64-linux",
                         "cpu",           0,          nullptr,    0,
                         nullptr,         1,          &weight,    5,
                         functions,       1,          &kernel,    1,
                         &doubled,        0,          nullptr};

class PreparedTensors : public testing::Test {
protected:
  float call() {
    Tensor y = Tensor::of<float>({4});
    open.call("read", {}, {{"y", y}});
    return y.view<float>()[3];
  }
  // How often it is made while `action` runs.
  template <class Action> int making(Action action) {
    int before = made;
    action();
    return made - before;
  }

  Model open{model};
};

TEST_F(PreparedTensors, AreMadeOnce) {
  EXPECT_EQ(making([&] {
              EXPECT_EQ(call(), 6);
              EXPECT_EQ(call(), 6);
            }),
            1);
}

TEST_F(PreparedTensors, AreMadeAgainAfterAFunctionThatWritesVariables) {
  EXPECT_EQ(call(), 6);
  open.call("change", {}, {});
  EXPECT_EQ(making([&] { EXPECT_EQ(call(), 8); }), 1);
}

TEST_F(PreparedTensors, AreMadeAgainAfterAFunctionThatFailedOnceItHadWrittenVariables) {
  EXPECT_EQ(call(), 6);
  expectError(AXL_ERROR_KERNEL, "spoil of model 'prepared': no",
              [&] { open.call("spoil", {}, {}); });
  EXPECT_EQ(call(), 8);
}

TEST_F(PreparedTensors, AreMadeAgainAfterVariablesWereSet) {
  EXPECT_EQ(call(), 6);
  Tensor values = Tensor::of<float>({4});
  open.writeVariable("weight", values);
  EXPECT_EQ(call(), 0);
  open.initialize(1);
  EXPECT_EQ(call(), 6);
}

TEST_F(PreparedTensors, AreMadeAgainAfterAFailure) {
  failing = true;
  try {
    call();
    ADD_FAILURE() << "the kernel has failed";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), AXL_ERROR_KERNEL);
  }
  failing = false;
  EXPECT_EQ(call(), 6);
}

// Another session may be reading what a call that fails did not make.
TEST_F(PreparedTensors, StayWhereACallFailsThatDidNotMakeThem) {
  EXPECT_EQ(call(), 6);
  expectError(AXL_ERROR_KERNEL, "refuse of model 'prepared': refused",
              [&] { open.call("refuse", {}, {}); });
  EXPECT_EQ(making([&] { EXPECT_EQ(call(), 6); }), 0);
  open.initialize(1);
  expectError(AXL_ERROR_KERNEL, "refuse of model 'prepared': refused",
              [&] { open.call("refuse", {}, {}); });
  EXPECT_EQ(making([&] { EXPECT_EQ(call(), 6); }), 1);
}

// One call makes it and fails; another one has it by then, and still reads it when it is made
// again.
TEST_F(PreparedTensors, StayForThoseWhoReadThemWhenTheCallFailsThatMadeThem) {
  Session first(open, {}), second(open, {});
  std::promise<void> held, madeAgain;
  std::future<float> reader;
  beforeHeldIsRead = [&] {
    held.set_value();
    madeAgain.get_future().wait();
  };
  beforeRefusal = [&] {
    reader = std::async(std::launch::async, [&] {
      Tensor y = Tensor::of<float>({4});
      second.call("hold", {}, {{"y", y}});
      return y.view<float>()[3];
    });
    held.get_future().wait();
  };
  EXPECT_THROW(first.call("refuse", {}, {}), Error);
  times = 3; // as if the same weights were made into something else, to tell them apart
  EXPECT_EQ(call(), 9);
  madeAgain.set_value();
  EXPECT_EQ(reader.get(), 6);
  times = 2;
  beforeRefusal = {};
}

TEST_F(PreparedTensors, AreMadeOnceForAllSessions) {
  Session first(open, {}), second(open, {});
  auto ask = [](Session &session) {
    Tensor y = Tensor::of<float>({4});
    session.call("read", {}, {{"y", y}});
    EXPECT_EQ(y.view<float>()[0], 6);
  };
  EXPECT_EQ(making([&] {
              std::thread other([&] { ask(first); });
              ask(second);
              other.join();
            }),
            1);
}

} // namespace
