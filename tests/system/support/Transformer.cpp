#include "tests/system/support/Transformer.h"

#include "examples/translate/model.h"
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "runtime/data/Vocabulary.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

using namespace axloom;
using namespace axloom::test;

std::string test::smallTransformer(const std::vector<std::string> &given) {
  Options options;
  for (const char *option : {"layers=2", "width=32", "heads=2", "depth=16", "value_depth=12",
                             "hidden=48", "warmup=10", "batch=17"})
    options.set(option);
  options.set("length=" + std::to_string(smallLength));
  options.set("vocabulary=" + std::to_string(smallVocabulary));
  for (const std::string &option : given)
    options.set(option);
  Program program;
  translate::build(program, options);
  // With the lines of the model, which errors name.
  std::string text;
  llvm::raw_string_ostream stream(text);
  moduleOf(program).print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  return text;
}

static codegen::CompilerOptions compilerOptions(passes::PipelineOptions passes,
                                                codegen::Target target) {
  codegen::CompilerOptions options;
  options.name = "small";
  options.passes = std::move(passes);
  options.target = std::move(target);
  return options;
}

CompiledModel::CompiledModel(const std::string &graph, passes::PipelineOptions passes,
                             codegen::Target target)
    : executor(compilerOptions(std::move(passes), std::move(target))) {
  auto module = graphs.parse(graph);
  const SharedBundle *shared = module ? executor.compile(*module) : nullptr;
  if (!shared)
    throw std::runtime_error("the model does not compile: " + graphs.takeErrors());
  bundle = &shared->model();
}

const axl_model &test::compiledTransformer() {
  static CompiledModel model(smallTransformer());
  return model.tables();
}

runtime::Tensor test::tokens(const std::vector<std::vector<int32_t>> &rows, int64_t length) {
  for (const auto &row : rows)
    length = std::max(length, int64_t(row.size()));
  runtime::Tensor tensor(AXL_I32, {int64_t(rows.size()), length});
  auto view = tensor.view<int32_t>();
  std::fill(view.begin(), view.end(), runtime::Vocabulary::padding);
  for (size_t row = 0; row < rows.size(); ++row)
    std::copy(rows[row].begin(), rows[row].end(), view.begin() + int64_t(row) * length);
  return tensor;
}

std::vector<int32_t> test::randomSentence(size_t length, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<int32_t> sentence(length);
  for (int32_t &token : sentence)
    token = int32_t(4 + random() % (smallVocabulary - 4));
  return sentence;
}

float test::distance(std::span<const float> actual, std::span<const float> expected, float least) {
  if (actual.size() != expected.size())
    return NAN;
  float largest = least, farthest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    float apart = std::abs(actual[i] - expected[i]);
    if (std::isnan(apart))
      return apart;
    farthest = std::max(farthest, apart);
  }
  return farthest / largest;
}
