// What all op groups share.

#ifndef AXLOOM_IR_OPS_BASE_TD
#define AXLOOM_IR_OPS_BASE_TD

include "ir/Interfaces.td"
include "ir/Types.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// An op that computes tensors from tensors, with result types inferred from its operands and attributes.
/// `definitions` are C++ definitions of further methods, beside the ones that every TensorOp has.
class TensorOp<string mnemonic, list<Trait> traits = [], string definitions = "">
    : Op<Axloom_Dialect, mnemonic, traits # [Pure, InferTypeOpAdaptorWithIsCompatible]> {
  // A result may be declared with sizes left open (`?`) where inference knows them.
  let extraClassDefinition = [{
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange declared) {
      return ::axloom::ir::compatible(inferred, declared);
    }
  }] # definitions;
}

/// Ops with a rule for adjoints, written in ir/adjoints/.
def Axloom_Differentiable : DeclareOpInterfaceMethods<Axloom_DifferentiableOpInterface>;

#endif
