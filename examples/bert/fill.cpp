// Guesses words with the compiled model; `bert_fill --help` lists the options.
#include "bert.h"

#include "examples/bert/app/Programs.h"

int main(int argc, char **argv) { return example::runFill(bert_model, argc, argv); }
