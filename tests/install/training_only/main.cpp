// Uses what Axloom::training adds to the runtime: sentencepiece.
#include "runtime/data/Vocabulary.h"

using axloom::runtime::Vocabulary;

int main() {
  const std::string_view lines[] = {"the small dog", "a large house"};
  Vocabulary::learn(lines, 24, "vocabulary");
  Vocabulary vocabulary = Vocabulary::load("vocabulary");
  return vocabulary.decode(vocabulary.encode("a dog")) == "a dog" ? 0 : 1;
}
