// Checkpoints: a model's variables and the position of training, or a clear error and no change.
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/checkpoint/Safetensors.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"
#include "tests/runtime/FaultyFiles.h"
#include "tests/support/TemporaryFolder.h"

using namespace axloom::runtime;
using namespace axloom::test;
using testing::HasSubstr;

namespace {

class Checkpoint : public testing::Test {
protected:
  TemporaryFolder folder;
  std::string path = folder.path("model.safetensors");

  // A file with these tensors and everything else that belongs to a checkpoint of the fake model.
  void writeTensors(std::initializer_list<Named> tensors) {
    Metadata metadata = SafetensorsFile(path).metadata();
    writeSafetensors(path, std::span(tensors.begin(), tensors.size()), metadata);
  }

  static std::vector<float> tableOf(const Model &model) {
    Tensor table = model.variable("table");
    return {table.view<float>().begin(), table.view<float>().end()};
  }
};

TEST_F(Checkpoint, RoundTrip) {
  Model saved(fake::model, 1), loaded(fake::model, 2);
  ASSERT_NE(tableOf(saved), tableOf(loaded));
  TrainingPosition position{{3, 14}, 1592, 65, 35897, 0.1, SeenBatch{{3, 13}, 4294967295}};
  saveCheckpoint(saved, position, path);
  LoadedCheckpoint found = loadCheckpoint(loaded, path);
  EXPECT_TRUE(found.sameGraph);
  EXPECT_EQ(found.position.data, position.data);
  EXPECT_EQ(found.position.step, 1592);
  EXPECT_EQ(found.position.seed, 65u);
  EXPECT_EQ(found.position.tokens, 35897);
  EXPECT_EQ(found.position.validation, 0.1);
  EXPECT_EQ(found.position.last, position.last);
  EXPECT_EQ(readPosition(path).step, 1592);
  EXPECT_EQ(tableOf(saved), tableOf(loaded));
  EXPECT_EQ(SafetensorsFile(path).find("heard"), nullptr) << "sessions are not saved";
}

TEST_F(Checkpoint, ANewGraphWithTheSameTensorsIsAccepted) {
  axl_model changed = fake::model;
  changed.fingerprint = "123";
  Model saved(fake::model), loaded(changed);
  saveCheckpoint(saved, {}, path);
  EXPECT_FALSE(loadCheckpoint(loaded, path).sameGraph);
}

TEST_F(Checkpoint, AnotherModelIsNamedTensorByTensor) {
  Model model(fake::model, 1), before(fake::model, 1);
  saveCheckpoint(model, {}, path);
  Tensor wide(AXL_F32, {10, 2}), typed(AXL_F32, {}), extra(AXL_F32, {1});
  writeTensors({{"table", wide}, {"count", typed}, {"bias", extra}});
  expectError(AXL_ERROR_CHECKPOINT,
              concat("checkpoint '", path,
                     "' of model 'fake' does not fit model 'fake':"
                     "\n  missing in the file: 'weight', f32 [out: 4, in: 3]"
                     "\n  different: 'table' is f32 [10, 2] in the file, f32 [token: 10] in the "
                     "model"
                     "\n  different: 'count' is f32 [] in the file, i32 [] in the model"
                     "\n  unknown to the model: 'bias', f32 [1]"),
              [&] { loadCheckpoint(model, path); });
  EXPECT_EQ(tableOf(model), tableOf(before));
}

TEST_F(Checkpoint, ParametersAreTakenAndTheRestIsLeft) {
  Model saved(fake::model, 1), model(fake::model, 2);
  saveCheckpoint(saved, {}, path);
  Tensor weight = saved.variable("weight"), table = saved.variable("table"),
         count = saved.variable("count"), moments(AXL_F32, {10});
  writeTensors({{"table", table}, {"count", count}, {"weight", weight}, {"moments", moments}});
  expectError(AXL_ERROR_CHECKPOINT,
              HasSubstr("\n  all that the model has is there: loadParameters, in C "
                        "axl_load_parameters, takes it without the rest"
                        "\n  unknown to the model: 'moments', f32 [10]"),
              [&] { loadCheckpoint(model, path); });
  EXPECT_NE(tableOf(model), tableOf(saved));
  std::string contents = readFile(path);
  contents[contents.size() - 1] ^= 4; // in the moments, which need not be sound
  folder.write("model.safetensors", contents);
  loadParameters(model, path);
  EXPECT_EQ(tableOf(model), tableOf(saved));
}

TEST_F(Checkpoint, ParametersThatDoNotFitChangeNothingInTheModel) {
  Model model(fake::model, 1), before(fake::model, 1);
  saveCheckpoint(Model(fake::model, 2), {}, path);
  Tensor table = Model(fake::model, 2).variable("table"), typed(AXL_F32, {}), extra(AXL_F32, {1});
  writeTensors({{"table", table}, {"count", typed}, {"bias", extra}});
  expectError(AXL_ERROR_CHECKPOINT,
              concat("checkpoint '", path,
                     "' of model 'fake' does not fit model 'fake':"
                     "\n  missing in the file: 'weight', f32 [out: 4, in: 3]"
                     "\n  different: 'count' is f32 [] in the file, i32 [] in the model"),
              [&] { loadParameters(model, path); });
  EXPECT_EQ(tableOf(model), tableOf(before));
}

TEST_F(Checkpoint, DamageChangesNothingInTheModel) {
  Model saved(fake::model, 1), model(fake::model, 2), before(fake::model, 2);
  saveCheckpoint(saved, {}, path);
  std::string contents = readFile(path);
  contents[contents.size() - 1] ^= 4; // in the last tensor: all others are sound
  folder.write("model.safetensors", contents);
  for (bool whole : {true, false})
    expectError(AXL_ERROR_FORMAT, HasSubstr("is damaged: tensor 'count', i32 []"), [&] {
      if (whole)
        loadCheckpoint(model, path);
      else
        loadParameters(model, path);
    });
  EXPECT_EQ(tableOf(model), tableOf(before));
}

TEST_F(Checkpoint, TheLastOneSurvivesAFullDisk) {
  Model model(fake::model);
  saveCheckpoint(model, {{}, 5}, path);
  FaultyFiles files;
  files.failing = FaultyFiles::Write;
  files.reason = ENOSPC;
  for (int64_t room : {int64_t(0), int64_t(100), int64_t(readFile(path).size()) - 1}) {
    files.room = room;
    expectError(AXL_ERROR_FILE, HasSubstr("No space left on device"),
                [&] { saveCheckpoint(model, {{}, 6}, path, files); });
    EXPECT_EQ(loadCheckpoint(model, path).position.step, 5);
  }
}

TEST_F(Checkpoint, OtherSafetensorsFilesAreNoCheckpoints) {
  Tensor table(AXL_F32, {10});
  const Named tensors[] = {{"table", table}};
  writeSafetensors(path, tensors, {});
  Model model(fake::model);
  expectError(AXL_ERROR_FORMAT,
              concat("'", path,
                     "' is no checkpoint of this version: its format should be 'axloom "
                     "checkpoint 1'"),
              [&] { loadCheckpoint(model, path); });
  expectError(AXL_ERROR_FORMAT, HasSubstr("is no checkpoint of this version"),
              [&] { loadParameters(model, path); });
  writeSafetensors(path, tensors, {{"format", "axloom checkpoint 1"}, {"epoch", "x"}});
  expectError(AXL_ERROR_FORMAT,
              concat("'", path,
                     "' does not say where training stands: 'epoch' is missing or no "
                     "number"),
              [&] { loadCheckpoint(model, path); });
}

} // namespace
