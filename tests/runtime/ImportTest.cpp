// Parameters from and to files of other programs.
#include "runtime/checkpoint/Import.h"
#include "runtime/checkpoint/Safetensors.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"
#include "tests/support/TemporaryFolder.h"

#include <cstring>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {

// The fake model's parameters: weight [out: 4, in: 3], table [token: 10].
class Import : public testing::Test {
protected:
  // Numbers 0, 1, 2, ...
  static Tensor counted(std::initializer_list<int64_t> extents) {
    Tensor tensor(AXL_F32, extents);
    for (float next = 0; float &value : tensor.view<float>())
      value = next++;
    return tensor;
  }

  std::string write(std::initializer_list<std::pair<const char *, Tensor *>> tensors) const {
    std::vector<Named> named;
    for (const auto &[name, tensor] : tensors)
      named.push_back({name, *tensor});
    std::string path = folder.path("other.safetensors");
    writeSafetensors(path, named, {});
    return path;
  }

  static std::vector<float> valuesOf(const Model &model, const char *name) {
    Tensor tensor = model.variable(name);
    auto view = tensor.view<float>();
    return {view.begin(), view.end()};
  }

  static NameTable table(const std::string &text) { return NameTable::parse(text, "names"); }

  TemporaryFolder folder;
  Model model{fake::model};
};

