#include "runtime/data/NormalForm.h"

#include "runtime/data/CodePoints.h"
#include "runtime/data/Utf8.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

// The characters that those of UTF-8 are made of, canonically.
std::vector<CodePoint> decomposed(std::string_view text) {
  std::vector<CodePoint> all;
  while (!text.empty()) {
    size_t length = utf8Length(text);
    decompose(codePointOf(text.substr(0, length)), all);
    text.remove_prefix(length);
  }
  return all;
}

// Sorts the marks on each letter by their classes. (That of utf8proc_map takes time with the square
// of their number.)
void sortMarks(std::vector<CodePoint> &text) {
  auto classOf = [](CodePoint c) { return utf8proc_get_property(c)->combining_class; };
  auto isMark = [&](CodePoint c) { return classOf(c) != 0; };
  for (auto end = text.begin(); end != text.end();) {
    auto begin = std::find_if(end, text.end(), isMark);
    end = std::find_if_not(begin, text.end(), isMark);
    std::ranges::stable_sort(begin, end, {}, classOf);
  }
}

std::string composedUtf8(std::string_view text) {
  std::vector<CodePoint> characters = decomposed(text);
  sortMarks(characters);
  auto count = utf8proc_ssize_t(characters.size());
  characters.push_back(0); // room for the end that is written behind the text
  auto length = utf8proc_reencode(characters.data(), count,
                                  utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  return {reinterpret_cast<char *>(characters.data()), size_t(length)};
}

} // namespace

std::string axloom::runtime::composed(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    size_t end = 0;
    while (size_t length = utf8Length(text.substr(end)))
      end += length;
    result += composedUtf8(text.substr(0, end));
    result += text.substr(end, 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}
