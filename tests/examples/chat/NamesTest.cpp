// The table of GPT-2's names, with a small model of that family. That of Llama's is tested with
// real weights, by ChatTest.cpp.
#include "lm_small.h"

#include "runtime/checkpoint/Import.h"
#include "runtime/checkpoint/Safetensors.h"
#include "tests/examples/Process.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <map>

using namespace axloom::runtime;
using axloom::test::TemporaryFolder;

namespace {

constexpr int64_t width = 32, hidden = 64, vocabulary = 40, length = 24;

std::string names() {
  return std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/examples/lm/gpt2.names";
}

using Shapes = std::map<std::string, std::vector<int64_t>>;

Shapes shapesOf(const SafetensorsFile &file) {
  Shapes shapes;
  for (const auto &entry : file.entries())
    shapes[entry.name] = entry.extents;
  return shapes;
}

// Those of transformers' GPT2Model with two layers.
Shapes publishedShapes() {
  Shapes shapes = {{"wte.weight", {vocabulary, width}},
                   {"wpe.weight", {length, width}},
                   {"ln_f.weight", {width}},
                   {"ln_f.bias", {width}}};
  for (std::string layer : {"h.0.", "h.1."})
    shapes.merge(Shapes{{layer + "ln_1.weight", {width}},
                        {layer + "ln_1.bias", {width}},
                        {layer + "attn.c_attn.weight", {width, 3 * width}},
                        {layer + "attn.c_attn.bias", {3 * width}},
                        {layer + "attn.c_proj.weight", {width, width}},
                        {layer + "attn.c_proj.bias", {width}},
                        {layer + "ln_2.weight", {width}},
                        {layer + "ln_2.bias", {width}},
                        {layer + "mlp.c_fc.weight", {width, hidden}},
                        {layer + "mlp.c_fc.bias", {hidden}},
                        {layer + "mlp.c_proj.weight", {hidden, width}},
                        {layer + "mlp.c_proj.bias", {width}}});
  return shapes;
}

class Gpt2Names : public testing::Test {
protected:
  Tensor published(const std::string &name) const {
    SafetensorsFile file(path);
    return file.read(*file.find(name));
  }

  TemporaryFolder folder;
  const std::string path = folder.path("model.safetensors");
  Model model{lm_small_model};
};

TEST_F(Gpt2Names, AreThoseOfHuggingFace) {
  exportParameters(model, path, NameTable::load(names()));
  EXPECT_EQ(shapesOf(SafetensorsFile(path)), publishedShapes());
}

// Conv1D computes x W: the column of an output, those of queries, keys and values one after the
// other.
TEST_F(Gpt2Names, MapsLieInTheOrderOfConv1D) {
  exportParameters(model, path, NameTable::load(names()));
  Tensor together = published("h.1.attn.c_attn.weight");
  const char *parts[] = {"query", "key", "value"};
  for (int64_t part = 0; part < 3; ++part) {
    Tensor own = model.variable(std::string("layer.1.attention.") + parts[part] + ".weight");
    for (int64_t out = 0; out < width; ++out) // heads and depth
      for (int64_t in = 0; in < width; ++in)
        ASSERT_EQ(together.view<float>()[in * 3 * width + part * width + out],
                  own.view<float>()[out * width + in])
            << parts[part];
  }
  Tensor inner = published("h.0.mlp.c_fc.weight"),
         own = model.variable("layer.0.feed_forward.inner.weight");
  EXPECT_EQ(inner.view<float>()[1], own.view<float>()[width]);
}

// As the head of the table says.
TEST_F(Gpt2Names, MayHaveAPrefix) {
  example::Finished prefixed =
      example::runProgram({"/bin/sed", "s/^[a-z]/transformer.&/", names()});
  NameTable table = NameTable::parse(prefixed.output, "prefixed");
  exportParameters(model, path, table);
  Shapes expected;
  for (const auto &[name, shape] : publishedShapes())
    expected["transformer." + name] = shape;
  EXPECT_EQ(shapesOf(SafetensorsFile(path)), expected);

  Model other(lm_small_model, 2);
  importParameters(other, {path}, table);
  auto values = [](const Model &of) {
    Tensor tensor = of.variable("layer.1.attention.key.weight");
    auto view = tensor.view<float>();
    return std::vector<float>(view.begin(), view.end());
  };
  EXPECT_EQ(values(other), values(model));
}

// They are masks, which the published file has and the model needs not.
TEST_F(Gpt2Names, LeaveMasksOut) {
  NameTable table = NameTable::load(names());
  for (const char *mask : {"h.0.attn.bias", "h.11.attn.bias", "h.0.attn.masked_bias"})
    EXPECT_TRUE(table.leavesOut(mask)) << mask;
  EXPECT_FALSE(table.leavesOut("h.0.attn.c_attn.bias"));
}

} // namespace
