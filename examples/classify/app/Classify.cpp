// The program `classify`: one line out for each line in.
#include "examples/classify/app/Classifier.h"
#include "examples/classify/app/Options.h"
#include "examples/classify/app/Programs.h"
#include "examples/common/Likeliest.h"
#include "examples/common/Lines.h"
#include "examples/common/Print.h"

namespace example {
namespace {

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
      print("{}", likeliest(answer.probabilities, top,
                            [&](size_t label) { return classifier.labels().names()[label]; }));
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
  Classifier &classifier;
  int top;
  int64_t line = 0, cut = 0, empty = 0;
};

int classify(const ClassifyOptions &options) {
  Classifier classifier(*options.task->model, options.folder);
  Output output(classifier, options.top);
  if (!options.attention.empty())
    classifier.drawAttention(options.texts.front(), options.attention);
  if (options.texts.empty())
    answerLines([&](std::span<const std::string> lines) { output.classify(lines); });
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
