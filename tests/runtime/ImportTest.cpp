// Parameters from and to files of other programs. How tables are read: NameTableTest.cpp.
#include "runtime/checkpoint/Import.h"
#include "runtime/checkpoint/Safetensors.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"
#include "tests/support/TemporaryFolder.h"

#include <bit>
#include <cstring>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {

enum { Weight, Table };

// The fake model with these parameters alone, each like its weight or like its table.
struct Renamed {
  Renamed(int like, std::initializer_list<const char *> names) {
    for (const char *name : names) {
      variables.push_back(fake::model.variables[like]);
      variables.back().value.name = name;
    }
    description.variables = variables.data();
    description.variable_count = int32_t(variables.size());
    description.function_count = 0;
  }

  std::vector<axl_variable_info> variables;
  axl_model description = fake::model;
};

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

  std::string write(std::initializer_list<std::pair<const char *, Tensor *>> tensors,
                    const std::string &file = "other.safetensors") const {
    std::vector<Named> named;
    for (const auto &[name, tensor] : tensors)
      named.push_back({name, *tensor});
    std::string path = folder.path(file);
    writeSafetensors(path, named, {});
    return path;
  }

  // A file with tensors of any type.
  std::string writeRaw(const std::string &header, const std::string &data) const {
    uint64_t length = header.size();
    std::string start(reinterpret_cast<const char *>(&length), sizeof(length));
    return folder.write("other.safetensors", start + header + data);
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
  importParameters(model, {path}, table("w.t = weight in out # transposed\n\nt = table\n"));
  EXPECT_EQ(valuesOf(model, "weight"), (std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  EXPECT_EQ(valuesOf(model, "table")[7], 7);

  Tensor joined = counted({12});
  path = write({{"w", &joined}, {"t", &values}});
  importParameters(model, {path}, table("w = weight out+in\nt = table"));
  EXPECT_EQ(valuesOf(model, "weight")[5], 5);
}

TEST_F(Import, WhatIsExportedIsWhatWasImported) {
  Tensor weight = counted({3, 4}), values = counted({10});
  NameTable names = table("w.t = weight in out\nt = table");
  importParameters(model, {write({{"w.t", &weight}, {"t", &values}})}, names);
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
      [&] { importParameters(model, {path}, table("w = weight in out\nt = table\npooler = -")); });
  expectError(AXL_ERROR_CHECKPOINT, HasSubstr("no row of the table is for parameter 'table'"),
              [&] { importParameters(model, {path}, table("w = weight\nextra = -\npooler = -")); });
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
              [&] { importParameters(model, {path}, table("t = table\n- = weight")); });
}

// Types that we have, and that we have not.
TEST_F(Import, NamesTheTypesOfWhatDoesNotFit) {
  std::string path = writeRaw(R"({"w":{"dtype":"I64","shape":[4,3],"data_offsets":[0,96]},)"
                              R"("t":{"dtype":"I32","shape":[10],"data_offsets":[96,136]}})",
                              std::string(136, '\0'));
  expectError(
      AXL_ERROR_CHECKPOINT,
      AllOf(
          HasSubstr("different: 'w' is [4, 3] of I64 in the file, but should be [4, 3] of F32 for"),
          HasSubstr("different: 't' is [10] of I32 in the file, but should be [10] of F32 for")),
      [&] { importParameters(model, {path}, table("w = weight\nt = table")); });
}

