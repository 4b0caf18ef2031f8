// A batch of sources in a session: what decoding with an encoder begins with.
//   encode(source [B, S] i32, source_mask [B, S] i1)      fills session variables
// Arguments that the function does not declare are left out. A size of the session variables that
// is not the source's is the number of tokens that an answer may have. Tests:
// tests/runtime/GreedyTest.cpp, tests/runtime/BeamTest.cpp
#pragma once

#include "runtime/core/Session.h"

#include <functional>

namespace axloom::runtime {

struct SourceOptions {
  std::string encode;
  int32_t end, padding;
};

// What is said to each source of a batch, in their order.
using DecodeBatch = std::function<std::vector<std::vector<int32_t>>(
    std::span<const std::span<const int32_t>> sources)>;

// Decodes sources in batches of similar length, of at most `size`; the answers are in the order of
// the sources.
std::vector<std::vector<int32_t>> decodeByLength(std::span<const std::vector<int32_t>> sources,
                                                 int64_t size, const DecodeBatch &decode);

class Sources {
public:
  Sources(Model &model, const SourceOptions &options);

  // The most rows that a batch may have.
  int64_t mostRows() const;

  // Throws AXL_ERROR_SIZE if the model takes no answers of so many tokens.
  void checkLength(int64_t answer) const;

  // Encodes a source a row (ids without end; the end is appended), for answers of up to so many
  // tokens. The session is valid until the next call.
  Session &encode(std::span<const std::span<const int32_t>> rows, int64_t answer);

  // Which tokens of the sources are real, the end included: [B, S].
  const Tensor &mask() const { return real; }

private:
  const axl_function &function() const;

  Model &model;
  SourceOptions options;
  Tensor real;
  std::unique_ptr<Session> session; // kept from batch to batch: its memory is used again
};

} // namespace axloom::runtime
