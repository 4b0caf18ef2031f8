//===- Allocations.h - How often the system's allocator is called -*- C++ -*-===//
//
// A program that links Allocations.cpp has an allocator that counts. Needs glibc.
//
//===----------------------------------------------------------------------===//

#pragma once

namespace axloom::test {
/// Counts calls of the allocator, in all threads, from here until stopCounting gives their number.
void startCounting();
int stopCounting();

/// Allocations in `rounds` calls of `action`, after it has run once.
template <class Action> int allocationsOf(Action &&action, int rounds = 20) {
  action();
  startCounting();
  for (int round = 0; round < rounds; ++round)
    action();
  return stopCounting();
}
} // namespace axloom::test
