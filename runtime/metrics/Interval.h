// How sure a share is that was counted.
//
// Test: tests/runtime/IntervalTest.cpp
#pragma once

#include <cstdint>

namespace axloom::runtime {

struct Interval {
  double low, high;
};

// Wilson's interval (1927) for the share that `hits` of `total` trials estimate: it holds the true
// share in 95 of 100 cases, keeps between 0 and 1, and is not empty where all or none are hits.
// Without trials anything is possible: 0 to 1.
Interval wilsonInterval(int64_t hits, int64_t total);

} // namespace axloom::runtime
