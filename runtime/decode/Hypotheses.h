// The search for one sentence: its likeliest beginnings, and the best of those that have ended.
// Each of `beams` places belongs to a beginning until that ends, and to its end from then on; a
// step keeps the likeliest of all that can follow upon the beginnings. Those that have ended are
// compared by log probability / ((5 + length) / 6)^lengthPenalty (Wu et al. 2016, equation 14),
// where the end counts as a token, too.
//
// The search is over when no beginning can become better than what has ended: with log probability
// L, whatever it becomes has at most L, which is not positive, and at most `limit` tokens, so its
// score is at most L / ((5 + limit) / 6)^lengthPenalty. Test: tests/runtime/BeamTest.cpp
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace axloom::runtime {

struct SearchOptions {
  int64_t beams;
  double lengthPenalty; // from 0
  int32_t begin, end;
  int64_t limit; // tokens in an answer, end included; at least 1
};

class Hypotheses {
public:
  explicit Hypotheses(const SearchOptions &options);

  // Beginnings that go on, the likeliest first; none: the search is over.
  size_t size() const { return beginnings.size(); }
  // The last token of a beginning.
  int32_t last(size_t beginning) const { return beginnings[beginning].tokens.back(); }
  // Which of the beginnings before the last step this one goes on with.
  size_t parent(size_t beginning) const { return beginnings[beginning].parent; }

  // A step: logits of what may follow upon each beginning. Of what is equally likely, that of the
  // likelier beginning is kept first, then the smaller id. Logits that are not finite throw
  // AXL_ERROR_NOT_FINITE, but for minus infinity, which never follows.
  void extend(std::span<const std::span<const float>> logits);

  // Once the search is over: what was found, without begin and end, the best that has ended or, if
  // the limit came first, the likeliest beginning.
  std::vector<int32_t> answer() const { return {best.tokens.begin() + 1, best.tokens.end()}; }

private:
  struct Hypothesis {
    std::vector<int32_t> tokens; // with begin, without end
    double logProbability = 0;
    size_t parent = 0;
  };
  struct Candidate {
    double logProbability;
    size_t parent;
    int32_t token;
  };

  void consider(size_t beginning, std::span<const float> logits);
  void keep(const Candidate &candidate, std::vector<Hypothesis> &next);
  double score(double logProbability, int64_t length) const;

  SearchOptions options;
  std::vector<Hypothesis> beginnings;
  Hypothesis best;
  double bestScore;                  // of `best`; minus infinity while nothing has ended
  int64_t length = 0;                // tokens of the beginnings
  int64_t places;                    // that no end has taken
  std::vector<int32_t> likeliest;    // tokens after one beginning
  std::vector<Candidate> candidates; // of the step in progress
};

} // namespace axloom::runtime
