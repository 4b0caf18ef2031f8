//===- Convolution.h - a linear map of a position and its neighbours -------------------===//
//
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Linear.h"

#include <vector>

namespace axloom::nn {

/// y[t] = sum over taps i of x[t + i - (taps - 1) / 2] W_i, plus b; what lies outside the sequence
/// is zero. Each tap is a linear map of its own, "0", "1", ...: W_i is weight[:, :, i] of
/// frameworks that keep one tensor.
template <AnAxis Position, AnAxis In, AnAxis Out> class Convolution {
public:
  Convolution(const Scope &scope, const Size &in, const Size &out, int taps,
              Where where = Where::current()) {
    if (taps < 1 || taps % 2 == 0)
      throw GraphError(where, {"a convolution has no middle tap", "an odd number of taps",
                               std::to_string(taps), "choose 1, 3, 5, ..."});
    for (int tap = 0; tap < taps; ++tap)
      maps.emplace_back(scope.scope(tap), in, out, tap == 0, where);
  }

  // x: [..., position, in] -> [..., position, out]
  template <class X> auto operator()(const X &x, Where where = Where::current()) const {
    graph::CallSite site(where);
    int middle = int(maps.size() / 2);
    auto seen = [&](int tap) {
      Value<AxesOf<X>, float> at = x;
      return tap == middle ? at : shift<Position>(at, middle - tap);
    };
    auto y = maps[0](seen(0));
    for (int tap = 1; tap < int(maps.size()); ++tap)
      y = y + maps[std::size_t(tap)](seen(tap));
    return y;
  }

  std::vector<Linear<In, Out>> maps; // the first one has the bias
};

} // namespace axloom::nn
