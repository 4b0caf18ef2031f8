#include "runtime/data/AddedTokens.h"

#include <algorithm>

using namespace axloom::runtime;

void AddedTokens::add(const std::string &spelling, int32_t id, bool special) {
  auto isShorter = [&](const Token &token) { return token.spelling.size() < spelling.size(); };
  tokens.insert(std::ranges::find_if(tokens, isShorter), {spelling, id, special});
  if (firstBytes.find(spelling.front()) == firstBytes.npos)
    firstBytes += spelling.front();
}

const AddedTokens::Token *AddedTokens::longestAt(std::string_view text) const {
  auto begins = [&](const Token &token) { return text.starts_with(token.spelling); };
  auto found = std::ranges::find_if(tokens, begins);
  return found == tokens.end() ? nullptr : &*found;
}

void AddedTokens::cut(std::string_view text, const std::function<void(std::string_view)> &onText,
                      const std::function<void(int32_t)> &onToken) const {
  size_t begin = 0; // of the text behind the last token
  for (size_t place = text.find_first_of(firstBytes); place < text.size();
       place = text.find_first_of(firstBytes, place)) {
    const Token *token = longestAt(text.substr(place));
    size_t end = place + (token ? token->spelling.size() : 1);
    if (token && !token->special) {
      if (begin < place)
        onText(text.substr(begin, place - begin));
      onToken(token->id);
      begin = end;
    }
    place = end;
  }
  if (begin < text.size())
    onText(text.substr(begin));
}
