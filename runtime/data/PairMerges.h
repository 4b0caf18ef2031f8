// The merges of a byte-pair encoding: which neighbours are joined, and in which order (Sennrich et
// al. 2016).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace axloom::runtime {

class PairMerges {
public:
  // The merge that comes after all others. Ids are not negative.
  void add(int32_t left, int32_t right, int32_t joined);

  // Joins units of a word until no neighbours are left that can be: of all that can, those of the
  // earliest merge, and of them the leftmost. Takes n log n steps for n units.
  void apply(std::vector<int32_t> &word) const;

private:
  struct Merge {
    int32_t rank;
    int32_t joined;
  };

  const Merge *find(int32_t left, int32_t right) const;

  std::unordered_map<uint64_t, Merge> merges; // by both ids
  int32_t count = 0;
};

} // namespace axloom::runtime
