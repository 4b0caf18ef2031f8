// Bytes of UTF-8 in pieces, as whole characters.
#include "examples/chat/app/WholeCharacters.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using example::WholeCharacters;

namespace {

constexpr const char *unknown = "\xef\xbf\xbd", *twice = "\xef\xbf\xbd\xef\xbf\xbd";

// What each byte of a text gives, and after the last one what the end does.
std::vector<std::string> byByte(const std::string &text) {
  WholeCharacters characters;
  std::vector<std::string> given;
  for (char byte : text)
    given.push_back(characters.add({&byte, 1}));
  given.push_back(characters.finish());
  return given;
}

using Pieces = std::vector<std::string>;

TEST(WholeCharacters, ComeWithTheirLastByte) {
  EXPECT_EQ(byByte("aé"), (Pieces{"a", "", "é", ""}));
  EXPECT_EQ(byByte("€z"), (Pieces{"", "", "€", "z", ""}));
  EXPECT_EQ(byByte("😀"), (Pieces{"", "", "", "😀", ""}));
  EXPECT_EQ(byByte(std::string(1, '\0')), (Pieces{std::string(1, '\0'), ""}));
}

// The first and the last characters of each length, and of the gap that is no character.
TEST(WholeCharacters, AreThoseOfUnicode) {
  for (std::string edge :
       {"\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"}) {
    Pieces expected(edge.size() + 1);
    expected[edge.size() - 1] = edge;
    EXPECT_EQ(byByte(edge), expected);
  }
}

TEST(WholeCharacters, PiecesMayBeginAndEndAnywhere) {
  WholeCharacters characters;
  EXPECT_EQ(characters.add("caf\xc3"), "caf");
  EXPECT_EQ(characters.add("\xa9 \xe2\x82"), "é ");
  EXPECT_EQ(characters.add(""), "");
  EXPECT_EQ(characters.add("\xac!"), "€!");
  EXPECT_EQ(characters.finish(), "");
}

TEST(WholeCharacters, BytesThatAreNoneAreReplacedAtOnce) {
  EXPECT_EQ(byByte("\x80"), (Pieces{unknown, ""}));
  EXPECT_EQ(byByte("\xff"), (Pieces{unknown, ""}));
  EXPECT_EQ(byByte("\xc0"), (Pieces{unknown, ""}));
  EXPECT_EQ(byByte("\xf5"), (Pieces{unknown, ""}));
  EXPECT_EQ(byByte("\xe2\x82z"), (Pieces{"", "", std::string(twice) + "z", ""}));
  EXPECT_EQ(byByte("\xe0\x80"), (Pieces{"", twice, ""})) << "longer than it must be";
  EXPECT_EQ(byByte("\xed\xa0"), (Pieces{"", twice, ""})) << "half of a character";
  EXPECT_EQ(byByte("\xf4\x90"), (Pieces{"", twice, ""})) << "beyond the last one";
  EXPECT_EQ(byByte("\xc3\xc3\xa9"), (Pieces{"", unknown, "é", ""}));
}

TEST(WholeCharacters, WhatIsBegunIsReplacedAtTheEnd) {
  EXPECT_EQ(byByte("a\xf0\x9f"), (Pieces{"a", "", "", twice}));
  WholeCharacters characters;
  characters.add("\xe2");
  characters.finish();
  EXPECT_EQ(characters.add("\x82"), unknown) << "what was begun is over";
}

} // namespace
