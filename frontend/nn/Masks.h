//===- Masks.h - what attention may see ------------------------------------------------===//
//
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

namespace axloom::nn {

/// Each position sees itself and what is before it (Vaswani et al. 2017, section 3.2.3).
template <AnAxis Query, AnAxis Key>
Mask<Query, Key> causal(const Size &length, Where where = Where::current()) {
  graph::CallSite site(where);
  return iota<Key>(length) <= iota<Query>(length);
}

/// The positions that hold a token and not padding.
template <class I> auto real(const I &ids, int padding, Where where = Where::current()) {
  graph::CallSite site(where);
  return ids != padding;
}

} // namespace axloom::nn
