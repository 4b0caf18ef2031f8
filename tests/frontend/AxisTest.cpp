// The algebra of axis sets, decided while this file is compiled.
#include "tests/frontend/Build.h"

namespace axloom {
namespace {

// Order means nothing.
static_assert(std::same_as<SetOf<Batch, Depth, Key>, SetOf<Key, Batch, Depth>>);
static_assert(std::same_as<SetOf<Key, Batch, Key>, SetOf<Batch, Key>>);
static_assert(std::same_as<SetOf<Key, Batch>, Axes<Batch, Key>>, "sorted by name");
static_assert(sameSet<Axes<Key, Batch>, Axes<Batch, Key>>);
static_assert(!sameSet<Axes<Key, Batch>, Axes<Batch>>);

static_assert(std::same_as<UnionOf<Axes<Batch, Key>, Axes<Key, Depth>>, Axes<Batch, Depth, Key>>);
static_assert(std::same_as<UnionOf<Axes<>, Axes<Key>>, Axes<Key>>);
static_assert(std::same_as<Without<Axes<Batch, Depth, Key>, Depth, Batch>, Axes<Key>>);
static_assert(std::same_as<Without<Axes<Batch>, Key>, Axes<Batch>>);
static_assert(std::same_as<Renamed<Axes<Batch, Key>, Batch, Query>, Axes<Key, Query>>);

static_assert(subset<Axes<Batch>, Axes<Key, Batch>>);
static_assert(!subset<Axes<Batch, Depth>, Axes<Key, Batch>>);
static_assert(subset<Axes<>, Axes<Key>>);
static_assert(contains<Batch, Axes<Key, Batch>> && !contains<Depth, Axes<Key, Batch>>);

// Of two different sets, one precedes the other.
static_assert(precedes<Axes<Batch>, Axes<Key>> && !precedes<Axes<Key>, Axes<Batch>>);
static_assert(precedes<Axes<>, Axes<Batch>> && precedes<Axes<Batch>, Axes<Batch, Key>>);
static_assert(precedes<Axes<Key>, Dynamic> && !precedes<Dynamic, Axes<Key>>);
static_assert(!precedes<Axes<Key>, Axes<Key>> && !precedes<Dynamic, Dynamic>);

// Of dynamic axes nothing is known: neither that one is there nor that it is missing.
static_assert(!contains<Batch, Dynamic> && !lacks<Batch, Dynamic>);
static_assert(std::same_as<UnionOf<Axes<Batch>, Dynamic>, Dynamic>);
static_assert(std::same_as<UnionOf<Dynamic, Axes<Batch>>, Dynamic>);
static_assert(std::same_as<Without<Dynamic, Batch>, Dynamic>);

// Tensors.
static_assert(std::same_as<Tensor<Batch, Key>, Tensor<Key, Batch>>);
static_assert(std::convertible_to<Value<Axes<Key, Batch>, float>, Tensor<Batch, Key>>);
static_assert(!std::convertible_to<Tensor<Batch>, Tensor<Batch, Key>>);
static_assert(!std::convertible_to<Tensor<Batch, Key>, Tensor<Batch>>);
static_assert(!std::convertible_to<Tensor<Batch>, IntTensor<Batch>>);
static_assert(std::convertible_to<Tensor<Batch>, AnyTensor>);
static_assert(!std::convertible_to<Tensor<Batch>, Variable<Axes<Batch>, float>>);
static_assert(std::same_as<decltype(Tensor<Batch>() + Tensor<Key>()), Tensor<Batch, Key>>);
static_assert(std::same_as<decltype(1 < IntTensor<Key>()), Mask<Key>>);
static_assert(HasAxes<Tensor<Batch, Key>, Key, Batch> && !HasAxes<Tensor<Batch>, Key>);

TEST(Axis, NamesKeepTheOrderGiven) {
  EXPECT_EQ(Batch::axisName, "batch");
  EXPECT_EQ((graph::names<Query, Batch>()), (std::vector<std::string>{"query", "batch"}));
}

} // namespace
} // namespace axloom
