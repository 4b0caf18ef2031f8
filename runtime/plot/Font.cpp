#include "runtime/plot/Font.h"

#include "runtime/data/Utf8.h"

#include <algorithm>
#include <array>
#include <utf8proc.h>

using namespace axloom::runtime;
using namespace axloom::runtime::plot;

namespace {

using CodePoint = utf8proc_int32_t;

struct Outline {
  int width; // without the gap to the next character
  // Strokes, with spaces between them; each point is a column and a row. Capital letters reach from
  // row 0 to the baseline, row 7; small letters begin at row 2.
  std::string_view strokes;
};

constexpr double gap = 2;

// clang-format off
constexpr Outline outlines[] = { // from space to ~
    {2, ""}, {0, "0005 0707"}, {2, "0002 2022"}, {4, "1007 3027 0242 0545"},
    {4, "413010010213334446371706 2028"},
    {5, "5007 0010110100 4656574746"}, {5, "5712112031320506173754"}, {0, "0002"}, {1, "10020517"},
    {1, "00121507"},
    {4, "2125 0244 0442"}, {4, "2226 0444"}, {1, "1608"}, {3, "0434"}, {0, "0707"},
    {3, "3007"}, {4, "103041463717060110"}, {2, "012027"}, {4, "01103041420747"},
    {4, "01103041423313 334446371706"},
    {4, "37300545"}, {4, "400003334446371706"}, {4, "413010010617374644331304"}, {4, "004017"},
    {4, "103041423313020110 3344463717060413"},
    {4, "061737464130100103143443"}, {0, "0303 0707"}, {1, "1313 1608"}, {4, "410447"},
    {4, "0343 0545"},
    {4, "014407"}, {4, "01103041422425 2727"}, {6, "45352423324345556462502002052757"},
    {4, "072047 1434"}, {4, "00073746443303 3342413000"},
    {4, "4130100106173746"}, {4, "00072745422000"}, {4, "40000747 0333"}, {4, "400007 0333"},
    {4, "41301001061737464424"},
    {4, "0007 4047 0343"}, {0, "0007"}, {3, "3036271706"}, {4, "0007 4004 1347"}, {3, "000737"},
    {4, "0700244047"}, {4, "07004740"}, {5, "104051564717060110"}, {4, "07003041433404"},
    {5, "104051564717060110 3557"},
    {4, "07003041433404 2447"}, {4, "413010010213334446371706"}, {4, "0040 2027"},
    {4, "000617374640"}, {4, "002740"},
    {6, "0017325760"}, {4, "0047 4007"}, {4, "002340 2327"}, {4, "00400747"}, {1, "10000717"},
    {3, "0037"}, {1, "00101707"}, {4, "022042"}, {4, "0848"}, {1, "0011"},
    {3, "0312223337 34140506172736"}, {3, "0007 0312223336271706"}, {3, "3322120306172736"},
    {3, "3037 3322120306172736"}, {3, "05353322120306172736"},
    {2, "201117 0222"}, {3, "3238291908 3322120306172736"}, {3, "0007 0312223337"},
    {0, "0207 0000"}, {1, "121809 1010"},
    {3, "0007 3205 1437"}, {0, "0007"}, {4, "0207 03122327 23324347"}, {3, "0207 0312223337"},
    {3, "122233362717060312"},
    {3, "0209 0312223336271706"}, {3, "3239 3322120306172736"}, {2, "0207 031222"},
    {3, "33221203043536271706"}, {2, "101627 0222"},
    {3, "0206172736 3237"}, {4, "022742"}, {4, "0217233742"}, {3, "0237 3207"}, {4, "0227 4219"},
    {3, "02320737"}, {2, "20111304151728"}, {0, "0008"}, {2, "00111324151708"}, {4, "04133544"},
};

struct Shape {
  CodePoint character;
  Outline outline;
};

constexpr Shape others[] = {
    {0xA1, {0, "0000 0207"}}, {0xAB, {4, "220426 422446"}}, {0xB0, {2, "1001122110"}},
    {0xB7, {0, "0404"}}, {0xBB, {4, "022406 224426"}}, {0xBF, {4, "46371706052322 2020"}},
    {U'Æ', {6, "0730 3037 3060 3353 3767 1434"}}, {U'Ð', {4, "00072745422000 0323"}},
    {U'×', {3, "0336 0633"}},
    {U'Ø', {5, "104051564717060110 0750"}}, {U'Þ', {4, "0007 023243443505"}},
    {U'ß', {4, "070110203132233445463727"}}, {U'ẞ', {4, "070110203132233445463727"}},
    {U'æ', {6, "0312223337 34140506172736 346463524233 36475766"}},
    {U'ð', {3, "122233362717060312 3310 0121"}}, {U'þ', {3, "0009 0312223336271706"}},
    {U'ħ', {3, "0007 0312223337 0121"}}, {U'ŋ', {3, "0207 031222333829"}},
    {U'ø', {3, "122233362717060312 0732"}}, {U'Đ', {4, "00072745422000 0323"}},
    {U'đ', {4, "3037 3322120306172736 2141"}}, {U'ı', {0, "0207"}},
    {U'Ł', {4, "101747 0523"}}, {U'ł', {2, "1017 0523"}},
    {U'Œ', {7, "401001061747 4047 4070 4363 4777"}},
    {U'œ', {6, "122233362717060312 346463524233 36475766"}},
    {U'–', {4, "0444"}}, {U'—', {6, "0464"}}, {U'‘', {1, "0012"}},
    {U'’', {1, "1002"}}, {U'‚', {1, "1608"}}, {U'“', {3, "0012 2032"}},
    {U'”', {3, "1002 3022"}}, {U'„', {3, "1608 3628"}},
    {U'•', {2, "1304152413"}}, {U'‹', {2, "220426"}}, {U'›', {2, "022406"}},
    {U'€', {4, "4130100106173746 0333 0434"}}, {U'→', {5, "0454 325436"}},
    {U'−', {4, "0444"}},
    {U'▁', {4, "0848 0747"}}, // what stands for a blank in subword units
};

// Combining marks, for small letters; those on capital letters lie as much higher.
constexpr Shape marks[] = {
    {0x300, {1, "0011"}}, {0x301, {1, "1001"}}, {0x302, {2, "011021"}}, {0x303, {3, "01102130"}},
    {0x304, {2, "0020"}}, {0x306, {3, "00112130"}}, {0x307, {0, "0000"}},
    {0x308, {2, "0000 2020"}}, {0x30A, {2, "1001122110"}}, {0x30B, {3, "1001 3021"}},
    {0x309, {1, "001011"}}, {0x30C, {2, "001120"}}, {0x31B, {0, "2112"}}, {0x323, {0, "0909"}}, {0x326, {1, "1809"}}, {0x327, {1, "071918"}},
    {0x328, {1, "170819"}},
};
// clang-format on

constexpr Outline unknown = {4, "0040470700"};
constexpr double smallTop = 2, baseline = 7;

template <size_t count> const Outline *find(const Shape (&table)[count], CodePoint character) {
  const Shape *found = std::ranges::find(table, character, &Shape::character);
  return found == std::end(table) ? nullptr : &found->outline;
}

const Outline &outlineOf(CodePoint character) {
  if (character >= ' ' && character <= '~')
    return outlines[character - ' '];
  const Outline *found = find(others, character);
  return found ? *found : unknown;
}

Glyph draw(const Outline &outline) {
  Glyph glyph{{{}}, outline.width + gap};
  std::string_view rest = outline.strokes;
  while (!rest.empty()) {
    if (rest[0] == ' ') {
      glyph.strokes.emplace_back();
      rest.remove_prefix(1);
      continue;
    }
    glyph.strokes.back().push_back({double(rest[0] - '0'), double(rest[1] - '0')});
    rest.remove_prefix(2);
  }
  return glyph;
}

double topOf(const Glyph &glyph) {
  double top = baseline;
  for (const auto &stroke : glyph.strokes)
    for (Point point : stroke)
      top = std::min(top, point.y);
  return top;
}

bool isAbove(const Glyph &mark) { return topOf(mark) < baseline; }

// In the middle, above what is there or below the baseline.
void addMark(Glyph &glyph, const Outline &outline) {
  Glyph mark = draw(outline);
  double right = (glyph.advance - mark.advance) / 2;
  double up = isAbove(mark) ? smallTop - topOf(glyph) : 0;
  for (auto &stroke : mark.strokes) {
    for (Point &point : stroke)
      point = {point.x + right, point.y - up};
    glyph.strokes.push_back(std::move(stroke));
  }
}

// The characters of valid UTF-8, each taken apart into letters and marks. A letter under a mark has
// no dot.
std::vector<CodePoint> decomposed(const std::string &text) {
  std::vector<CodePoint> found;
  for (size_t at = 0; at < text.size(); at += utf8Length(std::string_view(text).substr(at))) {
    CodePoint character = 0;
    utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t *>(text.data() + at),
                     utf8proc_ssize_t(text.size() - at), &character);
    std::array<CodePoint, 20> parts{};
    int lastClass = 0;
    auto count = utf8proc_decompose_char(character, parts.data(), parts.size(),
                                         utf8proc_option_t(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT),
                                         &lastClass);
    found.insert(found.end(), parts.begin(), parts.begin() + std::max<utf8proc_ssize_t>(count, 0));
  }
  for (size_t i = 1; i < found.size(); ++i)
    if (const Outline *mark = find(marks, found[i]);
        found[i - 1] == 'i' && mark && isAbove(draw(*mark)))
      found[i - 1] = U'ı';
  return found;
}

} // namespace

