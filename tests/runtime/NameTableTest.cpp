// Which tensor of a file is which parameter, as tables say it. What follows: ImportTest.cpp.
#include "runtime/checkpoint/NameTable.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

using namespace axloom::runtime;
using testing::HasSubstr;

namespace {

NameTable table(const std::string &text) { return NameTable::parse(text, "names"); }

TEST(NameTable, RefusesTablesThatMeanNothing) {
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
  for (const char *part : {"3/3", "-1/3", "0/0", "1/", "/3", "0/3/1", "a/3", "0/3000000000"})
    expectError(
        AXL_ERROR_FORMAT,
        concat("names:1: there is no part '", part,
               "' of a tensor: expected I/N, with I from 0 to N - 1"),
        [&] {
          table(concat("w = weight ", part, "+out in")).placeOf(fake::model.variables[0].value);
        });
}

TEST(NameTable, StarsStandForNumbers) {
  axl_value value = fake::model.variables[1].value;
  value.name = "encoder.11.table";
  EXPECT_EQ(table("layer.*.t = encoder.*.table").placeOf(value)->name, "layer.11.t");
  EXPECT_FALSE(table("layer.*.t = encoder.*1.table").placeOf(value));
  EXPECT_TRUE(table("position.* = -").leavesOut("position.3"));
  EXPECT_FALSE(table("position.* = -").leavesOut("position.x"));
  EXPECT_TRUE(table("- = head.*.weight").keeps("head.2.weight"));
  EXPECT_FALSE(table("- = head.*.weight").keeps("head.2.bias"));
}

TEST(NameTable, TwoStarsStandForTheRest) {
  axl_value value = fake::model.variables[1].value;
  value.name = "encoder.11.table";
  EXPECT_EQ(table("layers.** = encoder.**").placeOf(value)->name, "layers.11.table");
  EXPECT_EQ(table("*.** = encoder.*.**").placeOf(value)->name, "11.table");
  EXPECT_FALSE(table("layers.** = decoder.**").placeOf(value));
  EXPECT_TRUE(table("adam.** = -").leavesOut("adam.first.table"));
  EXPECT_FALSE(table("adam.** = -").leavesOut("table.adam.first"));
  EXPECT_TRUE(table("- = head.**").keeps("head.weight"));
}

TEST(NameTable, TheFirstRowCounts) {
  axl_value value = fake::model.variables[1].value;
  value.name = "head.table";
  EXPECT_FALSE(table("- = head.**\n** = **").placeOf(value));
  EXPECT_FALSE(table("head.** = -\n** = **").placeOf(value));
  EXPECT_EQ(table("head.** = -\n** = **\nold.** = head.**").placeOf(value)->name, "old.table");
  EXPECT_EQ(table("** = **\n- = head.**").placeOf(value)->name, "head.table");
}

} // namespace
