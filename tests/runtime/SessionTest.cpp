// Sessions: state of their own, sizes that are fixed, several at the same time.
#include "runtime/Runtime.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

#include <thread>

using namespace axloom::runtime;

namespace {

TEST(Session, KeepsItsOwnState) {
  Model model(fake::model);
  Session first(model, {{"B", 1}, {"S", 2}, {"T", 4}}),
      second(model, {{"B", 1}, {"S", 2}, {"T", 4}});
  Tensor source(AXL_I32, {1, 2});
  source.view<int32_t>()[0] = 5;
  first.call("encode", {{"source", source}}, {});
  EXPECT_EQ(first.variable("heard").view<int32_t>()[0], 5);
  EXPECT_EQ(second.variable("heard").view<int32_t>()[0], 0);
}

TEST(Session, StateStaysFromCallToCall) {
  Model model(fake::model);
  Session session(model, {{"B", 2}, {"S", 2}, {"T", 4}});
  for (int32_t position = 0; position < 4; ++position) {
    int32_t tokens[] = {10 + position, 20 + position}, next[2];
    session.call("decode_step",
                 {{"token", View<int32_t>(tokens, {2})}, {"position", View<int32_t>(position)}},
                 {{"next", View<int32_t>(next, {2})}});
  }
  EXPECT_THAT(session.variable("said").view<int32_t>(),
              testing::ElementsAre(10, 11, 12, 13, 20, 21, 22, 23));
}

TEST(Session, SizesAreFixedUntilReset) {
  Model model(fake::model);
  Session session(model, {{"B", 2}, {"S", 2}, {"T", 4}});
  Tensor source(AXL_I32, {2, 3});
  expectError(AXL_ERROR_SIZE,
              "encode of model 'fake': size S must be 2 as in the other tensors of this call or "
              "session, but axis 'position' of argument 'source' has size 3 (model.cpp:20)",
              [&] { session.call("encode", {{"source", source}}, {}); });
  const NamedSize sizes[] = {{"B", 2}, {"S", 3}, {"T", 4}};
  session.reset(sizes);
  session.call("encode", {{"source", source}}, {});
}

TEST(Session, ResetRestoresInitialValues) {
  Model model(fake::model);
  const NamedSize sizes[] = {{"B", 1}, {"S", 1}, {"T", 1}};
  Session session(model, sizes);
  Tensor source(AXL_I32, {1, 1});
  source.view<int32_t>()[0] = 5;
  session.call("encode", {{"source", source}}, {});
  session.reset(sizes);
  EXPECT_EQ(session.variable("heard").view<int32_t>()[0], 0);
}

TEST(Session, ChecksItsSizes) {
  Model model(fake::model);
  expectError(AXL_ERROR_ARGUMENT, "model 'fake' has no size named 'X'; it has: B, S, T",
              [&] { Session(model, {{"X", 1}}); });
  expectError(AXL_ERROR_SIZE,
              "size B of a session of model 'fake' is 9; it must be at least 0 and at most 8",
              [&] { Session(model, {{"B", 9}}); });
  expectError(
      AXL_ERROR_SIZE,
      "variable 'said' of model 'fake' is i32 [batch: B, time: T] (model.cpp:20): a session "
      "needs the value of each of these sizes",
      [&] { Session(model, {{"B", 1}, {"S", 1}}); });
  expectError(AXL_ERROR_ARGUMENT, "size B of a session of model 'fake' is given twice",
              [&] { Session(model, {{"B", 1}, {"S", 1}, {"T", 1}, {"B", 2}}); });
}

TEST(Session, NoSizeIsTooLargeToCount) {
  constexpr int64_t large = int64_t(1) << 40;
  std::vector<axl_symbol> symbols(fake::model.symbols,
                                  fake::model.symbols + fake::model.symbol_count);
  for (axl_symbol &symbol : symbols)
    symbol.maximum = large;
  axl_model description = fake::model;
  description.symbols = symbols.data();
  Model model(description);
  expectError(AXL_ERROR_MEMORY,
              "no memory for variable 'heard' of model 'fake', i32 [batch: B, position: S] "
              "(model.cpp:20): it is too large",
              [&] { Session(model, {{"B", large}, {"S", large}, {"T", 1}}); });
  // Each variable has 2^62 bytes.
  expectError(
      AXL_ERROR_MEMORY,
      "no memory for variable 'said' of model 'fake', i32 [batch: B, time: T] "
      "(model.cpp:20): it is too large",
      [&] { Session(model, {{"B", large}, {"S", int64_t(1) << 20}, {"T", int64_t(1) << 20}}); });
}

TEST(Session, AFailedResetChangesNothing) {
  Model model(fake::model);
  const NamedSize sizes[] = {{"B", 1}, {"S", 1}, {"T", 1}}, tooLarge[] = {{"B", 1}, {"S", 99}},
                  tooFew[] = {{"B", 2}, {"S", 2}};
  Session session(model, sizes);
  EXPECT_THROW(session.reset(tooLarge), Error);
  EXPECT_THROW(session.reset(tooFew), Error);
  EXPECT_EQ(session.variable("heard").extent(0), 1);
  Tensor source(AXL_I32, {1, 2});
  EXPECT_THROW(session.call("encode", {{"source", source}}, {}), Error); // S is still 1
}

TEST(Session, ErrorsOfGeneratedCodeNameTheFunction) {
  Model model(fake::model);
  Session session(model, {{"B", 1}, {"S", 1}, {"T", 1}});
  int32_t token = 1, position = 1, next;
  expectError(AXL_ERROR_SIZE, "decode_step of model 'fake': the cache is full", [&] {
    session.call("decode_step",
                 {{"token", View<int32_t>(&token, {1})}, {"position", View<int32_t>(position)}},
                 {{"next", View<int32_t>(&next, {1})}});
  });
}

TEST(Session, SeveralRunAtTheSameTime) {
  Model model(fake::model);
  std::vector<std::thread> threads;
  std::vector<int32_t> found(4);
  for (int32_t index = 0; index < 4; ++index)
    threads.emplace_back([&, index] {
      Session session(model, {{"B", 1}, {"S", 1}, {"T", 1}});
      Tensor source(AXL_I32, {1, 1});
      source.view<int32_t>()[0] = index;
      for (int round = 0; round < 100; ++round)
        session.call("encode", {{"source", source}}, {});
      found[size_t(index)] = session.variable("heard").view<int32_t>()[0];
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_THAT(found, testing::ElementsAre(0, 1, 2, 3));
}

} // namespace
