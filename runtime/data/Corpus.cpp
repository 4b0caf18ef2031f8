#include "runtime/data/Corpus.h"

#include "runtime/checkpoint/WholeFile.h"
#include "runtime/core/Error.h"
#include "runtime/data/Utf8.h"

using namespace axloom::runtime;

namespace {

[[noreturn]] void fail(const std::string &path, int64_t line, const std::string &what) {
  throw Error(AXL_ERROR_DATA, concat(path, ":", line, ": ", what));
}

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

// What a file has a line of, and its two columns.
struct Kind {
  const char *entry, *first, *second;
  std::string columns() const { return concat("'", first, "<TAB>", second, "'"); }
};

using Columns = std::pair<std::string, std::string>;

Columns parse(const std::string &path, int64_t number, std::string_view line, const Kind &kind) {
  size_t tab = line.find('\t');
  if (tab == std::string_view::npos)
    fail(path, number, concat("expected ", kind.columns(), ", found one column"));
  if (line.find('\t', tab + 1) != std::string_view::npos)
    fail(path, number, concat("expected ", kind.columns(), ", found more than two columns"));
  Columns columns{line.substr(0, tab), line.substr(tab + 1)};
  if (isBlank(columns.first) || isBlank(columns.second))
    fail(path, number,
         concat("the ", isBlank(columns.first) ? kind.first : kind.second, " is empty"));
  if (!isUtf8(line))
    fail(path, number, "the text is not UTF-8");
  return columns;
}

// Calls `use` with the number and the text of each line.
template <class Use>
void forEachLine(const std::string &path, const std::string &expected, const Use &use) {
  std::string contents = readWhole(path, "; expected a file with " + expected, AXL_ERROR_DATA);
  std::string_view rest = withoutMark(contents);
  for (int64_t number = 0; !rest.empty();)
    use(++number, takeLine(rest));
}

[[noreturn]] void failEmpty(const std::string &path, const std::string &expected) {
  throw Error(AXL_ERROR_DATA, concat("'", path, "' is empty; expected ", expected));
}

// An Entry of two columns for each line.
template <class Entry> std::vector<Entry> readColumns(const std::string &path, const Kind &kind) {
  std::string expected = concat("a ", kind.entry, " a line, ", kind.columns());
  std::vector<Entry> entries;
  forEachLine(path, expected, [&](int64_t number, std::string_view line) {
    auto [first, second] = parse(path, number, line, kind);
    entries.push_back({std::move(first), std::move(second)});
  });
  if (entries.empty())
    failEmpty(path, expected);
  return entries;
}

} // namespace

std::vector<SentencePair> axloom::runtime::readPairs(const std::string &path) {
  return readColumns<SentencePair>(path, {"sentence pair", "source", "target"});
}

std::vector<LabelledText> axloom::runtime::readLabelledTexts(const std::string &path) {
  return readColumns<LabelledText>(path, {"labelled text", "label", "text"});
}

std::vector<Document> axloom::runtime::readDocuments(const std::string &path) {
  constexpr const char *expected = "a sentence a line and a blank line between documents";
  std::vector<Document> documents;
  bool inside = false; // a document
  forEachLine(path, expected, [&](int64_t number, std::string_view line) {
    if (!isUtf8(line))
      fail(path, number, "the text is not UTF-8");
    bool blank = isBlank(line);
    if (!blank && !inside)
      documents.emplace_back();
    if (!blank)
      documents.back().emplace_back(line);
    inside = !blank;
  });
  if (documents.empty())
    failEmpty(path, expected);
  return documents;
}
