// The writer around a small compiled model, without its training.
#include "examples/lm/app/Programs.h"
#include "lm_small_generation.h"

int main(int argc, char **argv) {
  return example::runGenerate(lm_small_generation_model, argc, argv);
}
