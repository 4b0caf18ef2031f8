// A cache that gets a row at a time keeps its other rows where they are: the kernel writes the row
// alone, and nothing for an index outside.
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <gmock/gmock.h>

using namespace axloom;
using testing::Each;
using testing::ElementsAreArray;

namespace {
struct Batch : Axis<"batch"> {};
struct Heads : Axis<"heads"> {};
struct Key : Axis<"key"> {};
struct Depth : Axis<"depth"> {};

constexpr int64_t batch = 3, heads = 2, keys = 5, depth = 19; // no multiple of a vector

/// put: an entry for each of the batch, at a place of its own or at one of all; put_behind: the
/// same at places that are computed, so that they may lie outside; load: the cache.
void addCache(Program &program) {
  Size B = program.size("B", 8), K = program.size("K", 64);
  auto cache = program.session<float, Batch, Heads, Key, Depth>("cache", B, heads, K, depth);
  program.function("put", [&](Function &f) {
    auto at = f.argument<int, Batch>("at", B);
    auto entry = f.argument<float, Batch, Heads, Depth>("entry", B, heads, depth);
    auto all = update<Key>(cache, at, entry);
    assign(cache, all);
    f.result<Batch, Heads, Depth>("sum", sum<Key>(all));
  });
  program.function("put_at_one", [&](Function &f) {
    auto at = f.argument<int>("at");
    auto entry = f.argument<float, Batch, Heads, Depth>("entry", B, heads, depth);
    assign(cache, update<Key>(cache, at, entry));
  });
  program.function("put_behind", [&](Function &f) {
    auto at = f.argument<int, Batch>("at", B);
    auto entry = f.argument<float, Batch, Heads, Depth>("entry", B, heads, depth);
    assign(cache, update<Key>(cache, at + 1, entry));
  });
  program.function("put_behind_one", [&](Function &f) {
    auto at = f.argument<int>("at");
    auto entry = f.argument<float, Batch, Heads, Depth>("entry", B, heads, depth);
    assign(cache, update<Key>(cache, at + 1, entry));
  });
  program.function("load", [&](Function &f) { f.result<Batch, Heads, Key, Depth>("all", cache); });
}

const axl_kernel &kernelOf(const axl_model &model, const std::string &name) {
  for (const axl_kernel &kernel : std::span(model.kernels, size_t(model.kernel_count)))
    if (kernel.name == name)
      return kernel;
  throw std::out_of_range(name);
}

class UpdateInPlace : public testing::Test {
protected:
  struct CacheProgram : Program {
    CacheProgram() { addCache(*this); }
  } program;
  test::CompiledExecutor executor;
  const axl_model &tables = executor.compile(moduleOf(program))->model();
  runtime::Model model{tables};
  runtime::Session session{model, {{"B", batch}, {"K", keys}}};

  /// What the entry of a value has at a place. All places differ.
  static float element(float value, int64_t b, int64_t h, int64_t d) {
    return value + 10 * float(b) + 100 * float(h) + 0.5f * float(d);
  }
  static runtime::Tensor entries(float value) {
    auto tensor = runtime::Tensor::of<float>({batch, heads, depth});
    float *to = tensor.view<float>().begin();
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t d = 0; d < depth; ++d)
          *to++ = element(value, b, h, d);
    return tensor;
  }
  static runtime::Tensor places(const std::vector<int32_t> &at) {
    auto tensor = runtime::Tensor::of<int32_t>({batch});
    std::ranges::copy(at, tensor.view<int32_t>().begin());
    return tensor;
  }
  void put(const std::vector<int32_t> &at, float value) {
    auto sum = runtime::Tensor::of<float>({batch, heads, depth});
    runtime::Tensor entry = entries(value);
    session.call("put", {{"at", places(at)}, {"entry", entry}}, {{"sum", sum}});
    EXPECT_THAT(sumOverKeys(), ElementsAreArray(sum.view<float>().begin(), size_t(sum.size())));
  }
  void putAtOne(int32_t at, float value) {
    runtime::Tensor entry = entries(value);
    session.call("put_at_one", {{"at", runtime::View<int32_t>(at)}, {"entry", entry}}, {});
  }
  runtime::Tensor cache() {
    auto all = runtime::Tensor::of<float>({batch, heads, keys, depth});
    session.call("load", {}, {{"all", all}});
    return all;
  }
  /// [batch, heads, depth]
  std::vector<float> sumOverKeys() {
    std::vector<float> sums(batch * heads * depth);
    runtime::Tensor all = cache();
    for (int64_t i = 0; i < all.size(); ++i)
      sums[i / (keys * depth) * depth + i % depth] += all.view<float>().begin()[i];
    return sums;
  }
  /// The value whose entry each place of each of the batch has, 0 where there is none: [batch,
  /// keys].
  std::vector<std::vector<float>> load() {
    runtime::Tensor all = cache();
    std::vector<std::vector<float>> found(batch, std::vector<float>(keys));
    const float *row = all.view<float>().begin();
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t k = 0; k < keys; ++k, row += depth) {
          float value = *row == 0 ? 0 : *row - element(0, b, h, 0);
          for (int64_t d = 0; d < depth; ++d)
            EXPECT_EQ(row[d], *row == 0 ? 0 : element(value, b, h, d)) << b << h << k << d;
          EXPECT_TRUE(h == 0 || value == found[b][k]) << "heads differ";
          found[b][k] = value;
        }
    return found;
  }
};
} // namespace

TEST_F(UpdateInPlace, WritesOneRow) {
  put({0, 4, 2}, 1);
  put({1, 4, 0}, 2);
  EXPECT_THAT(load(), testing::ElementsAre(testing::ElementsAre(1, 2, 0, 0, 0),
                                           testing::ElementsAre(0, 0, 0, 0, 2),
                                           testing::ElementsAre(2, 0, 1, 0, 0)));
  putAtOne(3, 5);
  EXPECT_THAT(load(), testing::ElementsAre(testing::ElementsAre(1, 2, 0, 5, 0),
                                           testing::ElementsAre(0, 0, 0, 5, 2),
                                           testing::ElementsAre(2, 0, 1, 5, 0)));
}

TEST_F(UpdateInPlace, WritesNothingOutside) {
  runtime::Tensor ones = entries(1), twos = entries(2);
  session.call("put_behind", {{"at", places({-2, 4, 2})}, {"entry", ones}}, {});
  for (int32_t at : {4, -2})
    session.call("put_behind_one", {{"at", runtime::View<int32_t>(at)}, {"entry", twos}}, {});
  EXPECT_THAT(load(), testing::ElementsAre(Each(0), Each(0), testing::ElementsAre(0, 0, 0, 1, 0)));
}

TEST_F(UpdateInPlace, RefusesWhatTheCallerPutsOutside) {
  for (int32_t at : {5, -1})
    EXPECT_THROW(putAtOne(at, 2), runtime::Error);
  EXPECT_THROW(put({0, 5, 2}, 2), runtime::Error);
  EXPECT_THAT(load(), Each(Each(0)));
}

TEST_F(UpdateInPlace, LeavesTheCacheUnread) {
  for (const char *name : {"put.0.update", "put_at_one.0.update"}) {
    const axl_kernel &kernel = kernelOf(tables, name);
    EXPECT_EQ(kernel.operands[0].access, 0) << name;
    EXPECT_EQ(kernel.operands[kernel.operand_count - 1].access, AXL_WRITE | AXL_ROWS) << name;
  }
}