TEST_F(Import, NumbersOf16BitsBecomeWider) {
  // Numbers, subnormal ones, infinities, what is not a number, minus zero.
  const uint16_t bf16[] = {0x3f80, 0xc000, 0x0001, 0x807f, 0x7f7f, 0x7f80,
                           0xff80, 0x7fc1, 0xff81, 0x8000, 0x3eaa, 0x0000};
  const uint16_t f16[] = {0x3c00, 0xc000, 0x0001, 0x83ff, 0x7bff,
                          0x7c00, 0xfc00, 0x7e01, 0x8000, 0x3555};
  std::string data(reinterpret_cast<const char *>(bf16), sizeof(bf16));
  data.append(reinterpret_cast<const char *>(f16), sizeof(f16));
  std::string path = writeRaw(R"({"w":{"dtype":"BF16","shape":[3,4],"data_offsets":[0,24]},)"
                              R"("t":{"dtype":"F16","shape":[10],"data_offsets":[24,44]}})",
                              data);
  importParameters(model, {path}, table("w = weight in out\nt = table"));
  auto bitsOf = [&](const char *name) {
    std::vector<uint32_t> bits;
    for (float value : valuesOf(model, name))
      bits.push_back(std::bit_cast<uint32_t>(value));
    return bits;
  };
  std::vector<uint32_t> weight = bitsOf("weight");
  for (size_t out = 0; out < 4; ++out)
    for (size_t in = 0; in < 3; ++in)
      EXPECT_EQ(weight[out * 3 + in], uint32_t(bf16[in * 4 + out]) << 16);
  EXPECT_THAT(bitsOf("table"),
              testing::ElementsAre(0x3f800000u, 0xc0000000u, 0x33800000u, 0xb87fc000u, 0x477fe000u,
                                   0x7f800000u, 0xff800000u, 0x7fc02000u, 0x80000000u,
                                   0x3eaaa000u));
}

TEST_F(Import, ShardsAreReadAsOneFile) {
  Tensor weight = counted({4, 3}), values = counted({10});
  NameTable names = table("w = weight\nt = table");
  std::string first = write({{"w", &weight}}, "first.safetensors"),
              second = write({{"t", &values}}, "second.safetensors");
  std::string index = folder.write(
      "model.safetensors.index.json",
      R"({"metadata": {}, "weight_map": {"w": "first.safetensors", "t": "second.safetensors"}})");
  EXPECT_THAT(shardsOf(index), testing::ElementsAre(first, second));
  EXPECT_THAT(shardsOf(folder.path()), testing::ElementsAre(first, second));
  EXPECT_THAT(shardsOf(first), testing::ElementsAre(first));
  EXPECT_THAT(importParameters(model, shardsOf(index), names),
              testing::ElementsAre("weight", "table"));
  EXPECT_EQ(valuesOf(model, "weight")[5], 5);
  EXPECT_EQ(valuesOf(model, "table")[7], 7);

  std::string whole = write({{"w", &weight}, {"t", &values}}, "model.safetensors");
  EXPECT_THAT(shardsOf(folder.path()), testing::ElementsAre(whole));
  std::vector<float> before = valuesOf(model, "weight");
  weight.view<float>()[5] = 8;
  write({{"w", &weight}, {"extra", &values}}, "first.safetensors");
  expectError(AXL_ERROR_CHECKPOINT,
              AllOf(HasSubstr("'" + first + "' and 2 more do not fit model 'fake':"),
                    HasSubstr("twice: 'w' is in '" + first + "' and in '" + whole +
                              "'; read only one of these files"),
                    HasSubstr("left over: 'extra', [10]"), testing::Not(HasSubstr("missing"))),
              [&] { importParameters(model, {first, second, whole}, names); });
  EXPECT_EQ(valuesOf(model, "weight"), before);
  expectError(AXL_ERROR_ARGUMENT, "no file was given for the parameters of model 'fake'",
              [&] { importParameters(model, {}, names); });
}

TEST_F(Import, FoldersAndIndexesWithoutTheirFiles) {
  expectError(AXL_ERROR_FILE,
              "folder '" + folder.path() +
                  "' has no model.safetensors and no model.safetensors.index.json",
              [&] { (void)shardsOf(folder.path()); });
  std::string index = folder.write(
      "a.index.json", R"({"weight_map": {"w": "first", "t": "second", "u": "first"}})");
  folder.write("second", "");
  expectError(AXL_ERROR_FILE,
              "'" + index + "' lists files that are not in its folder; fetch them, too:\n  'first'",
              [&] { (void)shardsOf(index); });
  for (const char *text :
       {"", "[]", "{}", R"({"weight_map": ["a"]})", R"({"weight_map": {"w": 1}})"})
    expectError(AXL_ERROR_FORMAT,
                HasSubstr("is no index of safetensors files, which has "
                          R"({"weight_map": {"TENSOR": "FILE", ...}}: )"),
                [&] { (void)shardsOf(folder.write("a.index.json", text)); });
  folder.write("a.index.json", R"({"weight_map": {}})");
  expectError(AXL_ERROR_FORMAT, "'" + index + "' lists no tensors: its weight_map is empty",
              [&] { (void)shardsOf(index); });
}

