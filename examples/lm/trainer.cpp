// Trains the compiled model; `lm-trainer --help` lists the options.
#include "examples/lm/app/Programs.h"
#include "lm.h"

int main(int argc, char **argv) { return example::runTextTrainer(lm_model, argc, argv); }
