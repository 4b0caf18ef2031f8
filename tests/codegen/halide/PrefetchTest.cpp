#include "codegen/halide/Prefetches.h"
#include "tests/codegen/halide/PrefetchCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace Halide::Internal;
using axloom::test::PrefetchCalls;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
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
  EXPECT_THAT(steps.inLoops, ElementsAre(this->lineElements));
}

TYPED_TEST(Prefetches, OfShortRowsHaveNoLoop) {
  LineSteps steps(codegen::correctPrefetches(readsRows<TypeParam>(4)));
  EXPECT_THAT(steps.inLoops, testing::IsEmpty());
  EXPECT_THAT(steps.withoutLoop, SizeIs(3));
  EXPECT_THAT(steps.withoutLoop, Each(this->lineElements));
}

// Where this fails, Halide counts elements itself and must not be corrected any more.
TYPED_TEST(Prefetches, NeedTheCorrection) {
  EXPECT_THAT(LineSteps(readsRows<TypeParam>(4)).inLoops, ElementsAre(lineBytes));
}

constexpr int width = 32, terms = 512, tiles = 4, panels = 3;

// Tiles of sums of `terms` terms each, as many to a panel as `tiles`; the next panel is asked for
// before them.
Stmt walksPanels() {
  Halide::Var column("column"), tile("tile"), panel("panel");
  Halide::ImageParam in(Halide::Float(32), 3, "in"), factors(Halide::Float(32), 2, "factors");
  in.dim(0).set_bounds(0, width);
  in.dim(1).set_bounds(0, terms).set_stride(width);
  in.dim(2).set_bounds(0, panels).set_stride(width * terms);
  Halide::RDom term(0, terms, "term");
  Halide::Func sums("sums");
  sums(column, tile, panel) += in(column, term, panel) * factors(term, tile);
  sums.bound(column, 0, width).bound(tile, 0, tiles).bound(panel, 0, panels);
  sums.update()
      .reorder(column, term, tile, panel)
      .vectorize(column)
      .prefetch(in, panel, panel, 1, Halide::PrefetchBoundStrategy::NonFaulting);
  Halide::Module module =
      sums.compile_to_module({in, factors}, "sums", Halide::Target("x86-64-linux-avx-avx2-fma"));
  return module.get_function_by_name("sums").body;
}

TEST(LongPrefetches, AreSharedByTheIterationsBehindThem) {
  Stmt body = codegen::correctPrefetches(walksPanels());
  PrefetchCalls prefetch(body);
  ASSERT_THAT(prefetch.found, SizeIs(1));
  ASSERT_THAT(prefetch.loops,
              ElementsAre(HasSubstr("panel"), HasSubstr("tile"), HasSubstr("term")));
  int64_t panel = width * terms, share = panel / (tiles * terms);
  EXPECT_THAT(prefetch.offsets({0, 0, 0}), ElementsAre(panel));
  EXPECT_THAT(prefetch.offsets({0, 0, 1}), ElementsAre(panel + share));
  EXPECT_THAT(prefetch.offsets({0, 1, 0}), ElementsAre(panel + share * terms));
  EXPECT_THAT(prefetch.offsets({0, tiles - 1, terms - 1}), ElementsAre(2 * panel - share));
  EXPECT_THAT(prefetch.offsets({1, 0, 0}), ElementsAre(2 * panel));
}

// Other loops may stand behind, those of other prefetches among them, where the tensor is gone.
TEST(LongPrefetches, AreSharedByLoopsThatReadTheSame) {
  auto loop = [](const std::string &name, int extent, const Halide::Expr &value) {
    return For::make(name, 0, extent, ForType::Serial, Halide::Partition::Auto,
                     Halide::DeviceAPI::Host, Evaluate::make(value));
  };
  auto read = [](const std::string &tensor) {
    return Load::make(Halide::Float(32), tensor, 0, {}, {}, const_true(), {});
  };
  Halide::Expr line = Variable::make(Halide::Int(32), "prefetch_split_panels.0"),
               panels = Variable::make(Halide::Handle(), "panels"),
               ask = Call::make(Halide::Float(32), Call::prefetch,
                                {panels, line * lineBytes, 1, lineBytes / 4}, Call::Intrinsic);
  Stmt lines = loop("prefetch_split_panels.0", 100, ask), other = loop("other", 10, read("rows"));
  Stmt both = Block::make({lines, loop("prefetch_reduce_panels.0", 10, read("panels")),
                           loop("same", 10, read("panels")), other});
  PrefetchCalls shared(codegen::correctPrefetches(both));
  EXPECT_THAT(shared.found, SizeIs(1));
  EXPECT_THAT(shared.loops, ElementsAre("same"));
  Stmt none = Block::make(lines, other);
  PrefetchCalls left(codegen::correctPrefetches(none));
  EXPECT_THAT(left.found, SizeIs(1));
  EXPECT_THAT(left.loops, ElementsAre("prefetch_split_panels.0"));
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
