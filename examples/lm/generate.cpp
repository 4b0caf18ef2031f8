// Writes texts with the trained model; `lm-generate --help` lists the options.
#include "examples/lm/app/Programs.h"
#include "lm_generation.h"

int main(int argc, char **argv) { return example::runGenerate(lm_generation_model, argc, argv); }
