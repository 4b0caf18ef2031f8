// Ops that make up a program around its functions: size symbols, variables, their values, gradients.

include "ir/ops/Base.td"

def Axloom_SizeOp : Op<Axloom_Dialect, "size", [Symbol]> {
  let summary = "declares a size symbol and its largest value";
  let description = "`axloom.size @B max 4096`: `B` may be used in types; entry points refuse larger values.";
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$max);
  let assemblyFormat = "$sym_name `max` $max attr-dict";
  let hasVerifier = 1;
}

def Axloom_VariableOp : Op<Axloom_Dialect, "variable", [Symbol]> {
  let summary = "a tensor that outlives a call";
  let description = [{
    `kind` says whose it is: `parameter` (trained; in checkpoints), `state` (e.g. an optimizer's moments or a step
    count; in checkpoints), or `session` (owned by the caller's session, e.g. a key/value cache; never saved).
    `order` is the external, row-major order of axes (in checkpoints). `init` is a dictionary with a `kind`:
    zeros | ones | constant (value) | uniform (low, high) | normal (mean, stddev), with numbers that elements can be.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Axloom_AnyTensor>:$type, StrAttr:$kind,
                       StrArrayAttr:$order, DictionaryAttr:$init);
  let assemblyFormat = "$kind $sym_name `:` $type `order` $order `init` $init attr-dict";
  let hasVerifier = 1;
}

def Axloom_ReadOp : Op<Axloom_Dialect, "read", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a variable's value when the function was entered";
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Axloom_AnyTensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}

def Axloom_WriteOp : Op<Axloom_Dialect, "write", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "gives a variable its value for after the function's exit";
  let description = "At most one a variable in a function. Reads in the same function see the old value.";
  let arguments = (ins FlatSymbolRefAttr:$variable, Axloom_AnyTensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

def Axloom_GradientOp : Op<Axloom_Dialect, "gradient", [Pure]> {
  let summary = "the gradients of a scalar with respect to values it was computed from";
  let description = "Replaced by adjoint ops in the pass `differentiate`. A value that `loss` does not depend on gets zeros.";
  let arguments = (ins Axloom_FloatTensor:$loss, Variadic<Axloom_FloatTensor>:$wrt);
  let results = (outs Variadic<Axloom_FloatTensor>:$gradients);
  let assemblyFormat = "$loss `wrt` `(` $wrt `)` attr-dict `:` type($loss) `,` type($wrt) `->` type($gradients)";
  let hasVerifier = 1;
}
