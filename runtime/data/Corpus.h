// Reads parallel text: a file with one sentence pair a line, source and target separated by a tab.
#pragma once

#include <string>
#include <vector>

namespace axloom::runtime {

struct SentencePair {
  std::string source;
  std::string target;
};

// Throws Error (AXL_ERROR_DATA) naming the file, and the line where there is one: unreadable,
// empty, a line without a tab or with more than one, an empty column, text that is not UTF-8.
std::vector<SentencePair> readPairs(const std::string &path);

} // namespace axloom::runtime
