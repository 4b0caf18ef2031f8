// A training whose model learns a table of numbers, and its batches.
#pragma once

#include "runtime/train/Trainer.h"
#include "tests/runtime/FakeModel.h"
#include "tests/support/TemporaryFolder.h"

#include <functional>
#include <gtest/gtest.h>

namespace axloom::runtime {

// Two batches of [2, 3] tokens an epoch; tokens follow from the position, and stay below 8.
class Tokens : public BatchSource {
public:
  std::function<void(const DataPosition &, View<int32_t>)> onBatch;

  void next(Batch &batch) override {
    batch.tensors.resize(1);
    batch.tensors[0].name = "source";
    batch.tensors[0].tensor.resize(AXL_I32, {2, 3});
    auto view = batch.tensors[0].tensor.view<int32_t>();
    for (int32_t i = 0; i < 6; ++i)
      view[i] = int32_t(current.epoch * 5 + current.batch * 3 + i) % 8;
    batch.tokens = 6;
    if (onBatch)
      onBatch(current, view);
    current = current.batch == 1 ? DataPosition{current.epoch + 1, 0}
                                 : DataPosition{current.epoch, current.batch + 1};
  }
  DataPosition position() const override { return current; }
  void seek(const DataPosition &position) override { current = position; }
  int64_t batchesInEpoch() const override { return 2; }

private:
  DataPosition current;
};

class Trainer : public testing::Test {
protected:
  Trainer() {
    options.progress = -1;
    options.steps = 20;
    options.historySteps = 5;
    options.checkpoint = folder.path("last");
  }
  ~Trainer() override { fake::poison = -1; }

  axloom::test::TemporaryFolder folder;
  TrainOptions options;
  Tokens tokens;
  Model model{fake::model};
};

} // namespace axloom::runtime
