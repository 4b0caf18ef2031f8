// The axloom dialect: Transformer graphs over tensors whose axes have names.

#ifndef AXLOOM_IR_DIALECT_TD
#define AXLOOM_IR_DIALECT_TD

include "mlir/IR/OpBase.td"

def Axloom_Dialect : Dialect {
  let name = "axloom";
  let cppNamespace = "::axloom::ir";
  let summary = "Transformer graphs over tensors with named axes";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();

    /// The ops that the user's program defines.
    CustomOps customOps;
  }];
}

#endif
