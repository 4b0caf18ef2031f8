// Trains the Transformer on random letters, then lets it write words backwards.
#include "backwards.h"
#include "runtime/decode/Greedy.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <string>
#include <vector>

using axloom::runtime::Greedy;
using axloom::runtime::Model;
using axloom::runtime::View;
using axloom::runtime::Vocabulary;

constexpr int steps = 1600, batch = 64, longest = 12, firstLetter = 4;

using Tokens = std::vector<int>;

static Tokens tokens(const std::string &word) {
  Tokens ids;
  for (char letter : word)
    ids.push_back(firstLetter + letter - 'a');
  return ids;
}

static std::string text(const Tokens &ids) {
  std::string word;
  for (int id : ids)
    word += id < firstLetter ? '?' : char('a' + id - firstLetter);
  return word;
}

/// Random words and what they are backwards, each row padded to `longest` + 1.
struct Words {
  Tokens source, in, out;

  explicit Words(std::mt19937 &random) {
    for (int row = 0; row < batch; ++row) {
      Tokens word(1 + random() % longest);
      for (int &letter : word)
        letter = firstLetter + int(random() % 26);
      append(source, word, {}, {Vocabulary::end});
      std::reverse(word.begin(), word.end());
      append(in, word, {Vocabulary::begin}, {});
      append(out, word, {}, {Vocabulary::end});
    }
  }
  static View<const int> view(const Tokens &ids) { return {ids.data(), {batch, longest + 1}}; }

private:
  static void append(Tokens &rows, const Tokens &word, const Tokens &before, const Tokens &after) {
    rows.insert(rows.end(), before.begin(), before.end());
    rows.insert(rows.end(), word.begin(), word.end());
    rows.insert(rows.end(), after.begin(), after.end());
    rows.insert(rows.end(), longest - word.size(), Vocabulary::padding);
  }
};

int main(int argc, char **argv) try {
  Model model(backwards_model, /*seed=*/1);
  std::mt19937 random(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1); // a seed may be given
  float loss = 0;
  for (int step = 1; step <= steps; ++step) {
    Words words(random);
    backwards::train_step::call(model,
                                {.source = Words::view(words.source),
                                 .target_in = Words::view(words.in),
                                 .target_out = Words::view(words.out),
                                 .steps = View<const int>(steps)},
                                {.loss = View<float>(loss)});
    if (step == 1 || step % 200 == 0)
      std::printf("step %4d  loss %.3f\n", step, loss);
  }

  std::vector<Tokens> asked;
  for (const char *word : {"attention", "is", "all", "you", "need", "transformer"})
    asked.push_back(tokens(word));
  bool right = loss < 0.1;
  std::vector<Tokens> answers = Greedy(model, {.maximumLength = 32}).decode(asked);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::printf("%s -> %s\n", text(asked[i]).c_str(), text(answers[i]).c_str());
    right = right &&
            std::equal(answers[i].begin(), answers[i].end(), asked[i].rbegin(), asked[i].rend());
  }
  return right ? 0 : 1;
} catch (const std::exception &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
