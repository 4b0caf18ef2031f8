// What the pretrained encoder is worth to a classifier; `bert_finetune --help` lists the options.
#include "bert_classifier.h"

#include "examples/bert/app/Programs.h"

int main(int argc, char **argv) { return example::runFineTune(bert_classifier_model, argc, argv); }
