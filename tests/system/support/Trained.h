//===- Trained.h - What training steps leave behind -------------*- C++ -*-===//

#pragma once

#include "tests/system/support/Transformer.h"

namespace axloom::test {
struct Trained {
  std::vector<float> losses;
  std::vector<runtime::Tensor> variables; // but for those of sessions
  int64_t arena = 0;
};

/// Three steps of the small Transformer.
Trained trained(const axl_model &tables);

void expectSameBits(const Trained &actual, const Trained &expected);
} // namespace axloom::test
