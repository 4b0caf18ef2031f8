#include "examples/embed/app/Nearest.h"

#include "examples/common/CommandLine.h"
#include "examples/common/Lines.h"
#include "examples/common/Print.h"
#include "examples/embed/app/Embedder.h"
#include "runtime/checkpoint/WholeFile.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>

using namespace axloom::runtime;

namespace example {
namespace {

struct NearestOptions {
  std::string sentence, file = "-", weights = "weights", names = "minilm.names", attention;
  size_t top = 10;
  bool vector = false;
};

// The lines of a file that are not empty.
std::vector<std::string> readSentences(const std::string &path) {
  std::vector<std::string> lines;
  if (path == "-") {
    lines = readLines();
  } else {
    std::string contents = readWhole(path);
    for (std::string_view rest = withoutMark(contents); !rest.empty();)
      lines.emplace_back(takeLine(rest));
  }
  std::erase(lines, "");
  return lines;
}

void printVector(const std::vector<float> &vector) {
  for (float value : vector)
    std::printf("%.6f\n", value);
}

void printNearest(Embedder &embedder, const NearestOptions &options,
                  const std::vector<float> &wanted) {
  std::vector<std::string> lines = readSentences(options.file);
  int64_t cut = 0;
  std::vector<std::vector<float>> vectors = embedder.embed(lines, cut);
  std::vector<std::pair<float, size_t>> found; // cosine, line
  for (size_t i = 0; i < lines.size(); ++i)
    found.emplace_back(std::inner_product(wanted.begin(), wanted.end(), vectors[i].begin(), 0.0F),
                       i);
  std::ranges::stable_sort(found, std::greater(), &std::pair<float, size_t>::first);
  found.resize(std::min(found.size(), options.top));
  for (const auto &[cosine, line] : found)
    print("{:.6f}  {}", cosine, lines[line]);
  if (cut > 0)
    std::fprintf(stderr, "embed: %lld lines have more than %lld tokens and were cut\n",
                 static_cast<long long>(cut), static_cast<long long>(embedder.limit()));
}

int nearest(const axl_model &model, const NearestOptions &options) {
  Embedder embedder(model, options.weights, options.names);
  int64_t cut = 0;
  if (!options.attention.empty()) {
    embedder.drawAttention(options.sentence, options.attention, cut);
  } else {
    std::vector<float> wanted = embedder.embed(std::span(&options.sentence, 1), cut).front();
    if (options.vector)
      printVector(wanted);
    else
      printNearest(embedder, options, wanted);
  }
  if (cut > 0)
    std::fprintf(stderr, "embed: the sentence has more than %lld tokens and was cut\n",
                 static_cast<long long>(embedder.limit()));
  return 0;
}

std::optional<NearestOptions> parseNearest(int argc, char **argv, int &status) {
  NearestOptions options;
  CommandLine parser(
      "Prints the lines of a file that are nearest to a sentence, with their cosines.");
  parser.addText("sentence", options.sentence, "What to look for")->required();
  parser.addFile("--file", options.file, "Lines to look at; - is standard input")
      ->capture_default_str();
  parser.add_option("--top", options.top, "Lines to print")
      ->check(positive())
      ->capture_default_str()
      ->type_name("N");
  parser
      .addFolder("--weights", options.weights,
                 "Folder of model.safetensors, or its shards, and vocab.txt")
      ->capture_default_str();
  parser.addFile("--names", options.names, "Table of the tensors' names")->capture_default_str();
  parser.add_flag("--vector", options.vector, "Print the sentence's vector instead");
  parser.addFile("--attention", options.attention,
                 "Draw what the model looks at in the sentence instead; .png or .svg");
  parser.addThreads();
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

} // namespace

int runNearest(const axl_model &model, int argc, char **argv) {
  int status = 0;
  std::optional<NearestOptions> options = parseNearest(argc, argv, status);
  return options ? guarded("embed", [&] { return nearest(model, *options); }) : status;
}

} // namespace example
