//===- Runner.h - Random programs against an executor -----------*- C++ -*-===//
//
// The command line around generator, checker and reducer:
//   --seed N    the first seed (default 1)
//   --count N   how many programs (default 50)
//   --seconds N stop early after this time
//   --ragged    positions have a length for each batch entry
//   --wide      axes are longer than a vector, some than a tile
//   --print     print each program
// A program that fails is reduced and printed with the seed that makes it again.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "tests/support/Executor.h"

#include <functional>
#include <memory>

namespace axloom::test {
using MakeExecutor = std::function<std::unique_ptr<Executor>(Graphs &)>;

/// Returns the exit code: 0 if all programs agree.
int runRandomGraphs(int argc, char **argv, const MakeExecutor &makeExecutor,
                    Tolerance tolerance = Tolerance::f32());
} // namespace axloom::test
