// What ops can be asked, beyond their types.

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

def Axloom_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::axloom::ir";
  let description = [{
    How the adjoints of an op's operands follow from the adjoints of its results. Pointwise ops declare it as
    formulas in ir/ops/Pointwise.td; all others have a rule in ir/adjoints/. An op from outside the tree that
    implements it can be differentiated too: the pass `differentiate` knows nothing else of an op.
  }];
  let methods = [InterfaceMethod<
    "Adds the adjoint of each operand that needs one, or emits an error at the op and fails.",
    "::llvm::LogicalResult", "buildAdjoints", (ins "::axloom::ir::Adjoints &":$adjoints)>];
}

#endif
