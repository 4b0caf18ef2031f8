#include "examples/classify/app/Options.h"

#include "examples/common/CommandLine.h"

#include <algorithm>

namespace example {
namespace {

void addTask(CommandLine &parser, const Task *&task, std::span<const Task> tasks) {
  std::vector<std::string> names;
  for (const Task &known : tasks)
    names.emplace_back(known.name);
  task = &tasks.front();
  auto choose = [&task, tasks](const std::string &name) {
    task = &*std::ranges::find_if(tasks, [&](const Task &known) { return name == known.name; });
  };
  parser.add_option_function<std::string>("--task", choose, "Which model, with its recipe")
      ->check(CLI::IsMember(names))
      ->default_str(task->name)
      ->type_name("NAME");
}

} // namespace

std::optional<ClassifierTrainerOptions> parseClassifierTrainer(std::span<const Task> tasks,
                                                               int argc, char **argv, int &status) {
  ClassifierTrainerOptions options;
  options.usualMinutes = 0;
  CommandLine parser("Trains a classifier on a folder of train.tsv, valid.tsv and test.tsv "
                     "(label<TAB>text, a text a line), then evaluates it on the test split.");
  addTask(parser, options.task, tasks);
  options.addTo(parser, "Folder of train.tsv, valid.tsv and test.tsv");
  parser.add_option("--epochs", options.epochs, "Passes over the training texts [the task's]")
      ->check(between(0.001, 1000.0))
      ->excludes("--steps")
      ->type_name("N");
  parser.add_option("--batch", options.batchTexts, "Texts in a batch [the task's]")
      ->check(positive())
      ->type_name("N");
  auto *names = parser.addFile("--names", options.names, "Table of the names of their tensors");
  auto *weights =
      parser.addFolder("--weights", options.weights,
                       "Start with the weights in this folder's model.safetensors, or its shards, "
                       "with the vocabulary vocab.txt");
  weights->needs(names);
  names->needs(weights);
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

std::optional<ClassifyOptions> parseClassify(std::span<const Task> tasks, int argc, char **argv,
                                             int &status) {
  ClassifyOptions options;
  CommandLine parser("Says of its arguments, or without any of the lines of standard input, which "
                     "classes they are most likely in.");
  addTask(parser, options.task, tasks);
  parser.addCheckpoint(options.folder);
  parser.add_option("--top", options.top, "Classes to print")
      ->check(positive())
      ->capture_default_str()
      ->type_name("N");
  parser.addThreads();
  auto *texts = parser.addTexts("text", options.texts, "Texts to classify");
  parser
      .addFile("--attention", options.attention,
               "Draw what the model looks at in the first text, to this .png or .svg")
      ->needs(texts);
  if (!parser.understands(argc, argv, status))
    return std::nullopt;
  return options;
}

} // namespace example
