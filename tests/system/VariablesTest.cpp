// What a function gives beside a variable's new value comes of the old one, wherever the new one
// lies.
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace axloom;

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

std::vector<float> valuesOf(const runtime::Tensor &tensor) {
  auto view = tensor.view<float>();
  return {view.begin(), view.end()};
}
} // namespace

TEST(Variables, ResultsComeOfTheOldValue) {
  struct Sums : Program {
    Sums() { addSums(*this); }
  } program;
  test::CompiledExecutor executor;
  runtime::Model model(executor.compile(moduleOf(program))->model());
  auto x = runtime::Tensor::of<float>({rows, columns});
  std::iota(x.view<float>().begin(), x.view<float>().end(), 1.0f);
  std::vector<float> given = valuesOf(x), transposed, three;
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t row = 0; row < rows; ++row)
      transposed.push_back(given[row * columns + column]);
  for (float value : given)
    three.push_back(3 * value);
  auto change = [&](const char *function) {
    return valuesOf(model.run(function, {{"x", x}}).at(0).tensor);
  };
  EXPECT_EQ(change("add"), given);
  EXPECT_EQ(change("add_transposed"), transposed);
  EXPECT_EQ(change("add_by_place"), given);
  EXPECT_EQ(valuesOf(model.variable("sum")), three);
}
