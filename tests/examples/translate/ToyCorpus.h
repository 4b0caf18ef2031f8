// A language of 21 words that translates word by word, and a folder for a test to work in.
#pragma once

#include <string>

namespace example {

// A temporary folder with the corpus in `data`; removed at the end.
class ToyFolder {
public:
  ToyFolder();
  ~ToyFolder();
  ToyFolder(const ToyFolder &) = delete;

  std::string path;  // of the folder
  std::string data;  // {train,valid,test}.tsv
  std::string model; // where the trainer may write

  // Replaces a split, e.g. write("train", "a\tb\n").
  void write(const std::string &split, const std::string &text) const;
};

// What the language makes of a text.
std::string toyTranslation(const std::string &text);

std::string readFile(const std::string &path);
void writeFile(const std::string &path, const std::string &bytes);

} // namespace example
