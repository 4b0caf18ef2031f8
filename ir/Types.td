// Types and attributes of the axloom dialect.

#ifndef AXLOOM_IR_TYPES_TD
#define AXLOOM_IR_TYPES_TD

include "ir/Dialect.td"
include "mlir/IR/AttrTypeBase.td"

def Axloom_SizeAttr : AttrDef<Axloom_Dialect, "Size"> {
  let mnemonic = "size";
  let summary = "the extent of an axis: a number, or a number times size symbols";
  let description = [{
    A monomial `factor * symbol * symbol ...` with its symbols sorted by name: `512`, `B`, `2*B*S`.
    A ragged size `S[batch]` is a length of its own for each index along `batch`, at most `S`.
    `?` is a size still to be inferred; it appears in hand-written IR only.
  }];
  let parameters = (ins
    "int64_t":$factor,
    ArrayRefParameter<"::mlir::StringAttr">:$symbols,
    OptionalParameter<"::mlir::StringAttr">:$raggedOver);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t unknownFactor = -1;

    static SizeAttr fixed(::mlir::MLIRContext *context, int64_t extent);
    static SizeAttr symbol(::mlir::MLIRContext *context, ::llvm::StringRef name);
    static SizeAttr unknown(::mlir::MLIRContext *context);

    bool isUnknown() const { return getFactor() == unknownFactor; }
    bool isFixed() const { return !isUnknown() && getSymbols().empty(); }
    bool isRagged() const { return getRaggedOver() != nullptr; }

    /// The padded maximum of a ragged size; the size itself otherwise.
    SizeAttr padded() const;
    /// The product of two sizes, neither ragged nor unknown.
    SizeAttr times(SizeAttr other) const;
    /// The quotient, or null where `other` does not divide this size.
    SizeAttr dividedBy(SizeAttr other) const;
    /// The number that it is where symbols have these values; of a ragged size, the maximum.
    int64_t evaluate(::llvm::function_ref<int64_t(::mlir::StringAttr)> valueOf) const;
    /// The size as users read it, e.g. `2*B*S` or `S[batch]`.
    std::string str() const;
  }];
}

def Axloom_LayoutAttr : AttrDef<Axloom_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "the physical order of a tensor's axes, outermost first";
  let description = [{
    `#axloom.layout<[batch, position, model]>` is a dense tensor in that order.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$order);
  let hasCustomAssemblyFormat = 1;
}

def Axloom_PlacementAttr : AttrDef<Axloom_Dialect, "Placement"> {
  let mnemonic = "placement";
  let summary = "the memory that a kernel's result is written to";
  let description = [{
    `#axloom.placement<slot 3>`: slot 3 of the function's arena; `#axloom.placement<variable @name>`: the variable
    itself, in place; `#axloom.placement<result 0>`: the memory that the caller gave for the function's result 0.
  }];
  let parameters = (ins "::axloom::ir::PlacementKind":$kind, "int64_t":$index, "::mlir::StringAttr":$variable);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static PlacementAttr slot(::mlir::MLIRContext *context, int64_t index);
    static PlacementAttr result(::mlir::MLIRContext *context, int64_t index);
    static PlacementAttr inVariable(::mlir::MLIRContext *context, ::llvm::StringRef name);

    bool isSlot() const { return getKind() == PlacementKind::slot; }
    bool isResult() const { return getKind() == PlacementKind::result; }
    bool isVariable() const { return getKind() == PlacementKind::variable; }
  }];
}

def Axloom_TensorType : TypeDef<Axloom_Dialect, "NamedTensor"> {
  let mnemonic = "tensor";
  let summary = "a tensor over a set of named axes";
  let description = [{
    `!axloom.tensor<batch: B, model: 512, f32>`. Axes are kept sorted by name, so equal sets of axes are equal types;
    a physical order exists only as a layout. A tensor without axes is a scalar: `!axloom.tensor<f32>`.
  }];
  let parameters = (ins
    ArrayRefParameter<"::axloom::ir::Axis">:$axes,
    "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<::axloom::ir::Axis>":$axes,
                                        "::mlir::Type":$elementType)>];
  let extraClassDeclaration = [{
    /// The size of the axis, or null if the tensor does not have it.
    SizeAttr sizeOf(::llvm::StringRef axis) const;
    bool has(::llvm::StringRef axis) const { return sizeOf(axis) != nullptr; }
    unsigned rank() const { return getAxes().size(); }
    bool isScalar() const { return getAxes().empty(); }

    NamedTensorType withElementType(::mlir::Type type) const;
    NamedTensorType with(::axloom::ir::Axis axis) const;
    NamedTensorType without(::llvm::ArrayRef<::mlir::StringAttr> names) const;
  }];
}

class Axloom_TensorOf<string elementPredicate, string what>
    : Type<And<[CPred<"::llvm::isa<::axloom::ir::NamedTensorType>($_self)">,
                SubstLeaves<"$_self", "::llvm::cast<::axloom::ir::NamedTensorType>($_self).getElementType()",
                            CPred<elementPredicate>>]>,
           what, "::axloom::ir::NamedTensorType">;

def Axloom_AnyTensor : Axloom_TensorOf<"true", "tensor over named axes">;
def Axloom_FloatTensor : Axloom_TensorOf<"::llvm::isa<::mlir::FloatType>($_self)", "tensor of floating-point numbers">;
def Axloom_IntTensor : Axloom_TensorOf<"$_self.isInteger(32)", "tensor of i32">;
def Axloom_MaskTensor : Axloom_TensorOf<"$_self.isInteger(1)", "tensor of i1">;

#endif
