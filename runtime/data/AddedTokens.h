// Tokens that were added to a learned vocabulary, and stand for what is spelled like them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace axloom::runtime {

class AddedTokens {
public:
  // `spelling` is not empty.
  void add(const std::string &spelling, int32_t id, bool special);

  // Finds tokens from the start to the end of a text, at each place the longest, and calls `onText`
  // for what lies between them and `onToken` for them. A special token is text, but no other token
  // begins inside it.
  void cut(std::string_view text, const std::function<void(std::string_view)> &onText,
           const std::function<void(int32_t)> &onToken) const;

private:
  struct Token {
    std::string spelling;
    int32_t id;
    bool special;
  };

  const Token *longestAt(std::string_view text) const;

  std::vector<Token> tokens; // the longest first
  std::string firstBytes;    // of all tokens
};

} // namespace axloom::runtime
