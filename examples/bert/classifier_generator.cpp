// The program that compiles the classifier at build time; axloom_add_model runs it.
#include "codegen/driver/Generate.h"
#include "examples/bert/model.h"

int main(int argc, char **argv) { return axloom::generate(argc, argv, bert::buildClassifier); }