// A link in a circle is one of them, for everybody.
TEST_F(Import, FilesThatCannotBeLookedAtAreNotMissing) {
  std::string path = folder.path("model.safetensors");
  std::filesystem::create_symlink(path, path);
  std::string index = folder.write("a.index.json", R"({"weight_map": {"w": "model.safetensors"}})");
  for (const std::string &given : {folder.path(), index})
    expectError(AXL_ERROR_FILE, "cannot read '" + path + "': Too many levels of symbolic links",
                [&] { importParameters(model, shardsOf(given), table("** = **")); });
}

TEST_F(Import, ParametersBeforeTheDamageAreSet) {
  Tensor weight = counted({4, 3}), values = counted({10});
  std::string first = write({{"weight", &weight}}, "first.safetensors"),
              second = write({{"table", &values}}, "second.safetensors");
  std::string contents = readFile(second);
  contents.back() ^= 1;
  folder.write("second.safetensors", contents);
  std::vector<float> before = valuesOf(model, "table");
  expectError(AXL_ERROR_FORMAT,
              HasSubstr("'" + second + "' is damaged: tensor 'table', f32 [10], has checksum "),
              [&] { importParameters(model, {first, second}, table("** = **")); });
  EXPECT_EQ(valuesOf(model, "weight")[5], 5);
  EXPECT_EQ(valuesOf(model, "table"), before);
}

// As query, key and value are in many models, and the taps of a convolution.
TEST_F(Import, PartsOfATensorAreParameters) {
  Renamed parts(Weight, {"query", "key", "value"});
  auto expectParts = [&](std::string rows, std::initializer_list<int64_t> extents, float key) {
    Model split(parts.description);
    Tensor whole = counted(extents);
    NameTable names = table(rows);
    importParameters(split, {write({{"w", &whole}})}, names);
    // Here, too: [out: 4, in: 3].
    EXPECT_EQ(valuesOf(split, "query")[0], 0) << rows;
    EXPECT_EQ(valuesOf(split, "key")[2 * 3 + 1], key) << rows;
    EXPECT_EQ(valuesOf(split, "value")[3 * 3 + 2], 35) << rows;
    std::string path = folder.path("again.safetensors");
    exportParameters(split, path, names);
    SafetensorsFile file(path);
    ASSERT_EQ(file.entries().size(), 1u);
    Tensor again = file.read(file.entries()[0]);
    EXPECT_TRUE(std::ranges::equal(again.extents(), extents)) << rows;
    EXPECT_EQ(std::memcmp(again.data(), whole.data(), size_t(whole.bytes())), 0) << rows;
  };
  expectParts("w = query in 0/3+out\nw = key in 1/3+out\nw = value in 2/3+out", {3, 12}, 18);
  expectParts("w = query out+0/3 in\nw = key out+1/3 in\nw = value out+2/3 in", {12, 3}, 22);
  expectParts("w = query out in 0/3\nw = key out in 1/3\nw = value out in 2/3", {4, 3, 3}, 22);
  // Each a piece of the tensor.
  expectParts("w = query 0/3+out in\nw = key 1/3+out in\nw = value 2/3+out in", {12, 3}, 19);
}

