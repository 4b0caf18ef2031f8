// Trains a translation model that the benchmark has compiled, on batches of a kind:
//   bench-batches THREADS LIBRARY MODEL DATA VOCABULARY by_length|as_they_come
//     LIBRARY is a bundle linked as a shared library, MODEL its name; DATA is a folder with
//     train.tsv. VOCABULARY is a file, which is made if it is not there. A model of packed
//     sentences gets packed ones, whose order is that of `as_they_come`.
// Each line of input is answered by a number or "error: ...":
//   steps N  real target tokens a second, over the next N steps
//   filled   of all positions so far on the target's side, the share that real tokens have
#include "examples/translate/app/Shape.h"
#include "runtime/data/PairBatches.h"
#include "runtime/train/StepCall.h"
#include "tests/bench/Library.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <sstream>

using namespace axloom;
using namespace axloom::runtime;
using example::ModelShape;

namespace {

PairLayout layoutOf(const ModelShape &shape, const std::string &order) {
  if (shape.packed)
    return PairLayout::Packed;
  return order == "by_length" ? PairLayout::ByLength : PairLayout::AsTheyCome;
}

// The vocabulary in a file; the first that asks for it makes the file.
Vocabulary vocabularyIn(const std::string &file, const std::vector<SentencePair> &pairs,
                        int32_t size) {
  if (!std::filesystem::exists(file)) {
    std::vector<std::string_view> lines;
    for (const SentencePair &pair : pairs)
      lines.insert(lines.end(), {pair.source, pair.target});
    Vocabulary::learn(lines, size, file);
  }
  return Vocabulary::load(file);
}

TokenPairs readTokens(const ModelShape &shape, const std::string &data, const std::string &file) {
  std::vector<SentencePair> pairs = readPairs(data + "/train.tsv");
  return tokenize(pairs, vocabularyIn(file, pairs, shape.vocabulary),
                  std::min(shape.sourceLength, shape.targetLength));
}

class Training {
public:
  Training(const axl_model &tables, const TokenPairs &pairs, PairLayout layout)
      : model(tables), batches(pairs, {.layout = layout}), step(model, "train_step", "loss") {}

  double answer(const std::string &line) {
    std::istringstream words(line);
    std::string command;
    int64_t count = 0;
    words >> command >> count;
    if (command == "steps" && count > 0)
      return tokensPerSecond(count);
    if (command == "filled")
      return double(tokens) / double(positions);
    throw Error(AXL_ERROR_ARGUMENT, concat("unknown command: ", line));
  }

private:
  double tokensPerSecond(int64_t count) {
    int64_t before = tokens;
    auto start = std::chrono::steady_clock::now();
    for (int64_t i = 0; i < count; ++i) {
      batches.next(batch);
      step.run(batch, /*seed=*/1, ++steps);
      tokens += batch.tokens;
      positions += batch.tensor("target_in").size();
    }
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    return double(tokens - before) / time.count();
  }

  Model model;
  PairBatches batches;
  StepCall step;
  Batch batch;
  int64_t steps = 0, tokens = 0, positions = 0;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 7) {
    std::cerr << "usage: bench-batches THREADS LIBRARY MODEL DATA VOCABULARY "
                 "by_length|as_they_come\n";
    return 2;
  }
  try {
    axl_set_threads(std::stoi(argv[1]));
    const axl_model &tables = bench::load(argv[2], argv[3]);
    ModelShape shape = example::shapeOf(tables);
    TokenPairs pairs = readTokens(shape, argv[4], argv[5]);
    Training training(tables, pairs, layoutOf(shape, argv[6]));
    for (std::string line; std::getline(std::cin, line);) {
      try {
        std::cout << training.answer(line) << std::endl;
      } catch (const std::exception &error) {
        std::cout << "error: " << error.what() << std::endl;
      }
    }
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "bench-batches: error: " << error.what() << "\n";
    return 1;
  }
}
