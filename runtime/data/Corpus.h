// Reads text: sentence pairs, and documents.
#pragma once

#include <string>
#include <vector>

namespace axloom::runtime {

struct SentencePair {
  std::string source;
  std::string target;
};

// A file with one sentence pair a line, source and target separated by a tab. Throws Error
// (AXL_ERROR_DATA) naming the file, and the line where there is one: unreadable, empty, a line
// without a tab or with more than one, an empty column, text that is not UTF-8.
std::vector<SentencePair> readPairs(const std::string &path);

using Document = std::vector<std::string>; // its sentences

// A file with a sentence a line and a blank line between documents. Throws Error (AXL_ERROR_DATA)
// naming the file, and the line where there is one: unreadable, no sentence, text that is not
// UTF-8.
std::vector<Document> readDocuments(const std::string &path);

} // namespace axloom::runtime
