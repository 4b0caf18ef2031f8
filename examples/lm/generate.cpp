// Writes texts with the trained model; `lm-generate --help` lists the options.
#include "examples/lm/app/Programs.h"
#include "lm.h"

int main(int argc, char **argv) { return example::runGenerate(lm_model, argc, argv); }