std::vector<Glyph> axloom::runtime::plot::glyphsOf(std::string_view text) {
  std::vector<Glyph> glyphs;
  for (CodePoint character : decomposed(readable(text))) {
    const Outline *mark = find(marks, character);
    if (mark && !glyphs.empty())
      addMark(glyphs.back(), *mark);
    else
      glyphs.push_back(draw(outlineOf(character)));
  }
  return glyphs;
}

std::string axloom::runtime::plot::readable(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    size_t length = utf8Length(text);
    bool control = length == 1 && (text[0] < ' ' || text[0] == '');
    bool refusedByXml = text.starts_with("\uFFFE") || text.starts_with("\uFFFF");
    if (length == 0 || control || refusedByXml)
      clean += "�";
    else
      clean += text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return clean;
}

double axloom::runtime::plot::textWidth(std::string_view text, double size) {
  double units = 0;
  for (const Glyph &glyph : glyphsOf(text))
    units += glyph.advance;
  return units * size / sizeOfUnit;
}

std::string axloom::runtime::plot::fitted(std::string_view text, double size, double width) {
  std::string whole = readable(text);
  if (textWidth(whole, size) <= width)
    return whole;
  std::string kept, shown = "…";
  for (size_t at = 0; at < whole.size();) {
    size_t length = utf8Length(std::string_view(whole).substr(at));
    kept += whole.substr(at, length);
    if (textWidth(kept + "…", size) > width)
      break;
    shown = kept + "…";
    at += length;
  }
  return shown;
}
