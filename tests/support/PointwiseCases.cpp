// Cases of the pointwise ops.

#include "tests/support/OpCases.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

namespace {
constexpr const char *tokens = "batch: B, model: 5, position: S, f32";
constexpr const char *row = "model: 5, f32";
constexpr const char *ragged = "batch: B, model: 5, position: S[batch], f32";

template <typename Op> void unary(std::vector<OpCase> &cases, Fill fill) {
  auto build = [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> { return b.op<Op>(x[0]); };
  std::string op = Op::getOperationName().drop_front(7).str();
  cases.push_back({op, "tokens", {{tokens, fill}}, build});
  cases.push_back({op, "scalar", {{"f32", fill}}, build});
}

template <typename Op> void binary(std::vector<OpCase> &cases, Fill left, Fill right) {
  auto build = [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
    return b.op<Op>(x[0], x[1]);
  };
  std::string op = Op::getOperationName().drop_front(7).str();
  cases.push_back({op, "same axes", {{tokens, left}, {tokens, right}}, build});
  cases.push_back({op, "row on the right", {{tokens, left}, {row, right}}, build});
  cases.push_back({op,
                   "each lacks an axis",
                   {{"batch: B, model: 5, f32", left}, {"model: 5, position: S, f32", right}},
                   build});
  cases.push_back({op, "scalar on the left", {{"f32", left}, {tokens, right}}, build});
}

template <typename Op> void logical(std::vector<OpCase> &cases) {
  auto build = [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
    return b.op<Op>(x[0], x[1]);
  };
  cases.push_back({Op::getOperationName().drop_front(7).str(),
                   "broadcast",
                   {{"key: S, query: 3, i1", mask()}, {"batch: B, key: S, i1", mask()}},
                   build});
}

template <typename Op> void integerBinary(std::vector<OpCase> &cases, Fill left, Fill right) {
  cases.push_back(
      {Op::getOperationName().drop_front(7).str(),
       "i32",
       {{"batch: B, i32", left}, {"batch: B, position: S, i32", right}},
       [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> { return b.op<Op>(x[0], x[1]); }});
}
} // namespace

static void addUnary(std::vector<OpCase> &cases) {
  unary<ir::NegOp>(cases, uniform(-2, 2));
  unary<ir::AbsOp>(cases, spaced());
  unary<ir::ExpOp>(cases, uniform(-3, 3));
  unary<ir::LogOp>(cases, uniform(0.1, 4));
  unary<ir::SqrtOp>(cases, uniform(0.1, 4));
  unary<ir::RsqrtOp>(cases, uniform(0.1, 4));
  unary<ir::TanhOp>(cases, uniform(-3, 3));
  unary<ir::SigmoidOp>(cases, uniform(-6, 6));
  unary<ir::ErfOp>(cases, uniform(-3, 3));
  unary<ir::SinOp>(cases, uniform(-6, 6));
  unary<ir::CosOp>(cases, uniform(-6, 6));
  unary<ir::FloorOp>(cases, spaced());
  for (size_t last = 1; last <= 2; ++last)
    cases[cases.size() - last].differentiable = false; // a step function has no adjoint
  unary<ir::StopGradientOp>(cases, uniform(-2, 2));
  for (size_t last = 1; last <= 2; ++last)
    cases[cases.size() - last].differentiable = false; // differences do not stop
  cases.push_back(
      {"not",
       "mask",
       {{"batch: B, key: S, i1", mask()}},
       [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> { return b.op<ir::NotOp>(x[0]); }});
  cases.push_back(
      {"tanh",
       "ragged",
       {{ragged, uniform(-3, 3)}},
       [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> { return b.op<ir::TanhOp>(x[0]); }});
}

static void addBinary(std::vector<OpCase> &cases) {
  binary<ir::AddOp>(cases, uniform(-2, 2), uniform(-2, 2));
  binary<ir::SubOp>(cases, uniform(-2, 2), uniform(-2, 2));
  binary<ir::MulOp>(cases, uniform(-2, 2), uniform(-2, 2));
  binary<ir::DivOp>(cases, uniform(-2, 2), uniform(0.3, 2));
  // a / b stays within (0, 1) or (-3, -2), away from the jumps of floor.
  binary<ir::RemOp>(cases, uniform(0.1, 1), uniform(1.1, 2));
  binary<ir::RemOp>(cases, uniform(-2.7, -2.4), uniform(0.95, 1.05));
  binary<ir::PowOp>(cases, uniform(0.3, 2), uniform(-2, 2));
  // The two never come nearer than 1/8 to each other: multiples of 1/4 against 1/8 more than those.
  binary<ir::MaximumOp>(cases, spaced(), integers(-3, 4));
  binary<ir::MinimumOp>(cases, spaced(), integers(-3, 4));
  logical<ir::AndOp>(cases);
  logical<ir::OrOp>(cases);
  integerBinary<ir::AddOp>(cases, integers(-50, 50), integers(-50, 50));
  integerBinary<ir::SubOp>(cases, integers(-50, 50), integers(-50, 50));
  integerBinary<ir::MulOp>(cases, integers(-50, 50), integers(-50, 50));
  integerBinary<ir::DivOp>(cases, integers(-50, 50), integers(1, 9));
  integerBinary<ir::DivOp>(cases, integers(-50, 50), integers(-9, 9));
  integerBinary<ir::RemOp>(cases, integers(-50, 50), integers(-9, 9));
  integerBinary<ir::MaximumOp>(cases, integers(-5, 5), integers(-5, 5));
  integerBinary<ir::MinimumOp>(cases, integers(-5, 5), integers(-5, 5));
  cases.push_back({"add",
                   "ragged and its partner",
                   {{ragged}, {"batch: B, model: 5, f32"}},
                   [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
                     return b.op<ir::AddOp>(x[0], x[1]);
                   }});
  cases.push_back(
      {"add", "ragged", {{ragged}, {row}}, [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
         return b.op<ir::AddOp>(x[0], x[1]);
       }});
  cases.push_back(
      {"mul", "with itself", {{tokens}}, [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
         return b.op<ir::MulOp>(x[0], x[0]);
       }});
}

static void addChoices(std::vector<OpCase> &cases) {
  for (const char *predicate : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    auto build = [=](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
      return b.op<ir::CompareOp>(predicate, x[0], x[1]);
    };
    cases.push_back({"compare",
                     predicate + std::string(" of f32"),
                     {{tokens, spaced()}, {row, integers(-3, 4)}},
                     build});
    cases.push_back({"compare",
                     predicate + std::string(" of i32"),
                     {{"key: S, i32", integers(0, 5)}, {"query: B, i32", integers(0, 5)}},
                     build});
  }
  auto select = [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
    return b.op<ir::SelectOp>(x[0], x[1], x[2]);
  };
  cases.push_back(
      {"select",
       "same axes",
       {{"batch: B, key: S, i1", mask()}, {"batch: B, key: S, f32"}, {"batch: B, key: S, f32"}},
       select});
  cases.push_back({"select",
                   "broadcast",
                   {{"key: S, query: 3, i1", mask()}, {"batch: B, key: S, f32"}, {"f32"}},
                   select});
  cases.push_back(
      {"select",
       "i32",
       {{"key: S, i1", mask()}, {"batch: B, i32", integers(0, 9)}, {"key: S, i32", integers(0, 9)}},
       select});
}

static void addCasts(std::vector<OpCase> &cases) {
  auto cast = [&](const char *name, const char *type, Fill fill, Type (*to)(Builder)) {
    cases.push_back(
        {"cast", name, {{type, fill}}, [=](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
           return b.op<ir::CastOp>(x[0], to(b.builder));
         }});
  };
  cast("i32 to f32", "batch: B, position: S, i32", integers(-9, 9),
       [](Builder b) -> Type { return b.getF32Type(); });
  cast("i1 to f32", "batch: B, position: S, i1", mask(),
       [](Builder b) -> Type { return b.getF32Type(); });
  cast("i1 to i32", "batch: B, position: S, i1", mask(),
       [](Builder b) -> Type { return b.getI32Type(); });
  cast("f32 to i32", "batch: B, position: S, f32", spaced(),
       [](Builder b) -> Type { return b.getI32Type(); });
  auto isTrue = [](Builder b) -> Type { return b.getI1Type(); };
  cast("i32 to i1", "batch: B, position: S, i32", integers(-1, 2), isTrue);
  // Even numbers and fractions, of which no more than the lowest bit might be looked at.
  cast("many i32 to i1", "batch: B, position: S, i32", integers(-4, 9), isTrue);
  cast("f32 to i1", "batch: B, position: S, f32", spaced(), isTrue);
  cast("f64 to i1", "batch: B, position: S, f64", spaced(), isTrue);
}

/// Random numbers of a shape that draw from counters for `tokens`, which have these axes of it.
static SmallVector<Value> randomFrom(CaseBuilder &b, ValueRange x, ArrayRef<int64_t> ofTokens,
                                     StringRef tokens, ArrayRef<int64_t> ofRest, StringRef shape) {
  SmallVector<Value> counters = b.op<ir::CountersOp>(ofTokens, b.type(tokens));
  return b.op<ir::RandomOp>(x[0], x[1], b.integer(3), b.type(shape), counters[0],
                            b.builder.getDenseI64ArrayAttr(ofRest));
}

static void addRandom(std::vector<OpCase> &cases) {
  cases.push_back({"random",
                   "one number an element",
                   {{"i32", integers(0, 1000)}, {"i32", integers(0, 1000)}},
                   [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
                     return b.op<ir::RandomOp>(x[0], x[1], b.integer(3), b.type(tokens));
                   }});
  cases.push_back({"random",
                   "negative seed",
                   {{"i32", integers(-1000, 0)}, {"i32", integers(0, 1000)}},
                   [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
                     return b.op<ir::RandomOp>(x[0], x[1], b.integer(-1),
                                               b.type("heads: 2, key: S, query: B, f32"));
                   }});
  cases.push_back({"random",
                   "from counters of ragged tokens",
                   {{"i32", integers(0, 1000)}, {"i32", integers(0, 1000)}, {ragged}},
                   [](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
                     SmallVector<Value> numbers =
                         randomFrom(b, x, {0, 2}, "batch: B, position: S[batch], i32", {1}, ragged);
                     return b.op<ir::MulOp>(numbers[0], x[2]);
                   }});
  for (const char *tokens : {ragged, "aa: 3, batch: B, model: 5, position: S[batch], ways: 2, f32"})
    cases.push_back({"random",
                     llvm::StringRef(tokens) == ragged ? "of ragged tokens"
                                                       : "of ragged tokens, axes on all sides",
                     {{"i32", integers(0, 1000)}, {"i32", integers(0, 1000)}, {tokens}},
                     [tokens](CaseBuilder &b, ValueRange x) -> SmallVector<Value> {
                       Value numbers =
                           b.op<ir::RandomOp>(x[0], x[1], b.integer(3), b.type(tokens))[0];
                       return b.op<ir::MulOp>(numbers, x[2]);
                     }});
  cases.push_back({"counters", "of tokens", {}, [](CaseBuilder &b, ValueRange) {
                     return b.op<ir::CountersOp>(ArrayRef<int64_t>{0, 7},
                                                 b.type("batch: B, position: S, i32"));
                   }});
}

void test::addPointwiseCases(std::vector<OpCase> &cases) {
  addUnary(cases);
  addBinary(cases);
  addChoices(cases);
  addCasts(cases);
  addRandom(cases);
}
