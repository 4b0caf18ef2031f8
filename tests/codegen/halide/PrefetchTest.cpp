#include "codegen/halide/Prefetches.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace Halide::Internal;
using testing::Each;
using testing::SizeIs;

namespace {

constexpr int lineBytes = 64;

// From line to line in the prefetches of a function, in elements: of the loop over lines, or
// between one prefetch and the next where there is none.
class LineSteps : public IRVisitor {
public:
  explicit LineSteps(const Stmt &body) { body.accept(this); }
  std::vector<int64_t> inLoops, withoutLoop;

private:
  using IRVisitor::visit;

  void visit(const For *loop) override {
    if (loop->name.starts_with("prefetch_split_"))
      line = loop->name;
    IRVisitor::visit(loop);
    line.clear();
  }

  void visit(const Call *call) override {
    if (call->is_intrinsic(Call::prefetch)) {
      const Halide::Expr &offset = call->args[1];
      auto step = [](const Halide::Expr &from, const Halide::Expr &to) {
        return as_const_int(simplify(to - from)).value_or(-1);
      };
      if (!line.empty())
        inLoops.push_back(step(substitute(line, 0, offset), substitute(line, 1, offset)));
      else if (previous.defined())
        withoutLoop.push_back(step(previous, offset));
      previous = offset;
    }
    IRVisitor::visit(call);
  }

  std::string line;
  Halide::Expr previous;
};

// Reads rows of so many lines, each asked for while the row before is read.
template <typename T> Stmt readsRows(int lines) {
  Halide::Var x("x"), y("y");
  Halide::ImageParam in(Halide::type_of<T>(), 2);
  Halide::Func copy("copy");
  copy(x, y) = in(x, y);
  copy.bound(x, 0, lines * lineBytes / int(sizeof(T)))
      .prefetch(in, y, y, 1, Halide::PrefetchBoundStrategy::NonFaulting);
  Halide::Module module =
      copy.compile_to_module({in}, "copy", Halide::Target("x86-64-linux-avx-avx2-fma"));
  return module.get_function_by_name("copy").body;
}

template <typename T> class Prefetches : public testing::Test {
public:
  static constexpr int64_t lineElements = lineBytes / sizeof(T);
};
using Elements = testing::Types<uint16_t, float, double>;
TYPED_TEST_SUITE(Prefetches, Elements);

TYPED_TEST(Prefetches, AskForEachLineOfARow) {
  LineSteps steps(codegen::correctPrefetches(readsRows<TypeParam>(20)));
  EXPECT_THAT(steps.inLoops, testing::ElementsAre(this->lineElements));
}

TYPED_TEST(Prefetches, OfShortRowsHaveNoLoop) {
  LineSteps steps(codegen::correctPrefetches(readsRows<TypeParam>(4)));
  EXPECT_THAT(steps.inLoops, testing::IsEmpty());
  EXPECT_THAT(steps.withoutLoop, SizeIs(3));
  EXPECT_THAT(steps.withoutLoop, Each(this->lineElements));
}

// Where this fails, Halide counts elements itself and must not be corrected any more.
TYPED_TEST(Prefetches, NeedTheCorrection) {
  EXPECT_THAT(LineSteps(readsRows<TypeParam>(4)).inLoops, testing::ElementsAre(lineBytes));
}

TEST(PrefetchesOfModules, FillAllCaches) {
  llvm::LLVMContext context;
  llvm::Module module("prefetches", context);
  llvm::IRBuilder<> builder(context);
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
  llvm::Value *once = builder.getInt32(0), *read = builder.getInt32(0), *data = builder.getInt32(1);
  llvm::CallInst *prefetch = builder.CreateIntrinsic(
      llvm::Intrinsic::prefetch, {builder.getPtrTy()}, {function->getArg(0), read, once, data});
  builder.CreateRetVoid();

  codegen::prefetchToAllCaches(module);

  EXPECT_EQ(prefetch->getArgOperand(1), read);
  EXPECT_EQ(prefetch->getArgOperand(2), builder.getInt32(3));
  EXPECT_EQ(prefetch->getArgOperand(3), data);
}

} // namespace
