// A language of 21 words that translates word by word, and a folder for a test to work in.
#pragma once

#include "tests/support/TemporaryFolder.h"

#include <string>

namespace example {

// A temporary folder with the corpus in `data`; removed at the end.
class ToyFolder {
  axloom::test::TemporaryFolder folder;

public:
  ToyFolder();

  const std::string data = folder.path("data");   // {train,valid,test}.tsv
  const std::string model = folder.path("model"); // where the trainer may write

  // Replaces a split, e.g. write("train", "a\tb\n").
  void write(const std::string &split, const std::string &text) const;
};

// What the language makes of a text.
std::string toyTranslation(const std::string &text);

} // namespace example
