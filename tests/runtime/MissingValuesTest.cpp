// Initial values are drawn when something needs them; nobody can tell, but for the time it takes.
#include "runtime/core/FiniteCheck.h"
#include "runtime/core/Session.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

#include <algorithm>
#include <cmath>
#include <thread>

using namespace axloom::runtime;
using testing::Each;
using testing::ElementsAreArray;

namespace {

std::vector<float> tableOf(const Model &model) {
  Tensor table = model.variable("table");
  return {table.view<float>().begin(), table.view<float>().end()};
}

Tensor ones() {
  Tensor table(AXL_F32, {10});
  std::ranges::fill(table.view<float>(), 1.f);
  return table;
}

TEST(MissingValues, WhatIsWrittenFirstIsNotDrawn) {
  Model model(fake::model, 3), other(fake::model, 3);
  model.writeVariable("table", ones());
  EXPECT_TRUE(model.internals().missing.any);
  EXPECT_THAT(tableOf(model), Each(1.f));
  EXPECT_THAT(model.variable("weight").view<float>(),
              ElementsAreArray(other.variable("weight").view<float>()));
  EXPECT_FALSE(model.internals().missing.any);
}

TEST(MissingValues, AreDrawnOnce) {
  Model model(fake::model, 3);
  model.variable("weight");
  model.writeVariable("table", ones());
  EXPECT_THAT(tableOf(model), Each(1.f));
}

TEST(MissingValues, OfANewSeedReplaceAllOthers) {
  Model model(fake::model, 3), other(fake::model, 4);
  model.writeVariable("table", ones());
  model.initialize(4);
  EXPECT_EQ(tableOf(model), tableOf(other));
}

TEST(MissingValues, AreNotSearchedForInfinity) {
  Model model(fake::model, 3);
  Tensor table = ones();
  std::ranges::fill(table.view<float>(), NAN);
  model.writeVariable("table", table);
  model.checkFinite(true);
  float x = 1, factor = 2, y = 0;
  auto scale = [&] {
    model.call("scale", {{"x", View<float>(&x, {1, 1})}, {"factor", View<float>(factor)}},
               {{"y", View<float>(&y, {1, 1})}});
  };
  expectError(AXL_ERROR_NOT_FINITE, testing::HasSubstr("variable 'table' is not finite"), scale);
  model.initialize(3);
  scale();
  EXPECT_EQ(y, 2);
  model.writeVariable("table", table);
  model.initialize(3);
  checkFiniteVariables(model.internals());
}

// Each session's first call may be the model's.
TEST(MissingValues, AreThereForAllSessions) {
  for (int round = 0; round < 20; ++round) {
    Model model(fake::model, 3);
    auto evaluate = [&](float &loss) {
      Session session(model, {{"B", 1}, {"S", 2}, {"T", 1}});
      Tensor source(AXL_I32, {1, 2});
      std::ranges::fill(source.view<int32_t>(), 7);
      session.call("evaluate", {{"source", source}}, {{"loss", View<float>(loss)}});
    };
    float loss = 0, otherLoss = 0, expected = 0;
    std::thread other([&] { evaluate(otherLoss); });
    evaluate(loss);
    other.join();
    float distance = tableOf(Model(fake::model, 3))[7] - 7;
    expected = distance * distance;
    EXPECT_FLOAT_EQ(loss, expected);
    EXPECT_FLOAT_EQ(otherLoss, expected);
  }
}

} // namespace
