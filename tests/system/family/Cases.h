//===- Cases.h - Attention, blocks and their variants ----------*- C++ -*-===//
//
// Each case builds a program with one function `f` that gives some results and leaves in every
// parameter the gradient of the sum of their squares. Inputs are parameters too. family.py has the
// same cases under the same names.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "frontend/Axloom.h"

#include <vector>

namespace axloom::test {
struct FamilyCase {
  const char *name;
  std::function<void(Program &)> build;
};

const std::vector<FamilyCase> &familyCases();
} // namespace axloom::test
