// The program `classify`: one line out for each line in.
#include "examples/classify/app/Classifier.h"
#include "examples/classify/app/Options.h"
#include "examples/classify/app/Programs.h"
#include "examples/common/Print.h"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <unistd.h>

namespace example {
namespace {

constexpr size_t linesAtATime = 256;

// Prints answers; a text without anything to read leaves an empty line and a word on standard
// error.
class Output {
public:
  Output(Classifier &classifier, int top) : classifier(classifier), top(top) {}

  void classify(std::span<const std::string> texts) {
    for (const Classified &answer : classifier.classify(texts)) {
      ++line;
      cut += answer.cut;
      if (answer.probabilities.empty()) {
        ++empty;
        std::fprintf(stderr, "classify: text %lld has nothing to read\n", (long long)line);
      }
      print("{}", likeliest(answer.probabilities));
    }
  }

  // 0, or 1 if something was not classified.
  int status() const {
    if (cut > 0)
      std::fprintf(stderr, "classify: %lld of %lld texts had more than %lld tokens and were cut\n",
                   (long long)cut, (long long)line, (long long)classifier.shape().length);
    return empty > 0;
  }

private:
  // "games 97.3 %  video 1.1 %"
  std::string likeliest(const std::vector<float> &probabilities) const {
    std::vector<size_t> order(probabilities.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return probabilities[i]; });
    order.resize(std::min(order.size(), size_t(top)));
    std::string text;
    for (size_t i : order)
      text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : "  ", classifier.labels().names()[i],
                          100 * probabilities[i]);
    return text;
  }

  Classifier &classifier;
  int top;
  int64_t line = 0, cut = 0, empty = 0;
};

// On a terminal each line is answered at once; otherwise many are classified together.
void classifyLines(std::istream &input, Output &output) {
  size_t group = isatty(STDIN_FILENO) ? 1 : linesAtATime;
  std::vector<std::string> lines;
  for (std::string line; std::getline(input, line);) {
    lines.push_back(std::move(line));
    if (lines.size() == group) {
      output.classify(lines);
      lines.clear();
    }
  }
  output.classify(lines);
}

int classify(const ClassifyOptions &options) {
  axl_set_threads(options.threads);
  Classifier classifier(*options.task->model, options.folder);
  Output output(classifier, options.top);
  if (!options.attention.empty())
    classifier.drawAttention(options.texts.front(), options.attention);
  if (options.texts.empty())
    classifyLines(std::cin, output);
  else
    output.classify(options.texts);
  return output.status();
}

} // namespace

int runClassify(std::span<const Task> tasks, int argc, char **argv) {
  int status = 0;
  auto options = parseClassify(tasks, argc, argv, status);
  return options ? guarded("classify", [&] { return classify(*options); }) : status;
}

} // namespace example
