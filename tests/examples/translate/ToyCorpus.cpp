#include "tests/examples/translate/ToyCorpus.h"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

namespace example {
namespace {

constexpr std::pair<std::string_view, std::string_view> words[] = {
    {"we", "wir"},     {"you", "ihr"},     {"they", "sie"},   {"see", "sehen"}, {"hear", "hoeren"},
    {"buy", "kaufen"}, {"like", "moegen"}, {"an", "ein"},     {"the", "das"},   {"old", "alte"},
    {"new", "neue"},   {"red", "rote"},    {"big", "grosse"}, {"car", "Auto"},  {"dog", "Hund"},
    {"tea", "Tee"},    {"hat", "Hut"},     {"now", "nun"},    {"too", "auch"},  {"not", "nicht"},
    {"here", "hier"},
};

// Numbers that are the same on every machine.
class Dice {
public:
  explicit Dice(uint32_t seed) : state(seed) {}
  uint32_t below(uint32_t limit) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
  }

private:
  uint32_t state;
};

std::string pairs(uint32_t seed, int count) {
  Dice dice(seed);
  std::string text;
  for (int pair = 0; pair < count; ++pair) {
    std::string source, target;
    for (uint32_t length = 3 + dice.below(8), at = 0; at < length; ++at) {
      auto [word, translated] = words[dice.below(std::size(words))];
      source.append(at > 0 ? " " : "").append(word);
      target.append(at > 0 ? " " : "").append(translated);
    }
    text.append(source).append("\t").append(target).append("\n");
  }
  return text;
}

} // namespace

ToyFolder::ToyFolder() {
  // One test enters it as another user.
  std::filesystem::permissions(folder.root(), std::filesystem::perms(0755));
  std::filesystem::create_directory(data);
  write("train", pairs(1, 1000));
  write("valid", pairs(2, 100));
  write("test", pairs(3, 50));
}

void ToyFolder::write(const std::string &split, const std::string &text) const {
  folder.write("data/" + split + ".tsv", text);
}

std::string toyTranslation(const std::string &text) {
  std::istringstream stream(text);
  std::string result;
  for (std::string word; stream >> word;)
    for (auto [source, target] : words)
      if (word == source)
        result.append(result.empty() ? "" : " ").append(target);
  return result;
}

} // namespace example
