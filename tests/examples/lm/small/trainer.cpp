// The trainer around a small compiled model.
#include "examples/lm/app/Programs.h"
#include "lm_small.h"

int main(int argc, char **argv) { return example::runTextTrainer(lm_small_model, argc, argv); }
