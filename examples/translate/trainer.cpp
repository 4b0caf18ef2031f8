// Trains the compiled model; `trainer --help` lists the options.
#include "examples/translate/app/Programs.h"
#include "translate.h"

int main(int argc, char **argv) { return example::runTrainer(translate_model, argc, argv); }
