#include "codegen/halide/OneAxis.h"

#include "ir/Ragged.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static constexpr llvm::StringLiteral axisName = "element", sizeName = "elements";

static Type flattened(Type type) {
  auto tensor = llvm::cast<ir::NamedTensorType>(type);
  if (tensor.isScalar())
    return tensor;
  MLIRContext *context = type.getContext();
  ir::Axis axis(StringAttr::get(context, axisName), ir::SizeAttr::symbol(context, sizeName));
  return ir::NamedTensorType::get(axis, tensor.getElementType());
}

static ArrayAttr flattened(ArrayAttr layouts) {
  auto flat = llvm::map_to_vector(layouts.getAsRange<ir::LayoutAttr>(), [](ir::LayoutAttr layout) {
    if (layout.getOrder().empty())
      return Attribute(layout);
    MLIRContext *context = layout.getContext();
    return Attribute(ir::LayoutAttr::get(context, StringAttr::get(context, axisName)));
  });
  return ArrayAttr::get(layouts.getContext(), flat);
}

IsolatedKernel codegen::overOneAxis(ir::KernelOp original) {
  IsolatedKernel isolated = isolate(original);
  ir::KernelOp kernel = isolated.kernel;
  kernel->walk([](Operation *op) {
    for (Value result : op->getResults())
      result.setType(flattened(result.getType()));
  });
  for (auto [input, argument] :
       llvm::zip_equal(kernel.getInputs(), kernel.getBody().getArguments())) {
    argument.setType(flattened(argument.getType()));
    input.setType(argument.getType());
  }
  kernel.setInputLayoutsAttr(flattened(kernel.getInputLayoutsAttr()));
  kernel.setResultLayoutsAttr(flattened(kernel.getResultLayoutsAttr()));
  updateSignature(kernel);
  return isolated;
}

void codegen::setElementCount(CompiledKernel &description, ir::KernelOp kernel) {
  ir::SizeAttr count = ir::elementCount(ir::tensorType(kernel.getOutputs().front()));
  for (Operand &operand : description.operands)
    for (Dimension &dimension : operand.dimensions)
      dimension.size = count;
  for (Scalar &scalar : description.scalars)
    scalar.size = count;
}
