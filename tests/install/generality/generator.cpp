// The generator of each model.
#include "codegen/driver/Generate.h"

#include "models.h"

int main(int argc, char **argv) { return axloom::generate(argc, argv, generality::MODEL); }
