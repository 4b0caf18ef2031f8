// What the op means, for the reference interpreter and for whoever compares with it.
#pragma once

#include <cmath>

namespace gated {
/// x, let through by the gate as far as a slope says: x * gate * sigmoid(slope * gate).
inline double reference(double x, double gate, double slope) {
  return x * gate / (1 + std::exp(-slope * gate));
}
} // namespace gated
