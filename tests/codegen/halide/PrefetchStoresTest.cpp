#include "codegen/halide/PrefetchStores.h"
#include "tests/codegen/halide/PrefetchCalls.h"

#include <gmock/gmock.h>
#include <sstream>

using namespace axloom;
using namespace Halide::Internal;
using axloom::test::PrefetchCalls;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr int lanes = 8, width = 2 * 16, rows = 3,
              across = 4; // lines of 16 elements; tiles in a row

// Tiles of sums over 64 terms, one added to each when it is complete; to a tensor of the caller, or
// of the function itself.
Stmt computesTiles(bool forTheCaller) {
  Halide::Var x("x"), y("y"), column("column"), row("row");
  Halide::ImageParam a(Halide::Float(32), 2, "a"), b(Halide::Float(32), 2, "b");
  Halide::RDom term(0, 64, "term");
  Halide::Func sums("sums"), tiles("tiles"), result("result");
  sums(x, y) += a(x, term) * b(term, y);
  tiles(x, y) = sums(x, y) + 1.0f;
  result(x, y) = tiles(x, y) * 2.0f;
  Halide::Func output = forTheCaller ? tiles : result;
  output.bound(x, 0, across * width).bound(y, 0, 2 * rows);
  output.output_buffer().dim(1).set_stride(across * width);
  tiles.compute_root()
      .tile(x, y, column, row, x, y, width, rows)
      .vectorize(x, lanes)
      .unroll(x)
      .unroll(y);
  sums.compute_at(tiles, column)
      .store_in(Halide::MemoryType::Register)
      .vectorize(x, lanes)
      .unroll(x)
      .unroll(y);
  sums.update().reorder(x, y, term).vectorize(x, lanes).unroll(x).unroll(y);
  Halide::Module module =
      output.compile_to_module({a, b}, "tiles", Halide::Target("x86-64-linux-avx-avx2-fma"));
  return module.get_function_by_name("tiles").body;
}

TEST(PrefetchStores, AsksForTheLinesOfEachRowOfATile) {
  PrefetchCalls asked(codegen::prefetchStores(computesTiles(/*forTheCaller=*/true)));
  ASSERT_THAT(asked.loops, ElementsAre(HasSubstr("row"), HasSubstr("column")));
  EXPECT_THAT(asked.before, testing::Not(Contains(HasSubstr("term")))) << "too late";
  constexpr int row = across * width, line = width / 2;
  EXPECT_THAT(asked.offsets({0, 0}),
              ElementsAre(0, line, row, row + line, 2 * row, 2 * row + line));
  constexpr int tile = rows * row + 3 * width;
  EXPECT_THAT(asked.offsets({1, 3}), ElementsAre(tile, tile + line, tile + row, tile + row + line,
                                                 tile + 2 * row, tile + 2 * row + line));
}

TEST(PrefetchStores, AsksForNothingThatTheFunctionHasAllocated) {
  Stmt body = computesTiles(/*forTheCaller=*/false);
  std::ostringstream text;
  text << body;
  ASSERT_THAT(text.str(), HasSubstr("in Register")) << "there are no tiles";
  EXPECT_THAT(PrefetchCalls(codegen::prefetchStores(body)).found, IsEmpty());
}

/// What a function does with the first memory that it allocates.
class InsideAllocation : public IRVisitor {
public:
  explicit InsideAllocation(const Stmt &body) { body.accept(this); }
  Stmt found;

private:
  using IRVisitor::visit;
  void visit(const Allocate *allocate) override {
    if (!found.defined())
      found = allocate->body;
  }
};

TEST(PrefetchStores, AsksForNothingThatATaskAroundItHasAllocated) {
  Stmt task = computesTiles(/*forTheCaller=*/false), inside = InsideAllocation(task).found;
  EXPECT_THAT(PrefetchCalls(codegen::prefetchStores(inside)).found, testing::Not(IsEmpty()));
  llvm::StringSet<> scratch;
  codegen::collectAllocations(task, scratch);
  EXPECT_THAT(PrefetchCalls(codegen::prefetchStores(inside, scratch)).found, IsEmpty());
}

// What is stored on a condition may lie behind the tensor, and what is stored where a number of the
// memory says is not known yet.
TEST(PrefetchStores, AsksForNothingThatIsNotCertain) {
  Halide::Expr zero = 0.0f, place = Variable::make(Halide::Int(32), "place");
  auto loop =
      For::make("term", 0, 8, ForType::Serial, Halide::Partition::Auto, Halide::DeviceAPI::Host,
                Store::make("sums", zero, 0, {}, const_true(), {}));
  auto stores = [&](const Halide::Expr &first, const Halide::Expr &condition) {
    return Store::make("result", Broadcast::make(zero, 16), Ramp::make(first, 1, 16), {},
                       Broadcast::make(condition, 16), {});
  };
  auto asks = [&](const Stmt &after) {
    Stmt body = Block::make(ProducerConsumer::make_produce("sums", loop),
                            ProducerConsumer::make_consume("sums", after));
    Stmt tile = Allocate::make("sums", Halide::Float(32), Halide::MemoryType::Register, {16},
                               const_true(), body);
    return PrefetchCalls(codegen::prefetchStores(tile)).found.size();
  };
  EXPECT_EQ(asks(stores(place, const_true())), 1u);
  EXPECT_EQ(asks(stores(place, place < 5)), 0u);
  EXPECT_EQ(asks(IfThenElse::make(place < 5, stores(place, const_true()))), 0u);
  Halide::Expr read = Load::make(Halide::Int(32), "places", place, {}, {}, const_true(), {});
  EXPECT_EQ(asks(stores(read, const_true())), 0u);
  EXPECT_EQ(asks(LetStmt::make("place", read, stores(place, const_true()))), 0u);
}

} // namespace
