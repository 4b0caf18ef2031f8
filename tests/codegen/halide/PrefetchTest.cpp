#include "codegen/halide/PrefetchOffsets.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace Halide::Internal;

namespace {

constexpr int lineBytes = 64;

// Steps from line to line in the prefetches of a function, in elements.
class LineSteps : public IRVisitor {
public:
  explicit LineSteps(const Stmt &body) { body.accept(this); }
  std::vector<int64_t> steps;

private:
  using IRVisitor::visit;

  void visit(const For *loop) override {
    if (loop->name.starts_with("prefetch_split_"))
      line = loop->name;
    IRVisitor::visit(loop);
  }

  void visit(const Call *call) override {
    if (call->is_intrinsic(Call::prefetch)) {
      Halide::Expr step =
          simplify(substitute(line, 1, call->args[1]) - substitute(line, 0, call->args[1]));
      steps.push_back(as_const_int(step).value_or(-1));
    }
    IRVisitor::visit(call);
  }

  std::string line;
};

// Reads rows of 256 bytes, each asked for while the row before is read.
template <typename T> Stmt readsRows() {
  Halide::Var x("x"), y("y");
  Halide::ImageParam in(Halide::type_of<T>(), 2);
  Halide::Func copy("copy");
  copy(x, y) = in(x, y);
  copy.bound(x, 0, 4 * lineBytes / int(sizeof(T)))
      .prefetch(in, y, y, 1, Halide::PrefetchBoundStrategy::NonFaulting);
  Halide::Module module =
      copy.compile_to_module({in}, "copy", Halide::Target("x86-64-linux-avx-avx2-fma"));
  return module.get_function_by_name("copy").body;
}

template <typename T> class Prefetches : public testing::Test {};
using Elements = testing::Types<uint16_t, float, double>;
TYPED_TEST_SUITE(Prefetches, Elements);

TYPED_TEST(Prefetches, AskForEachLineOfARow) {
  std::vector<int64_t> steps = LineSteps(codegen::correctPrefetches(readsRows<TypeParam>())).steps;
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps.front() * int64_t(sizeof(TypeParam)), lineBytes);
}

// Where this fails, Halide counts elements itself and must not be corrected any more.
TYPED_TEST(Prefetches, NeedTheCorrection) {
  std::vector<int64_t> steps = LineSteps(readsRows<TypeParam>()).steps;
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps.front(), lineBytes);
}

} // namespace
