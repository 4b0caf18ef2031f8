//===- Makers.h - Steps that random programs are made of --------*- C++ -*-===//
//
// A maker adds one op, or a few that belong together, to values of the pool that suit it; it gives
// up by returning false. A new op of the dialect gets a maker here.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "tests/system/random/Pool.h"

namespace axloom::test {
using Maker = std::function<bool(Pool &)>;

std::vector<Maker> pointwiseMakers();
std::vector<Maker> structureMakers();
std::vector<Maker> compositeMakers();
} // namespace axloom::test
