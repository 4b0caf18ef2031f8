// The interface for C programs: codes and messages instead of exceptions.
#include "runtime/abi/axloom.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "tests/runtime/FakeModel.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

using namespace axloom::test;
using testing::ElementsAre;
using testing::HasSubstr;

extern "C" int scaleFromC(const axl_model *model, const float *x, float factor, float *y,
                          int64_t count);

namespace {

class Abi : public testing::Test {
protected:
  Abi() { EXPECT_EQ(axl_open(&fake::model, 1, &instance), AXL_OK); }
  ~Abi() override { axl_close(instance); }

  axl_instance *instance = nullptr;
};

TEST_F(Abi, KernelsAreCalledFromC) {
  const float x[] = {1, 2, 3};
  float y[3];
  ASSERT_EQ(scaleFromC(&fake::model, x, 2, y, 3), AXL_OK) << axl_last_error();
  EXPECT_THAT(y, ElementsAre(2, 4, 6));
  EXPECT_EQ(scaleFromC(&fake::model, x, 2, y, 17), AXL_ERROR_SIZE);
  EXPECT_STREQ(axl_last_error(), "scale of model 'fake': size S is 17 (axis 'position' of argument "
                                 "'x'), but the model was compiled for at most 16 (model.cpp:20)");
}

TEST_F(Abi, SessionsAndTheirSizes) {
  const int64_t sizes[] = {1, 2, 3};
  axl_session *session = nullptr;
  ASSERT_EQ(axl_session_open(instance, sizes, &session), AXL_OK) << axl_last_error();
  int32_t source[] = {4, 5}, token = 1, position = 1, next = 0;
  axl_host_tensor heard{source, AXL_I32, 2, {1, 2}}, answer{&next, AXL_I32, 1, {1}};
  ASSERT_EQ(axl_call(instance, session, 3, &heard, nullptr), AXL_OK) << axl_last_error();
  const axl_host_tensor step[] = {{&token, AXL_I32, 1, {1}}, {&position, AXL_I32, 0, {}}};
  ASSERT_EQ(axl_call(instance, session, 4, step, &answer), AXL_OK) << axl_last_error();
  EXPECT_EQ(next, 5);
  EXPECT_EQ(axl_call(instance, nullptr, 4, step, &answer), AXL_ERROR_ARGUMENT);
  axl_instance *other = nullptr;
  ASSERT_EQ(axl_open(&fake::model, 1, &other), AXL_OK);
  EXPECT_EQ(axl_call(other, session, 4, step, &answer), AXL_ERROR_ARGUMENT);
  EXPECT_THAT(axl_last_error(), HasSubstr("this session is one of another instance"));
  axl_close(other);
  axl_session_close(session);
}

TEST_F(Abi, SizesOfSessionsMayBeZero) {
  const int64_t sizes[] = {0, 2, 0};
  axl_session *session = nullptr;
  EXPECT_EQ(axl_session_open(instance, sizes, &session), AXL_OK) << axl_last_error();
  axl_session_close(session);
}

TEST_F(Abi, SizesOfSessionsMayNotBeNegative) {
  const int64_t sizes[] = {-1, 2, 3};
  axl_session *session = nullptr;
  EXPECT_EQ(axl_session_open(instance, sizes, &session), AXL_ERROR_SIZE);
  EXPECT_STREQ(axl_last_error(),
               "size B of a session of model 'fake' is -1; it must be at least 0 and at most 8");
}

TEST_F(Abi, VariablesAndCheckpoints) {
  TemporaryFolder folder;
  float table[10];
  axl_host_tensor tensor{table, AXL_F32, 1, {10}};
  ASSERT_EQ(axl_save(instance, folder.path("a").c_str()), AXL_OK) << axl_last_error();
  ASSERT_EQ(axl_variable_get(instance, "table", &tensor), AXL_OK);
  float before = table[3];
  table[3] = 100;
  ASSERT_EQ(axl_variable_set(instance, "table", &tensor), AXL_OK);
  ASSERT_EQ(axl_load(instance, folder.path("a").c_str()), AXL_OK) << axl_last_error();
  ASSERT_EQ(axl_variable_get(instance, "table", &tensor), AXL_OK);
  EXPECT_EQ(table[3], before);
  EXPECT_EQ(axl_load(instance, folder.path("b").c_str()), AXL_ERROR_FILE);
  EXPECT_EQ(axl_variable_get(instance, "tables", &tensor), AXL_ERROR_ARGUMENT);
  EXPECT_STREQ(axl_last_error(), "model 'fake' has no variable named 'tables'; it has: weight, "
                                 "table, count");
}

TEST_F(Abi, APartOfAModelTakesItsParameters) {
  TemporaryFolder folder;
  std::string path = folder.path("a");
  float saved[10], loaded[10];
  axl_host_tensor from{saved, AXL_F32, 1, {10}}, to{loaded, AXL_F32, 1, {10}};
  ASSERT_EQ(axl_save(instance, path.c_str()), AXL_OK) << axl_last_error();
  ASSERT_EQ(axl_variable_get(instance, "table", &from), AXL_OK);
  axl_model part = fake::model;
  part.variable_count = 2; // without the state
  part.function_count = 0;
  axl_instance *serving = nullptr;
  ASSERT_EQ(axl_open(&part, 2, &serving), AXL_OK) << axl_last_error();
  EXPECT_EQ(axl_load(serving, path.c_str()), AXL_ERROR_CHECKPOINT);
  EXPECT_EQ(axl_load_parameters(serving, path.c_str()), AXL_OK) << axl_last_error();
  EXPECT_EQ(axl_variable_get(serving, "table", &to), AXL_OK);
  EXPECT_THAT(loaded, testing::ElementsAreArray(saved));
  EXPECT_EQ(axl_load_parameters(serving, folder.path("b").c_str()), AXL_ERROR_FILE);
  axl_close(serving);
}

TEST_F(Abi, ThePositionOfTrainingIsKept) {
  using namespace axloom::runtime;
  TemporaryFolder folder;
  TrainingPosition position{.data = {3, 1}, .step = 7, .seed = 5, .tokens = 42};
  position.last = SeenBatch{{3, 0}, 99};
  saveCheckpoint(Model(fake::model), position, folder.path("a"));
  ASSERT_EQ(axl_load(instance, folder.path("a").c_str()), AXL_OK) << axl_last_error();
  ASSERT_EQ(axl_save(instance, folder.path("b").c_str()), AXL_OK) << axl_last_error();
  EXPECT_EQ(readFile(folder.path("b")), readFile(folder.path("a")));
}

TEST_F(Abi, NonsenseIsRefused) {
  axl_host_tensor tensor{nullptr, AXL_F32, 1000, {}};
  EXPECT_EQ(axl_variable_get(instance, "table", &tensor), AXL_ERROR_ARGUMENT);
  EXPECT_STREQ(axl_last_error(), "a tensor has 1000 axes; it must have at least 0 and at most 8");
  EXPECT_EQ(axl_call(instance, nullptr, 99, &tensor, &tensor), AXL_ERROR_ARGUMENT);
  EXPECT_STREQ(axl_last_error(), "model 'fake' has no function number 99");
  axl_model other = fake::model;
  other.abi_version = 99;
  axl_instance *none = nullptr;
  EXPECT_EQ(axl_open(&other, 1, &none), AXL_ERROR_ABI);
  EXPECT_EQ(none, nullptr);
}

TEST_F(Abi, NullIsRefused) {
  axl_session *session = nullptr;
  axl_instance *opened = nullptr;
  axl_host_tensor tensor{};
  auto refuses = [](const char *name, int code) {
    EXPECT_EQ(code, AXL_ERROR_ARGUMENT);
    EXPECT_EQ(axl_last_error(), "'" + std::string(name) + "' is NULL");
  };
  refuses("model", axl_open(nullptr, 1, &opened));
  refuses("instance", axl_open(&fake::model, 1, nullptr));
  refuses("instance", axl_session_open(nullptr, nullptr, &session));
  refuses("sizes", axl_session_open(instance, nullptr, &session));
  refuses("instance", axl_call(nullptr, nullptr, 0, &tensor, &tensor));
  const int64_t sizes[] = {1, 2, 3};
  refuses("session", axl_session_open(instance, sizes, nullptr));
  refuses("arguments", axl_call(instance, nullptr, 0, nullptr, &tensor));
  const axl_host_tensor tensors[2] = {};
  refuses("results", axl_call(instance, nullptr, 0, tensors, nullptr));
  refuses("model", axl_call_kernel(nullptr, 0, &tensor, &tensor));
  refuses("name", axl_variable_get(instance, nullptr, &tensor));
  refuses("tensor", axl_variable_set(instance, "table", nullptr));
  refuses("path", axl_save(instance, nullptr));
  refuses("instance", axl_load(nullptr, "checkpoint"));
  refuses("path", axl_load_parameters(instance, nullptr));
}

} // namespace
