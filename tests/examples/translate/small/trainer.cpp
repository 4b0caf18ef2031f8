// The trainer around a small compiled model.
#include "examples/translate/app/Programs.h"
#include "translate_small.h"

int main(int argc, char **argv) { return example::runTrainer(translate_small_model, argc, argv); }
