// Myers' greedy algorithm (1986): the shortest way from one list of lines to the other.
//   1. Walk diagonals k = x - y with 0, 1, 2, ... edits, each as far as equal lines carry it, until
//   the end is reached.
//   2. Walk back over what each round had reached; every step off a diagonal is one edit.

#include "codegen/driver/LineDiff.h"

#include <algorithm>
#include <vector>

using Lines = std::vector<std::string_view>;

static Lines splitLines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

namespace {
/// For each diagonal in [-limit, limit], how far along `before` it was followed.
class Frontier {
public:
  explicit Frontier(int limit) : limit(limit), reached(2 * size_t(limit) + 1, 0) {}
  int &operator[](int diagonal) { return reached[size_t(diagonal + limit)]; }

private:
  int limit;
  std::vector<int> reached;
};
} // namespace

/// Whether the best way to diagonal k with d edits comes from above (a line of `after` is added).
static bool comesFromAbove(Frontier &frontier, int k, int d) {
  return k == -d || (k != d && frontier[k - 1] < frontier[k + 1]);
}

/// The frontier before each round, up to the round that reaches the end.
static std::vector<Frontier> search(const Lines &before, const Lines &after) {
  int n = int(before.size()), m = int(after.size());
  Frontier frontier(n + m + 1);
  std::vector<Frontier> rounds;
  for (int d = 0; d <= n + m; ++d) {
    rounds.push_back(frontier);
    for (int k = -d; k <= d; k += 2) {
      int x = comesFromAbove(frontier, k, d) ? frontier[k + 1] : frontier[k - 1] + 1;
      while (x < n && x - k < m && before[x] == after[x - k])
        ++x;
      frontier[k] = x;
      if (x >= n && x - k >= m)
        return rounds;
    }
  }
  return rounds;
}

std::string axloom::codegen::lineDiff(std::string_view beforeText, std::string_view afterText) {
  Lines before = splitLines(beforeText), after = splitLines(afterText);
  // Most of two dumps is equal; what lies between the equal ends is all that is searched.
  auto [a, b] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  before.erase(before.begin(), a);
  after.erase(after.begin(), b);
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before.pop_back();
    after.pop_back();
  }
  std::vector<Frontier> rounds = search(before, after);
  std::vector<std::string> edits;
  int x = int(before.size()), y = int(after.size());
  for (int d = int(rounds.size()) - 1; d > 0; --d) {
    Frontier &frontier = rounds[d];
    bool added = comesFromAbove(frontier, x - y, d);
    int k = added ? x - y + 1 : x - y - 1;
    x = frontier[k];
    y = x - k;
    edits.push_back(added ? "+ " + std::string(after[y]) : "- " + std::string(before[x]));
  }
  std::string text;
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text += *edit + "\n";
  return text;
}
