#include "tests/examples/classify/small/tasks.h"

int main(int argc, char **argv) {
  return example::runClassifierTrainer(example::smallTasks, argc, argv);
}
