//===- Reducer.h - Shrinks a failing program --------------------*- C++ -*-===//
//
// Makes the program smaller in ways that keep it valid, as long as it still fails: what is left is
// usually the one op that is wrong. Test: tests/system/RandomGraphsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "tests/system/random/Program.h"

#include <functional>

namespace axloom::test {
/// Whether a program still shows the problem.
using Fails = std::function<bool(Program &)>;

/// The executor disagrees with the interpreter. A smaller program that the interpreter refuses
/// shows another problem than the one looked for: sizes that no longer fit, an index outside.
Fails disagrees(Graphs &graphs, Executor &executor, Tolerance tolerance);

Program reduce(Program program, const Fails &fails);
} // namespace axloom::test
