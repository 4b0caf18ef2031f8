// The program that compiles the model at build time; axloom_add_model runs it.
#include "codegen/driver/Generate.h"
#include "examples/embed/model.h"

int main(int argc, char **argv) { return axloom::generate(argc, argv, embed::build); }
