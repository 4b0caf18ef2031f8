// Reads text: sentence pairs, texts with labels, and documents. A byte order mark at the start of a
// file is no part of it.
#pragma once

#include <string>
#include <vector>

namespace axloom::runtime {

struct SentencePair {
  std::string source;
  std::string target;
};

struct LabelledText {
  std::string label;
  std::string text;
};

// Files with one of them a line, 'source<TAB>target' or 'label<TAB>text'. Throw Error
// (AXL_ERROR_DATA) naming the file, and the line where there is one: unreadable, empty, a line
// without a tab or with more than one, an empty column, text that is not UTF-8.
std::vector<SentencePair> readPairs(const std::string &path);
std::vector<LabelledText> readLabelledTexts(const std::string &path);

using Document = std::vector<std::string>; // its sentences

// A file with a sentence a line and a blank line between documents. Throws Error (AXL_ERROR_DATA)
// naming the file, and the line where there is one: unreadable, no sentence, text that is not
// UTF-8.
std::vector<Document> readDocuments(const std::string &path);

} // namespace axloom::runtime
