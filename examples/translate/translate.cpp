// Translates text with the trained model; `translate --help` lists the options.
#include "translate.h"
#include "examples/translate/app/Programs.h"

int main(int argc, char **argv) { return example::runTranslate(translate_model, argc, argv); }
