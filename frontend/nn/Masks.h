//===- Masks.h - what attention may see ------------------------------------------------===//
//
// Test: tests/frontend/MasksTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

#include <string>

namespace axloom::nn {

/// Each position sees itself and what is before it (Vaswani et al. 2017, section 3.2.3).
template <AnAxis Query, AnAxis Key>
Mask<Query, Key> causal(const Size &length, Where where = Where::current()) {
  graph::CallSite site(where);
  return iota<Key>(length) <= iota<Query>(length);
}

/// The same for the last `window` positions, itself included (Beltagy et al. 2020, section 3.1):
/// fused attention takes time in proportion to length * window instead of to length squared.
template <AnAxis Query, AnAxis Key>
Mask<Query, Key> causal(const Size &length, int window, Where where = Where::current()) {
  if (window < 1)
    throw GraphError(graph::place(where),
                     {"a sliding window shows each position itself and what is right before it",
                      "at least 1 position", std::to_string(window), "choose a larger window"});
  graph::CallSite site(where);
  auto query = iota<Query>(length);
  auto key = iota<Key>(length);
  return key <= query && query - key < window;
}

/// The positions that hold a token and not padding.
template <class I> auto real(const I &ids, int padding, Where where = Where::current()) {
  graph::CallSite site(where);
  return ids != padding;
}

} // namespace axloom::nn
