// Classifies text with a trained model; `classify --help` lists the options.
#include "examples/classify/tasks.h"

int main(int argc, char **argv) { return example::runClassify(example::tasks, argc, argv); }