TEST_F(Import, PartsThatNoParameterIsAreLeftOver) {
  Renamed parts(Weight, {"query", "key", "value"});
  Model split(parts.description);
  Tensor whole = counted({3, 12});
  std::string path = write({{"w", &whole}}), again = folder.path("again.safetensors");
  std::string rows = "w = query in 0/3+out\n- = key\nw = value in 2/3+out\n";
  std::vector<float> before = valuesOf(split, "query");
  expectError(
      AXL_ERROR_CHECKPOINT,
      HasSubstr(":\n  left over: part 1/3 of 'w', [3, 12]; a row 'w = -' below those of its "
                "parts leaves it out"),
      [&] { importParameters(split, {path}, table(rows)); });
  EXPECT_EQ(valuesOf(split, "query"), before);
  rows += "w = -";
  EXPECT_THAT(importParameters(split, {path}, table(rows)), testing::ElementsAre("query", "value"));
  EXPECT_EQ(valuesOf(split, "value")[0], 8);
  expectError(
      AXL_ERROR_CHECKPOINT,
      HasSubstr(":\n  no parameter is part 1/3 of tensor 'w' of the file, which can only be "
                "written whole"),
      [&] { exportParameters(split, again, table(rows)); });
  // More than there can be.
  expectError(AXL_ERROR_CHECKPOINT,
              AllOf(HasSubstr("part 0/2000000000 0/2000000000 1/2000000000 of"),
                    HasSubstr("part 0/2000000000 0/2000000000 100/2000000000 of")),
              [&] {
                exportParameters(split, again,
                                 table("- = key\n- = value\n"
                                       "w = query 0/2000000000+0/2000000000+out 0/2000000000+in"));
              });
  EXPECT_FALSE(std::filesystem::exists(again));
}

TEST_F(Import, PartsThatDoNotFit) {
  Renamed parts(Weight, {"query", "key", "value"});
  Model split(parts.description);
  Tensor whole = counted({3, 10});
  std::string rows = "w = query in 0/3+out\nw = key in 1/3+out\nw = value in 2/3+out";
  expectError(AXL_ERROR_CHECKPOINT,
              HasSubstr("different: 'w' is [3, 10] in the file, but should be [3, 12] of F32 for "
                        "parameter 'key', f32 [out: 4, in: 3], part 1/3 of it"),
              [&] { importParameters(split, {write({{"w", &whole}})}, table(rows)); });
  std::string path = folder.path("again.safetensors");
  expectError(
      AXL_ERROR_CHECKPOINT,
      HasSubstr("parameters 'query' and 'value' cut tensor 'w' in different ways: part 0/3 "
                "of [3, 12] of F32, and part 1/2 of [3, 8] of F32; their rows have to agree"),
      [&] {
        exportParameters(split, path,
                         table("w = query in 0/3+out\nw = key in 1/3+out\nw = value in 1/2+out"));
      });
  expectError(AXL_ERROR_CHECKPOINT,
              HasSubstr("parameters 'query' and 'key' are both part 0/2 of tensor 'w' of the file, "
                        "but have different values"),
              [&] {
                exportParameters(
                    split, path,
                    table("w = query in 0/2+out\nw = key in 0/2+out\nw = value in 1/2+out"));
              });
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Import, ParametersThatAreNotInTheFileStayAsTheyAre) {
  Tensor values = counted({10});
  std::vector<float> before = valuesOf(model, "weight");
  NameTable names = table("t = table\n- = weight");
  importParameters(model, {write({{"t", &values}})}, names);
  EXPECT_EQ(valuesOf(model, "weight"), before);
  EXPECT_EQ(valuesOf(model, "table")[7], 7);
  std::string path = folder.path("again.safetensors");
  exportParameters(model, path, names);
  EXPECT_EQ(SafetensorsFile(path).entries().size(), 1u);
}

// As embedding and output of a language model may be.
TEST_F(Import, ATensorThatIsTwoParametersIsWrittenOnce) {
  Renamed parameters(Table, {"table", "output"});
  Model tied(parameters.description);
  Tensor values = counted({10});
  NameTable names = table("t = table\nt = output");
  importParameters(tied, {write({{"t", &values}})}, names);
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

} // namespace
