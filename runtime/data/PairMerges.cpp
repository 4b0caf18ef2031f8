#include "runtime/data/PairMerges.h"

#include <functional>
#include <queue>
#include <tuple>

using namespace axloom::runtime;

namespace {

constexpr size_t none = size_t(-1);
constexpr int32_t joinedToLeft = -1; // in place of a unit; no merge has it

// A unit of the word and its neighbours, by their places.
struct Symbol {
  int32_t unit;
  size_t previous, next;
};

// A merge of the unit at `place` and the one behind it. It is out of date if one of them has become
// another since.
struct Candidate {
  int32_t rank;
  size_t place;
  int32_t joined;

  bool operator>(const Candidate &other) const {
    return std::tie(rank, place) > std::tie(other.rank, other.place);
  }
};

uint64_t pairOf(int32_t left, int32_t right) {
  return uint64_t(uint32_t(left)) << 32 | uint32_t(right);
}

} // namespace

void PairMerges::add(int32_t left, int32_t right, int32_t joined) {
  merges.insert_or_assign(pairOf(left, right), Merge{count++, joined});
}

const PairMerges::Merge *PairMerges::find(int32_t left, int32_t right) const {
  auto found = merges.find(pairOf(left, right));
  return found == merges.end() ? nullptr : &found->second;
}

void PairMerges::apply(std::vector<int32_t> &word) const {
  std::vector<Symbol> symbols;
  for (size_t i = 0; i < word.size(); ++i)
    symbols.push_back({word[i], i > 0 ? i - 1 : none, i + 1 < word.size() ? i + 1 : none});
  auto mergeAt = [&](size_t place) -> const Merge * {
    size_t next = place == none ? none : symbols[place].next;
    return next == none ? nullptr : find(symbols[place].unit, symbols[next].unit);
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  auto propose = [&](size_t place) {
    if (const Merge *merge = mergeAt(place))
      queue.push({merge->rank, place, merge->joined});
  };
  for (size_t i = 0; i < symbols.size(); ++i)
    propose(i);
  while (!queue.empty()) {
    Candidate best = queue.top();
    queue.pop();
    const Merge *merge = mergeAt(best.place);
    if (!merge || merge->joined != best.joined)
      continue;
    Symbol &left = symbols[best.place], &right = symbols[left.next];
    left = {best.joined, left.previous, right.next};
    right.unit = joinedToLeft;
    if (left.next != none)
      symbols[left.next].previous = best.place;
    propose(left.previous);
    propose(best.place);
  }
  word.clear();
  for (const Symbol &symbol : symbols)
    if (symbol.unit != joinedToLeft)
      word.push_back(symbol.unit);
}
