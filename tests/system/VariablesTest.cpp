// What a function gives beside a variable's new value comes of the old one, wherever the new one
// lies.
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <gmock/gmock.h>

using namespace axloom;
using testing::Each;

namespace {
struct Row : Axis<"row"> {};
struct Column : Axis<"column"> {};

constexpr int64_t rows = 4, columns = 8;

/// Each adds x to the sum and gives by how much that has changed.
void addSums(Program &program) {
  auto sum = program.state<float, Row, Column>("sum", init::zeros(), rows, columns);
  auto place = [] { return cast<float>(iota<Row>(rows)); };
  program.function("add", [&](Function &f) {
    auto next = sum + f.argument<float, Row, Column>("x", rows, columns);
    assign(sum, next);
    f.result<Row, Column>("change", next - sum);
  });
  program.function("add_transposed", [&](Function &f) {
    auto next = sum + f.argument<float, Row, Column>("x", rows, columns);
    assign(sum, next);
    f.result<Column, Row>("change", next - sum);
  });
  program.function("add_by_place", [&](Function &f) {
    auto next = sum + f.argument<float, Row, Column>("x", rows, columns) + place() * 0.0f;
    assign(sum, next);
    f.result<Row, Column>("change", next - sum + place() - place());
  });
}
} // namespace

TEST(Variables, ResultsComeOfTheOldValue) {
  struct Sums : Program {
    Sums() { addSums(*this); }
  } program;
  test::CompiledExecutor executor;
  runtime::Model model(executor.compile(moduleOf(program))->model());
  auto x = runtime::Tensor::of<float>({rows, columns});
  std::ranges::fill(x.view<float>(), 2.0f);
  for (const char *function : {"add", "add_transposed", "add_by_place"}) {
    auto results = model.run(function, {{"x", x}});
    EXPECT_THAT(results.at(0).tensor.view<float>(), Each(2)) << function;
  }
  EXPECT_THAT(model.variable("sum").view<float>(), Each(6));
}
