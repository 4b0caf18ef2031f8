// What each operation of the DSL becomes in the graph. (What the ops compute is tested in
// tests/ir.)
#include "tests/frontend/Build.h"

#include <gmock/gmock.h>

namespace axloom {
namespace {

struct Inputs {
  Inputs(Function &f, Size B, Size S)
      : q(f.argument<float, Batch, Query, Depth>("q", B, S, 8)),
        k(f.argument<float, Batch, Key, Depth>("k", B, S, 8)),
        ids(f.argument<int, Batch, Key>("ids", B, S)), seed(f.argument<int>("seed")) {}
  Tensor<Batch, Query, Depth> q; // %arg0
  Tensor<Batch, Key, Depth> k;   // %arg1
  IntTensor<Batch, Key> ids;     // %arg2
  IntTensor<> seed;              // %arg3
};

std::string ops(const std::function<void(const Inputs &)> &body) {
  return opsOf([&](Function &f, Size B, Size S) { body(Inputs(f, B, S)); });
}

TEST(Ops, ContractSumsOverNamedAxes) {
  EXPECT_EQ(ops([](const Inputs &in) {
              contract<Depth>(in.q, in.k);
              contract<Depth, Batch>(in.q, in.k);
            }),
            R"(
%0 = contract %arg0, %arg1 over ["depth"] -> <batch: B, key: S, query: S, f32>
%1 = contract %arg0, %arg1 over ["depth", "batch"] -> <key: S, query: S, f32>
)");
}

TEST(Ops, OperatorsBroadcastByName) {
  EXPECT_EQ(ops([](const Inputs &in) {
              in.q + in.k;
              in.q * 2;
              1 - in.q;
              in.ids % 2;
              in.q / size<Query>(in.q);
              size<Depth>(in.q) * in.ids;
              -in.q;
              -in.ids;
              auto changed = in.q;
              (changed *= 3) -= in.q;
            }),
            R"(
%0 = add %arg0, %arg1 -> <batch: B, depth: 8, key: S, query: S, f32>
%1 = constant 2.000000e+00 : f32 -> <f32>
%2 = mul %arg0, %1 -> <batch: B, depth: 8, query: S, f32>
%3 = constant 1.000000e+00 : f32 -> <f32>
%4 = sub %3, %arg0 -> <batch: B, depth: 8, query: S, f32>
%5 = constant 2 : i32 -> <i32>
%6 = rem %arg2, %5 -> <batch: B, key: S, i32>
%7 = size_of <S> -> <f32>
%8 = div %arg0, %7 -> <batch: B, depth: 8, query: S, f32>
%9 = constant 8 : i32 -> <i32>
%10 = mul %9, %arg2 -> <batch: B, key: S, i32>
%11 = neg %arg0 -> <batch: B, depth: 8, query: S, f32>
%12 = constant 0 : i32 -> <i32>
%13 = sub %12, %arg2 -> <batch: B, key: S, i32>
%14 = constant 3.000000e+00 : f32 -> <f32>
%15 = mul %arg0, %14 -> <batch: B, depth: 8, query: S, f32>
%16 = sub %15, %arg0 -> <batch: B, depth: 8, query: S, f32>
)");
}

TEST(Ops, ComparisonsGiveMasks) {
  EXPECT_EQ(ops([](const Inputs &in) {
              auto visible = in.ids != 0 && !(3 <= in.ids);
              visible || true;
              where(visible, in.k, 0);
              where(visible, 1.5, 0);
              where(visible, 0, 1.5);
              static_assert(std::same_as<decltype(where(visible, 0, 1.5)), Tensor<Batch, Key>>);
              where(visible, in.ids, -1);
            }),
            R"(
%0 = constant 0 : i32 -> <i32>
%1 = compare "ne" %arg2, %0 -> <batch: B, key: S, i1>
%2 = constant 3 : i32 -> <i32>
%3 = compare "le" %2, %arg2 -> <batch: B, key: S, i1>
%4 = not %3 -> <batch: B, key: S, i1>
%5 = and %1, %4 -> <batch: B, key: S, i1>
%6 = constant true -> <i1>
%7 = or %5, %6 -> <batch: B, key: S, i1>
%8 = constant 0.000000e+00 : f32 -> <f32>
%9 = select %5, %arg1, %8 -> <batch: B, depth: 8, key: S, f32>
%10 = constant 1.500000e+00 : f32 -> <f32>
%11 = constant 0.000000e+00 : f32 -> <f32>
%12 = select %5, %10, %11 -> <batch: B, key: S, f32>
%13 = constant 0.000000e+00 : f32 -> <f32>
%14 = constant 1.500000e+00 : f32 -> <f32>
%15 = select %5, %13, %14 -> <batch: B, key: S, f32>
%16 = constant -1 : i32 -> <i32>
%17 = select %5, %arg2, %16 -> <batch: B, key: S, i32>
)");
}

TEST(Ops, SoftmaxTakesMasks) {
  EXPECT_EQ(ops([](const Inputs &in) {
              auto scores = contract<Depth>(in.q, in.k);
              softmax<Key>(scores);
              softmax<Key>(where(in.ids != 0, scores));
            }),
            R"(
%0 = contract %arg0, %arg1 over ["depth"] -> <batch: B, key: S, query: S, f32>
%1 = softmax %0 over "key" -> <batch: B, key: S, query: S, f32>
%2 = constant 0 : i32 -> <i32>
%3 = compare "ne" %arg2, %2 -> <batch: B, key: S, i1>
%4 = softmax %0 mask %3 over "key" -> <batch: B, key: S, query: S, f32>
)");
}

TEST(Ops, LogSoftmaxSubtractsTheMaximum) {
  EXPECT_EQ(ops([](const Inputs &in) { log_softmax<Depth>(in.q); }),
            R"(
%0 = reduce "max" %arg0 over ["depth"] -> <batch: B, query: S, f32>
%1 = sub %arg0, %0 -> <batch: B, depth: 8, query: S, f32>
%2 = exp %1 -> <batch: B, depth: 8, query: S, f32>
%3 = reduce "sum" %2 over ["depth"] -> <batch: B, query: S, f32>
%4 = log %3 -> <batch: B, query: S, f32>
%5 = sub %1, %4 -> <batch: B, depth: 8, query: S, f32>
)");
}

TEST(Ops, Reductions) {
  EXPECT_EQ(ops([](const Inputs &in) {
              sum<Batch, Query>(in.q);
              max<Query>(in.q);
              min<Depth>(in.q);
              mean<Depth, Query>(in.q);
              argmax<Depth>(in.q);
            }),
            R"(
%0 = reduce "sum" %arg0 over ["batch", "query"] -> <depth: 8, f32>
%1 = reduce "max" %arg0 over ["query"] -> <batch: B, depth: 8, f32>
%2 = reduce "min" %arg0 over ["depth"] -> <batch: B, query: S, f32>
%3 = reduce "sum" %arg0 over ["depth", "query"] -> <batch: B, f32>
%4 = size_of <8*S> -> <f32>
%5 = div %3, %4 -> <batch: B, f32>
%6 = argmax %arg0 over "depth" -> <batch: B, query: S, i32>
)");
}

TEST(Ops, ReductionsSeeWhatTheMaskShows) {
  EXPECT_EQ(ops([](const Inputs &in) {
              auto masked = where(in.ids != 0, in.k);
              sum<Key>(masked);
              max<Key>(masked);
            }),
            R"(
%0 = constant 0 : i32 -> <i32>
%1 = compare "ne" %arg2, %0 -> <batch: B, key: S, i1>
%2 = constant 0.000000e+00 : f32 -> <f32>
%3 = select %1, %arg1, %2 -> <batch: B, depth: 8, key: S, f32>
%4 = reduce "sum" %3 over ["key"] -> <batch: B, depth: 8, f32>
%5 = constant -3.40282347E+38 : f32 -> <f32>
%6 = select %1, %arg1, %5 -> <batch: B, depth: 8, key: S, f32>
%7 = reduce "max" %6 over ["key"] -> <batch: B, depth: 8, f32>
)");
}

TEST(Ops, TheLargestOfNothingVisibleIsFinite) {
  EXPECT_THAT(ops([](const Inputs &in) {
                max<Depth>(where(in.q > 0, in.q));
                max<Depth>(where(in.q > 0, cast<bfloat16>(in.q)));
              }),
              testing::AllOf(testing::HasSubstr("constant -3.40282347E+38 : f32"),
                             testing::HasSubstr("constant -3.389530e+38 : bf16")));
}

TEST(Ops, MaskedMeanCountsWhatIsVisible) {
  EXPECT_EQ(ops([](const Inputs &in) { mean<Key, Depth>(where(in.ids != 0, in.k)); }),
            R"(
%0 = constant 0 : i32 -> <i32>
%1 = compare "ne" %arg2, %0 -> <batch: B, key: S, i1>
%2 = constant 0.000000e+00 : f32 -> <f32>
%3 = select %1, %arg1, %2 -> <batch: B, depth: 8, key: S, f32>
%4 = reduce "sum" %3 over ["key", "depth"] -> <batch: B, f32>
%5 = cast %1 to f32 -> <batch: B, key: S, f32>
%6 = reduce "sum" %5 over ["key"] -> <batch: B, f32>
%7 = constant 8.000000e+00 : f32 -> <f32>
%8 = mul %6, %7 -> <batch: B, f32>
%9 = constant 1.000000e+00 : f32 -> <f32>
%10 = maximum %8, %9 -> <batch: B, f32>
%11 = div %4, %10 -> <batch: B, f32>
)");
}

TEST(Ops, MaskedMeanCountsOverDynamicAxes) {
  auto known = [](const Inputs &in) { mean<Key, Depth>(where(in.ids != 0, in.k)); };
  EXPECT_EQ(ops([](const Inputs &in) {
              Value<Dynamic, bool> visible = in.ids != 0;
              mean<Key, Depth>(where(visible, AnyTensor(in.k)));
            }),
            ops(known));
}

TEST(Ops, AxesGetOtherNamesAndStructure) {
  EXPECT_EQ(ops([](const Inputs &in) {
              auto wide = merge<Query, Depth, Width>(in.q);
              split<Width, Query, Depth>(wide, 8);
              rename<Query, Position>(in.q);
              broadcast<Heads>(in.ids, 4);
            }),
            R"(
%0 = merge %arg0 ["query", "depth"] into "width" -> <batch: B, width: 8*S, f32>
%1 = split %0 "width" into ["query", "depth"] inner <8> -> <batch: B, depth: 8, query: S, f32>
%2 = rename %arg0 "query" to "position" -> <batch: B, depth: 8, position: S, f32>
%3 = broadcast %arg2 to <batch: B, heads: 4, key: S, i32> -> <batch: B, heads: 4, key: S, i32>
)");
}

TEST(Ops, AlongAnAxis) {
  EXPECT_EQ(ops([](const Inputs &in) {
              slice<Depth>(in.q, 2, 3);
              concat<Depth>(in.q, slice<Depth>(in.q, 0, 1));
              pad<Depth>(in.q, 1, 2, 0.5);
              shift<Key>(in.ids, 1, 7);
              gather<Depth>(in.q, in.ids);
              update<Key>(in.k, 3, sum<Key>(in.k));
            }),
            R"(
%0 = slice %arg0 "depth" from 2 size 3 -> <batch: B, depth: 3, query: S, f32>
%1 = slice %arg0 "depth" from 0 size 1 -> <batch: B, depth: 1, query: S, f32>
%2 = concat %arg0, %1 along "depth" -> <batch: B, depth: 9, query: S, f32>
%3 = pad %arg0 "depth" low 1 high 2 with 5.000000e-01 -> <batch: B, depth: 11, query: S, f32>
%4 = shift %arg2 "key" by 1 with 7.000000e+00 -> <batch: B, key: S, i32>
%5 = gather %arg0, %arg2 along "depth" -> <batch: B, key: S, query: S, f32>
%6 = reduce "sum" %arg1 over ["key"] -> <batch: B, depth: 8, f32>
%7 = constant 3 : i32 -> <i32>
%8 = update %arg1 at %7 with %6 along "key" -> <batch: B, depth: 8, key: S, f32>
)");
}

TEST(Ops, Composites) {
  EXPECT_EQ(ops([](const Inputs &in) {
              auto scale = cast<float>(iota<Depth>(8));
              layer_norm<Depth>(in.q, scale, scale, 0.5);
              cross_entropy<Depth>(in.k, in.ids, 0.25);
            }),
            R"(
%0 = iota "depth" size <8> -> <depth: 8, i32>
%1 = cast %0 to f32 -> <depth: 8, f32>
%y, %mean, %rstd = layer_norm %arg0 scale %1 offset %1 over "depth" epsilon 5.000000e-01 -> <batch: B, depth: 8, query: S, f32>, <batch: B, query: S, f32>, <batch: B, query: S, f32>
%2 = cross_entropy %arg1, %arg2 over "depth" smoothing 2.500000e-01 -> <batch: B, key: S, f32>
)");
}

TEST(Ops, CastToTheSameElementIsNothing) {
  EXPECT_EQ(ops([](const Inputs &in) {
              cast<float>(in.q);
              cast<int>(in.q);
            }),
            R"(
%0 = cast %arg0 to i32 -> <batch: B, depth: 8, query: S, i32>
)");
}

TEST(Ops, EachDropoutHasASiteOfItsOwn) {
  EXPECT_EQ(ops([](const Inputs &in) {
              auto seed = constant(5), step = constant(6);
              Randomness randomness(seed, step);
              dropout(in.q, 0.5, randomness);
              random(in.ids, randomness);
            }),
            R"(
%0 = constant 5 : i32 -> <i32>
%1 = constant 6 : i32 -> <i32>
%2 = constant 0 : i32 -> <i32>
%3 = random %0, %1, %2 -> <batch: B, depth: 8, query: S, f32> <batch: B, depth: 8, query: S, f32>
%4 = constant 5.000000e-01 : f32 -> <f32>
%5 = compare "ge" %3, %4 -> <batch: B, depth: 8, query: S, i1>
%6 = constant 2.000000e+00 : f32 -> <f32>
%7 = constant 0.000000e+00 : f32 -> <f32>
%8 = select %5, %6, %7 -> <batch: B, depth: 8, query: S, f32>
%9 = mul %arg0, %8 -> <batch: B, depth: 8, query: S, f32>
%10 = constant 1 : i32 -> <i32>
%11 = random %0, %1, %10 -> <batch: B, key: S, f32> <batch: B, key: S, f32>
)");
}

TEST(Ops, DropoutWithoutRateOrSeedIsNothing) {
  EXPECT_EQ(ops([](const Inputs &in) {
              dropout(in.q, 0, Randomness(in.seed, in.seed));
              dropout(in.q, 0.5, {});
            }),
            R"(
)");
}

TEST(Ops, Functions) {
  EXPECT_EQ(ops([](const Inputs &in) {
              exp(in.q);
              log(in.q);
              sqrt(in.q);
              rsqrt(in.q);
              tanh(in.q);
              sigmoid(in.q);
              erf(in.q);
              sin(in.q);
              cos(in.q);
              abs(in.q);
              floor(in.q);
              stop_gradient(in.q);
            }),
            R"(
%0 = exp %arg0 -> <batch: B, depth: 8, query: S, f32>
%1 = log %arg0 -> <batch: B, depth: 8, query: S, f32>
%2 = sqrt %arg0 -> <batch: B, depth: 8, query: S, f32>
%3 = rsqrt %arg0 -> <batch: B, depth: 8, query: S, f32>
%4 = tanh %arg0 -> <batch: B, depth: 8, query: S, f32>
%5 = sigmoid %arg0 -> <batch: B, depth: 8, query: S, f32>
%6 = erf %arg0 -> <batch: B, depth: 8, query: S, f32>
%7 = sin %arg0 -> <batch: B, depth: 8, query: S, f32>
%8 = cos %arg0 -> <batch: B, depth: 8, query: S, f32>
%9 = abs %arg0 -> <batch: B, depth: 8, query: S, f32>
%10 = floor %arg0 -> <batch: B, depth: 8, query: S, f32>
%11 = stop_gradient %arg0 -> <batch: B, depth: 8, query: S, f32>
)");
}

TEST(Ops, FunctionsOfTwo) {
  EXPECT_EQ(ops([](const Inputs &in) {
              pow(in.q, 3);
              pow(2.0, in.q);
              maximum(in.q, in.k);
              minimum(1, in.ids);
            }),
            R"(
%0 = constant 3.000000e+00 : f32 -> <f32>
%1 = pow %arg0, %0 -> <batch: B, depth: 8, query: S, f32>
%2 = constant 2.000000e+00 : f32 -> <f32>
%3 = pow %2, %arg0 -> <batch: B, depth: 8, query: S, f32>
%4 = maximum %arg0, %arg1 -> <batch: B, depth: 8, key: S, query: S, f32>
%5 = constant 1 : i32 -> <i32>
%6 = minimum %5, %arg2 -> <batch: B, key: S, i32>
)");
}

TEST(Ops, Activations) {
  EXPECT_EQ(ops([](const Inputs &in) {
              relu(in.q);
              gelu(in.q);
              silu(in.q);
            }),
            R"(
%0 = constant 0.000000e+00 : f32 -> <f32>
%1 = maximum %arg0, %0 -> <batch: B, depth: 8, query: S, f32>
%2 = constant 0.707106769 : f32 -> <f32>
%3 = mul %arg0, %2 -> <batch: B, depth: 8, query: S, f32>
%4 = erf %3 -> <batch: B, depth: 8, query: S, f32>
%5 = constant 1.000000e+00 : f32 -> <f32>
%6 = add %4, %5 -> <batch: B, depth: 8, query: S, f32>
%7 = constant 5.000000e-01 : f32 -> <f32>
%8 = mul %arg0, %7 -> <batch: B, depth: 8, query: S, f32>
%9 = mul %8, %6 -> <batch: B, depth: 8, query: S, f32>
%10 = sigmoid %arg0 -> <batch: B, depth: 8, query: S, f32>
%11 = mul %arg0, %10 -> <batch: B, depth: 8, query: S, f32>
)");
}

TEST(Ops, SquareRootsOfSizes) {
  EXPECT_EQ(ops([](const Inputs &in) {
              sqrt(size<Depth>(in.q));
              sqrt(size<Query>(in.q));
            }),
            R"(
%0 = constant 2.82842708 : f32 -> <f32>
%1 = size_of <S> -> <f32>
%2 = sqrt %1 -> <f32>
)");
}

} // namespace
} // namespace axloom
