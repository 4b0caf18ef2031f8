// Text in pictures: the font of strokes, and what becomes of text that it does not have.
#include "runtime/plot/Font.h"
#include "tests/runtime/Expect.h"

using namespace axloom::runtime::plot;

namespace {

// Sides of the box around a text's first glyph.
struct Box {
  double left = 100, right = -100, top = 100, bottom = -100;
};

Box boxOf(const std::string &text) {
  Box box;
  const Glyph glyph = glyphsOf(text).at(0);
  for (const auto &stroke : glyph.strokes)
    for (Point point : stroke) {
      box.left = std::min(box.left, point.x);
      box.right = std::max(box.right, point.x);
      box.top = std::min(box.top, point.y);
      box.bottom = std::max(box.bottom, point.y);
    }
  return box;
}

TEST(Font, EveryPrintableCharacterHasAShape) {
  for (char letter = '!'; letter <= '~'; ++letter) {
    std::vector<Glyph> glyphs = glyphsOf(std::string(1, letter));
    ASSERT_EQ(glyphs.size(), 1u);
    size_t points = 0;
    for (const auto &stroke : glyphs[0].strokes)
      for (const Point &point : stroke) {
        EXPECT_LE(point.x, glyphs[0].advance) << letter;
        EXPECT_LE(point.y, 9) << letter;
        ++points;
      }
    EXPECT_GE(points, 2u) << letter;
  }
}

TEST(Font, AccentsLieAboveTheirLetters) {
  for (const char *text : {"ä", "é", "Ö", "Å", "č", "ñ", "ï", "a\u0308"})
    EXPECT_EQ(glyphsOf(text).size(), 1u) << text;
  EXPECT_EQ(boxOf("a\u0308").top, boxOf("ä").top);
  EXPECT_EQ(boxOf("ä").top, 0);
  EXPECT_EQ(boxOf("Ä").top, -2);
  EXPECT_EQ(boxOf("ç").bottom, 9);
  EXPECT_EQ(boxOf("é").bottom, boxOf("e").bottom);
  for (const char *text : {"ơ", "ư", "ả", "ế"})
    EXPECT_EQ(glyphsOf(text).size(), 1u) << text;
  // The dots of ï are two, those of i one.
  EXPECT_EQ(glyphsOf("ï")[0].strokes.size(), glyphsOf("i")[0].strokes.size() + 1);
  EXPECT_EQ(glyphsOf("ị")[0].strokes.size(), glyphsOf("i")[0].strokes.size() + 1);
}

TEST(Font, OtherScriptsAreBoxes) {
  auto isBox = [](const std::string &text) {
    return glyphsOf(text).size() == 1 && glyphsOf(text)[0].strokes.size() == 1 &&
           glyphsOf(text)[0].strokes[0].size() == 5 && boxOf(text).top == 0 &&
           boxOf(text).bottom == 7 && boxOf(text).right == 4;
  };
  EXPECT_TRUE(isBox("中"));
  EXPECT_TRUE(isBox("😀"));
  EXPECT_TRUE(isBox("\x80"));
  EXPECT_TRUE(isBox("\n"));
  for (const char *letter : {"ß", "ẞ", "Ð", "ð", "Þ", "þ", "ħ", "ŋ"})
    EXPECT_FALSE(isBox(letter)) << letter;
  EXPECT_FALSE(isBox("\u2581"));
  EXPECT_EQ(glyphsOf("中文").size(), 2u);
}

TEST(Font, ReadableTextIsUtf8WithoutControls) {
  EXPECT_EQ(readable("grün 中"), "grün 中");
  EXPECT_EQ(readable("a\xff\xe4z\t"), "a\uFFFD\uFFFDz\uFFFD");
  EXPECT_EQ(readable("\xe4\xb8"), "\uFFFD\uFFFD");
  EXPECT_EQ(readable("a\uFFFEb\uFFFF"), "a\uFFFDb\uFFFD"); // which XML refuses
}

TEST(Font, WidthsAddUp) {
  EXPECT_EQ(textWidth("", 10), 0);
  EXPECT_DOUBLE_EQ(textWidth("grün", 20), 2 * textWidth("grun", 10));
  EXPECT_DOUBLE_EQ(textWidth("ab", 10), textWidth("a", 10) + textWidth("b", 10));
}

TEST(Font, LongTextsEndWithAnEllipsis) {
  EXPECT_EQ(fitted("short", 10, 100), "short");
  std::string cut = fitted("Donaudampfschifffahrtsgesellschaft", 10, 60);
  EXPECT_TRUE(cut.starts_with("Donau")) << cut;
  EXPECT_TRUE(cut.ends_with("…")) << cut;
  EXPECT_LE(textWidth(cut, 10), 60);
  EXPECT_GT(textWidth(cut, 10), 50);
  // Never inside a character.
  EXPECT_EQ(fitted("üüüüüüüü", 10, textWidth("üü…", 10)), "üü…");
  EXPECT_EQ(fitted("anything", 10, 1), "…");
}

} // namespace
