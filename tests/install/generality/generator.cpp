// The generator of either model.
#include "codegen/driver/Generate.h"

#include "models.h"

int main(int argc, char **argv) { return axloom::generate(argc, argv, generality::MODEL); }
