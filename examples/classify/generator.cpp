// The program that compiles the model at build time; axloom_add_model runs it. `--help` lists what
// can be set and printed.
#include "codegen/driver/Generate.h"
#include "examples/classify/model.h"

int main(int argc, char **argv) { return axloom::generate(argc, argv, classify::build); }
