// What ops can be asked, beyond their types. The answers are attached from outside (external models),
// so that the dialect itself depends on none of them.

#ifndef AXLOOM_IR_INTERFACES_TD
#define AXLOOM_IR_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Axloom_ReferenceOpInterface : OpInterface<"ReferenceOpInterface"> {
  let cppNamespace = "::axloom::ir";
  let description = [{
    The meaning of an op: how its results follow from its operands, in double precision and plain loops.
    Models are in ir/reference/, a file an op group.
  }];
  let methods = [InterfaceMethod<
    "Fills the evaluation's results from its operands, or emits an error at the op and fails.",
    "::llvm::LogicalResult", "evaluate", (ins "::axloom::ir::reference::Evaluation &":$evaluation)>];
}

#endif
