// Trains the compiled models; `classify_trainer --help` lists the options.
#include "examples/classify/tasks.h"

int main(int argc, char **argv) {
  return example::runClassifierTrainer(example::tasks, argc, argv);
}