TEST_F(Import, ReordersAndJoinsAxes) {
  Tensor weight = counted({3, 4}), values = counted({10});
  std::string path = write({{"w.t", &weight}, {"t", &values}});
  importParameters(model, path, table("w.t = weight in out # transposed\n\nt = table\n"));
  EXPECT_EQ(valuesOf(model, "weight"), (std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  EXPECT_EQ(valuesOf(model, "table")[7], 7);

  Tensor joined = counted({12});
  path = write({{"w", &joined}, {"t", &values}});
  importParameters(model, path, table("w = weight out+in\nt = table"));
  EXPECT_EQ(valuesOf(model, "weight")[5], 5);
}

TEST_F(Import, WhatIsExportedIsWhatWasImported) {
  Tensor weight = counted({3, 4}), values = counted({10});
  NameTable names = table("w.t = weight in out\nt = table");
  importParameters(model, write({{"w.t", &weight}, {"t", &values}}), names);
  std::string path = folder.path("again.safetensors");
  exportParameters(model, path, names);
  SafetensorsFile file(path);
  EXPECT_EQ(file.metadata().at("format"), "pt"); // transformers refuses a file without it
  Tensor again = file.read(*file.find("w.t"));
  EXPECT_EQ(again.extent(0), 3);
  EXPECT_EQ(std::memcmp(again.data(), weight.data(), size_t(weight.bytes())), 0);
}

TEST_F(Import, ListsWhatDoesNotFitByNameAndChangesNothing) {
  Tensor weight = counted({4, 3}), values = counted({10});
  std::vector<float> before = valuesOf(model, "weight");
  std::string path = write({{"w", &weight}, {"extra", &values}, {"pooler", &values}});
  expectError(
      AXL_ERROR_CHECKPOINT,
      AllOf(HasSubstr("'" + path + "' does not fit model 'fake'"),
            HasSubstr("different: 'w' is [4, 3] in the file, but should be [3, 4]"),
            HasSubstr("missing in the file: 't', for parameter 'table'"),
            HasSubstr("left over: 'extra', [10]"), testing::Not(HasSubstr("pooler"))),
      [&] { importParameters(model, path, table("w = weight in out\nt = table\npooler = -")); });
  expectError(AXL_ERROR_CHECKPOINT, HasSubstr("no row of the table is for parameter 'table'"),
              [&] { importParameters(model, path, table("w = weight\nextra = -\npooler = -")); });
  EXPECT_EQ(valuesOf(model, "weight"), before);
}

TEST_F(Import, ListsTheFirstOfManyThatDoNotFit) {
  Tensor values = counted({10});
  std::vector<std::string> names;
  for (int i = 100; i < 240; ++i)
    names.push_back(concat("extra", i));
  std::vector<Named> tensors{{"t", values}};
  for (const std::string &name : names)
    tensors.push_back({name, values});
  std::string path = folder.path("other.safetensors");
  writeSafetensors(path, tensors, {});
  expectError(AXL_ERROR_CHECKPOINT,
              AllOf(HasSubstr("left over: 'extra199'"), testing::Not(HasSubstr("extra200")),
                    testing::EndsWith("\n  and 40 more")),
              [&] { importParameters(model, path, table("t = table\n- = weight")); });
}

// Types that we have, and that we have not.
TEST_F(Import, NamesTheTypesOfWhatDoesNotFit) {
  std::string header = R"({"w":{"dtype":"F16","shape":[4,3],"data_offsets":[0,24]},)"
                       R"("t":{"dtype":"I32","shape":[10],"data_offsets":[24,64]}})";
  uint64_t length = header.size();
  std::string start(reinterpret_cast<const char *>(&length), sizeof(length));
  std::string path = folder.write("other.safetensors", start + header + std::string(64, '\0'));
  expectError(
      AXL_ERROR_CHECKPOINT,
      AllOf(
          HasSubstr("different: 'w' is [4, 3] of F16 in the file, but should be [4, 3] of F32 for"),
          HasSubstr("different: 't' is [10] of I32 in the file, but should be [10] of F32 for")),
      [&] { importParameters(model, path, table("w = weight\nt = table")); });
}

TEST_F(Import, ParametersThatAreNotInTheFileStayAsTheyAre) {
  Tensor values = counted({10});
  std::vector<float> before = valuesOf(model, "weight");
  NameTable names = table("t = table\n- = weight");
  importParameters(model, write({{"t", &values}}), names);
  EXPECT_EQ(valuesOf(model, "weight"), before);
  EXPECT_EQ(valuesOf(model, "table")[7], 7);
  std::string path = folder.path("again.safetensors");
  exportParameters(model, path, names);
  EXPECT_EQ(SafetensorsFile(path).entries().size(), 1u);
}

// As embedding and output of a language model may be.
TEST_F(Import, ATensorThatIsTwoParametersIsWrittenOnce) {
  axl_variable_info variables[] = {fake::model.variables[1], fake::model.variables[1]};
  variables[1].value.name = "output";
  axl_model description = fake::model;
  description.variables = variables;
  description.variable_count = 2;
  description.function_count = 0;
  Model tied(description);
  Tensor values = counted({10});
  NameTable names = table("t = table\nt = output");
  importParameters(tied, write({{"t", &values}}), names);
  EXPECT_EQ(valuesOf(tied, "table"), valuesOf(tied, "output"));
  std::string path = folder.path("again.safetensors");
  exportParameters(tied, path, names);
  SafetensorsFile file(path);
  ASSERT_EQ(file.entries().size(), 1u);
  EXPECT_EQ(file.read(file.entries()[0]).view<float>()[7], 7);

  values.view<float>()[7] = 8;
  tied.writeVariable(1, values);
  path = folder.path("differ.safetensors");
  expectError(AXL_ERROR_CHECKPOINT,
              AllOf(HasSubstr("model 'fake' cannot be written to '" + path + "'"),
                    HasSubstr("parameters 'table' and 'output' are both tensor 't' of the file, "
                              "but have different values")),
              [&] { exportParameters(tied, path, names); });
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Import, RefusesTablesThatMeanNothing) {
  expectError(AXL_ERROR_FORMAT, HasSubstr("names:2: expected 'TENSOR = PARAMETER AXES...'"),
              [&] { table("a = b\na.*.c = b"); });
  for (const char *row : {"x.*.* = y.**", "x.** = y.*.*", "x.**.a = y.**.a", "x.**.* = y.*.**",
                          "x.*** = y.***", "- = y.**.a", "x.**.a = -"})
    expectError(AXL_ERROR_FORMAT,
                std::string("names:2: '**' stands for the rest of a name: at its end, and on both "
                            "sides or on neither; found '") +
                    row + "'",
                [&] { table(std::string("a = b\n") + row); });
  expectError(AXL_ERROR_FORMAT,
              HasSubstr("names:1: parameter 'weight' has no axis 'depth', or it is there twice"),
              [&] { table("w = weight out depth").placeOf(fake::model.variables[0].value); });
  expectError(AXL_ERROR_FORMAT,
              HasSubstr("names:1: the row does not name all 2 axes of parameter 'weight'"),
              [&] { table("w = weight out").placeOf(fake::model.variables[0].value); });
}

TEST_F(Import, StarsStandForNumbers) {
  axl_value value = fake::model.variables[1].value;
  value.name = "encoder.11.table";
  EXPECT_EQ(table("layer.*.t = encoder.*.table").placeOf(value)->name, "layer.11.t");
  EXPECT_FALSE(table("layer.*.t = encoder.*1.table").placeOf(value));
  EXPECT_TRUE(table("position.* = -").leavesOut("position.3"));
  EXPECT_FALSE(table("position.* = -").leavesOut("position.x"));
  EXPECT_TRUE(table("- = head.*.weight").keeps("head.2.weight"));
  EXPECT_FALSE(table("- = head.*.weight").keeps("head.2.bias"));
}

TEST_F(Import, TwoStarsStandForTheRest) {
  axl_value value = fake::model.variables[1].value;
  value.name = "encoder.11.table";
  EXPECT_EQ(table("layers.** = encoder.**").placeOf(value)->name, "layers.11.table");
  EXPECT_EQ(table("*.** = encoder.*.**").placeOf(value)->name, "11.table");
  EXPECT_FALSE(table("layers.** = decoder.**").placeOf(value));
  EXPECT_TRUE(table("adam.** = -").leavesOut("adam.first.table"));
  EXPECT_FALSE(table("adam.** = -").leavesOut("table.adam.first"));
  EXPECT_TRUE(table("- = head.**").keeps("head.weight"));
}

TEST_F(Import, TheFirstRowCounts) {
  axl_value value = fake::model.variables[1].value;
  value.name = "head.table";
  EXPECT_FALSE(table("- = head.**\n** = **").placeOf(value));
  EXPECT_FALSE(table("head.** = -\n** = **").placeOf(value));
  EXPECT_EQ(table("head.** = -\n** = **\nold.** = head.**").placeOf(value)->name, "old.table");
  EXPECT_EQ(table("** = **\n- = head.**").placeOf(value)->name, "head.table");
}

} // namespace
