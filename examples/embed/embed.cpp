// Which lines of a file are nearest to a sentence.
#include "embed.h"

#include "examples/embed/app/Nearest.h"

int main(int argc, char **argv) { return example::runNearest(embed_model, argc, argv); }
