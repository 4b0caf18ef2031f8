// The mock device keeps its promises (handles, closed memory, deferred work), and programs compiled
// for it compute what the interpreter does.

#include "codegen/mock/MockDevice.h"

#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"
#include "tests/support/Values.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::test;
using codegen::mockDevice;

TEST(MockDevice, HandlesAreNoAddresses) {
  const axl_device &device = mockDevice();
  axl_memory memory = nullptr;
  ASSERT_EQ(device.allocate(&device, 64, &memory), AXL_OK);
  EXPECT_NE(memory, nullptr);
  EXPECT_LT(reinterpret_cast<uintptr_t>(memory), 4096u);
  device.release(&device, memory);
}

TEST(MockDevice, CopiesInAndOutAtOffsets) {
  const axl_device &device = mockDevice();
  axl_memory memory = nullptr;
  ASSERT_EQ(device.allocate(&device, 64, &memory), AXL_OK);
  int32_t numbers[2] = {7, 8}, found[2] = {};
  ASSERT_EQ(device.copy_in(&device, memory, 8, numbers, sizeof numbers), AXL_OK);
  numbers[0] = 0; // what was asked for is what counts
  ASSERT_EQ(device.copy_out(&device, found, memory, 8, sizeof found), AXL_OK);
  EXPECT_THAT(found, testing::ElementsAre(7, 8));
  device.release(&device, memory);
}

static int noOperation(void **) { return 0; }

TEST(MockDevice, WorksOnlyWhenSomebodyWaits) {
  const axl_device &device = mockDevice();
  const axl_block block = {noOperation, 0, nullptr};
  axl_kernel kernel = {};
  kernel.name = "nothing";
  kernel.block_count = 1;
  kernel.blocks = &block;
  int64_t before = codegen::mockLaunches();
  ASSERT_EQ(device.launch(&device, &kernel, 1, nullptr, nullptr), AXL_OK);
  EXPECT_EQ(codegen::mockLaunches(), before);
  ASSERT_EQ(device.wait(&device), AXL_OK);
  EXPECT_EQ(codegen::mockLaunches(), before + 1);
}

static const char *const text = R"(
axloom.size @B max 64
axloom.variable "state" @w : !axloom.tensor<in: 8, out: 4, f32> order ["out", "in"] init {kind = "zeros"}
func.func @step(%x: !axloom.tensor<batch: B, in: 8, f32> {axloom.name = "x", axloom.order = ["batch", "in"]})
    -> (!axloom.tensor<batch: B, out: 4, f32> {axloom.name = "y", axloom.order = ["out", "batch"]}) {
  %w = axloom.read @w : !axloom.tensor<in: 8, out: 4, f32>
  %h = axloom.contract %x, %w over ["in"] : !axloom.tensor<batch: B, in: 8, f32>, !axloom.tensor<in: 8, out: 4, f32> -> !axloom.tensor<batch: B, out: 4, f32>
  %y = axloom.softmax %h over "out" : !axloom.tensor<batch: B, out: 4, f32> -> !axloom.tensor<batch: B, out: 4, f32>
  %sum = axloom.reduce "sum" %h over ["batch"] : !axloom.tensor<batch: B, out: 4, f32> -> !axloom.tensor<out: 4, f32>
  %new = axloom.add %w, %sum : !axloom.tensor<in: 8, out: 4, f32>, !axloom.tensor<out: 4, f32> -> !axloom.tensor<in: 8, out: 4, f32>
  axloom.write @w, %new : !axloom.tensor<in: 8, out: 4, f32>
  return %y : !axloom.tensor<batch: B, out: 4, f32>
})";

static codegen::CompilerOptions optionsFor(const char *target) {
  codegen::CompilerOptions options;
  options.target = *codegen::Target::named(target);
  return options;
}

static ir::reference::Inputs inputsOf(Graphs &graphs) {
  ir::reference::Inputs inputs;
  inputs.sizes.symbols["B"] = 17;
  Random random(3);
  inputs.arguments.push_back(
      filled(graphs.type("batch: B, in: 8, f32"), uniform(-1, 1), inputs.sizes, random));
  inputs.variables["w"] =
      filled(graphs.type("in: 8, out: 4, f32"), uniform(-1, 1), inputs.sizes, random);
  return inputs;
}

TEST(MockTarget, AgreesWithTheInterpreter) {
  mockDevice();
  Graphs graphs;
  auto module = graphs.parse(text);
  ASSERT_TRUE(module) << graphs.takeErrors();
  CompiledExecutor mock(optionsFor("mock"));
  int64_t before = codegen::mockLaunches();
  EXPECT_EQ(disagreement(graphs, mock, *module, "step", inputsOf(graphs), Tolerance::f32()), "");
  EXPECT_GT(codegen::mockLaunches(), before);
}

TEST(MockTarget, SaysWhichDevicesExistWhereItsOwnIsUnknown) {
  Graphs graphs;
  auto module = graphs.parse(text);
  codegen::CompilerOptions options = optionsFor("mock");
  options.target.device = "abacus";
  CompiledExecutor compiled(options);
  EXPECT_TRUE(failed(compiled.run(*module, "step", inputsOf(graphs))));
  EXPECT_THAT(graphs.takeErrors(),
              testing::AllOf(testing::HasSubstr("'abacus'"), testing::HasSubstr("cpu")));
}
