//===- Trained.h - What training steps leave behind -------------*- C++ -*-===//

#pragma once

#include "tests/system/support/Transformer.h"

namespace axloom::test {
struct Trained {
  std::vector<float> losses;
  std::vector<runtime::NamedTensor> variables; // but for those of sessions
  int64_t arena = 0;
};

/// Steps of the small Transformer. Targets are other sentences than sources, and shorter.
Trained trained(const axl_model &tables, uint32_t steps = 3);

void expectSameBits(const Trained &actual, const Trained &expected);
} // namespace axloom::test
