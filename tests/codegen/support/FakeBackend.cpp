#include "tests/codegen/support/FakeBackend.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;

/// What a kernel in C needs of Halide's interface.
static const char *const prelude = R"(
#include <stdint.h>
typedef struct { int32_t min, extent, stride; uint32_t flags; } dimension;
typedef struct { uint64_t device; const void *interface; uint8_t *host; uint64_t flags; uint32_t type;
                 int32_t dimensions; dimension *dim; void *padding; } buffer;
#define DATA(type, index) ((type *)((buffer *)arguments[index])->host)
#define DIM(index, d) (((buffer *)arguments[index])->dim[d])
#define SCALAR(index) (*(int32_t *)arguments[index])
#define REAL(index) (*(float *)arguments[index])
)";

std::string FakeBackend::object(const std::string &anchor) {
  std::string source = folder + "/" + anchor + ".c", result = folder + "/" + anchor + ".o";
  std::ofstream(source) << prelude << "int " << anchor << "_argv(void **arguments) {"
                        << kernels.at(anchor).body << "}\n";
  std::string command = "cc -c -O1 -fPIC -o " + result + " " + source;
  if (std::system(command.c_str()) != 0)
    std::abort();
  return result;
}

static std::vector<Dimension> dimensionsOf(ir::NamedTensorType type, ir::LayoutAttr layout) {
  std::vector<Dimension> dimensions;
  for (StringAttr axis : layout.getOrder())
    dimensions.push_back({type.sizeOf(axis.getValue())});
  return dimensions;
}

static Operand blankOperand(Location where) {
  return {.name = "", .elementType = nullptr, .location = where};
}

static Operand operandOf(Value value, Attribute layout, unsigned index, Access access) {
  auto type = llvm::cast<ir::NamedTensorType>(value.getType());
  Operand operand = blankOperand(value.getLoc());
  operand.name = (access == Access::Read ? "input" : "result") + std::to_string(index);
  operand.access = access;
  operand.isResult = access != Access::Read;
  operand.index = index;
  operand.elementType = type.getElementType();
  operand.dimensions = dimensionsOf(type, llvm::cast<ir::LayoutAttr>(layout));
  return operand;
}

FailureOr<std::vector<CompiledKernel>>
FakeBackend::compile(ArrayRef<ir::KernelOp> ops, const Target &, const CompileOptions &) {
  std::vector<CompiledKernel> compiled;
  for (ir::KernelOp op : ops) {
    const FakeKernel &fake = kernels.at(op.getAnchor().str());
    CompiledKernel kernel;
    kernel.name = op.getAnchor().str();
    kernel.family = "fake";
    kernel.object = object(kernel.name);
    for (auto [index, input] : llvm::enumerate(op.getInputs()))
      if (llvm::is_contained(op.getByValue().value_or(ArrayRef<int64_t>()), int64_t(index)))
        kernel.scalars.push_back({int(index), nullptr, input.getType()});
      else
        kernel.operands.push_back(
            operandOf(input, (*op.getInputLayouts())[index], index, Access::Read));
    for (auto [index, result] : llvm::enumerate(op.getOutputs()))
      kernel.operands.push_back(
          operandOf(result, (*op.getResultLayouts())[index], index, Access::Write));
    for (const auto &dimensions : fake.scratch) {
      Operand scratch = blankOperand(op.getLoc());
      scratch.name = "scratch";
      scratch.access = Access::ReadWrite;
      scratch.isScratch = true;
      scratch.elementType = Float32Type::get(op.getContext());
      scratch.dimensions = dimensions;
      kernel.operands.push_back(scratch);
    }
    for (const std::string &size : fake.sizes)
      kernel.scalars.push_back({-1, ir::SizeAttr::symbol(op.getContext(), size), nullptr});
    kernel.loops = fake.loops;
    kernel.blocks.push_back({kernel.name + "_argv", {}});
    for (auto [index, operand] : llvm::enumerate(kernel.operands)) {
      kernel.blocks.front().operands.push_back(int(index));
      operand.loopAxis =
          fake.axes.empty() ? std::vector<int>(fake.loops.size(), -1) : fake.axes[index];
      operand.loopStep.assign(fake.loops.size(), 0);
    }
    compiled.push_back(std::move(kernel));
  }
  return compiled;
}
