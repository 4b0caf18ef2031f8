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
/// is zero. Of several taps each is a linear map of its own, "0", "1", ...: W_i is weight[:, :, i]
/// of frameworks that keep one tensor. One tap is a linear map.
template <AnAxis In, AnAxis Out> class Convolution {
public:
  Convolution(const Scope &scope, const Size &in, const Size &out, int taps, bool bias = true,
              Where where = Where::current()) {
    if (taps < 1 || taps % 2 == 0)
      throw GraphError(graph::place(scope.placeOr(where)),
                       {"a convolution has no middle tap", "an odd number of taps",
                        std::to_string(taps), "choose 1, 3, 5, ..."});
    for (int tap = 0; tap < taps; ++tap)
      maps.emplace_back(taps == 1 ? scope : scope.part(tap, where), in, out, bias && tap == 0, taps,
                        where);
  }

  int taps() const { return int(maps.size()); }

  // x: [..., position, in], real: [..., position], false where x is to be read as zero
  // -> [..., position, out]
  template <AnAxis Position, class X, class R>
  auto along(const X &x, const R &real, Where here = Where::current()) const {
    graph::CallSite site(here);
    Value<AxesOf<X>, float> seen = where(real, x, 0);
    auto at = [&](int tap) {
      int middle = taps() / 2;
      return tap == middle ? seen : shift<Position>(seen, middle - tap);
    };
    auto y = maps[0](at(0));
    for (int tap = 1; tap < taps(); ++tap)
      y = y + maps[std::size_t(tap)](at(tap));
    return y;
  }

  // With one tap there are no neighbours to see. x: [..., in] -> [..., out]
  template <class X> auto operator()(const X &x, Where where = Where::current()) const {
    if (taps() > 1)
      throw GraphError(graph::place(where),
                       {"a convolution of several taps sees neighbours",
                        "positions, and a boolean mask of them that is the same for all queries",
                        "one position, or a mask of numbers or of single queries",
                        "choose 1 tap, or give such a mask"});
    graph::CallSite site(where);
    return maps[0](x);
  }

  std::vector<Linear<In, Out>> maps; // the first one has the bias, if there is one
};

} // namespace axloom::nn
