// Pretrains the compiled model; `bert_pretrain --help` lists the options.
#include "bert.h"

#include "examples/bert/app/Programs.h"

int main(int argc, char **argv) { return example::runPretrain(bert_model, argc, argv); }
