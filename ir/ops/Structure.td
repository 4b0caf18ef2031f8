// Ops that look across positions of an axis, or give axes another name or structure.

include "ir/ops/Base.td"

def Axloom_ContractOp : TensorOp<"contract", [Axloom_Differentiable]> {
  let summary = "sum over the named axes of the product of two tensors";
  let description = [{
    Axes in `over` are in both operands and vanish; any other axis that both have is a batch axis.
    `contract %q, %k over ["depth"]`: [b, h, query, depth], [b, h, key, depth] -> [b, h, query, key].
    With `factors = bf16`, elements of both f32 operands are rounded to bf16 before they are multiplied; sums stay f32.
  }];
  let arguments = (ins Axloom_FloatTensor:$a, Axloom_FloatTensor:$b, StrArrayAttr:$over, OptionalAttr<TypeAttr>:$factors);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$a `,` $b `over` $over attr-dict `:` type($a) `,` type($b) `->` type($y)";
  let builders = [
    OpBuilder<(ins "mlir::Value":$a, "mlir::Value":$b, "mlir::ArrayAttr":$over),
              [{ build($_builder, $_state, a, b, over, mlir::TypeAttr()); }]>,
    OpBuilder<(ins "mlir::TypeRange":$types, "mlir::Value":$a, "mlir::Value":$b, "mlir::ArrayAttr":$over),
              [{ build($_builder, $_state, types, a, b, over, mlir::TypeAttr()); }]>];
  let hasVerifier = 1;
}

def Axloom_ReduceOp : TensorOp<"reduce", [Axloom_Differentiable]> {
  let summary = "sum | max | min over the named axes; of no elements 0 | the lowest | the largest finite number";
  let arguments = (ins StrAttr:$kind, Axloom_FloatTensor:$x, StrArrayAttr:$over);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$kind $x `over` $over attr-dict `:` type($x) `->` type($y)";
  let hasVerifier = 1;
}

def Axloom_ArgmaxOp : TensorOp<"argmax"> {
  let summary = "the first index along the axis that holds the largest value";
  let arguments = (ins Axloom_FloatTensor:$x, StrAttr:$axis);
  let results = (outs Axloom_IntTensor:$y);
  let assemblyFormat = "$x `over` $axis attr-dict `:` type($x) `->` type($y)";
}

def Axloom_BroadcastOp : TensorOp<"broadcast", [Axloom_Differentiable]> {
  let summary = "repeats a tensor along axes it does not have, or not yet";
  let arguments = (ins Axloom_AnyTensor:$x, TypeAttrOf<Axloom_AnyTensor>:$shape);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$x `to` $shape attr-dict `:` type($x) `->` type($y)";
}

def Axloom_GatherOp : TensorOp<"gather", [Axloom_Differentiable]> {
  let summary = "table[indices] along an axis of the table (embedding look-up)";
  let description = [{
    The axis leaves the table and the indices' axes join; an axis that both have is walked together.
    An index outside the axis is an error in the interpreter. Compiled, arguments that are used as
    indices are checked before the call (codegen/host/IndexLimits.h), positions that are counted
    when the program is compiled (passes/Infer.cpp); any other index is clamped.
  }];
  let arguments = (ins Axloom_AnyTensor:$table, Axloom_IntTensor:$indices, StrAttr:$axis);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$table `,` $indices `along` $axis attr-dict `:` type($table) `,` type($indices) `->` type($y)";
}

def Axloom_ScatterAddOp : TensorOp<"scatter_add", [Axloom_Differentiable]> {
  let summary = "the adjoint of gather: sums rows of `x` into zeros of shape `shape` at `indices` along the axis";
  let description = "Sums in the order of the indices' coordinates, whatever the number of threads.";
  let arguments = (ins Axloom_FloatTensor:$x, Axloom_IntTensor:$indices, StrAttr:$axis, TypeAttrOf<Axloom_AnyTensor>:$shape);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$x `,` $indices `along` $axis `to` $shape attr-dict `:` type($x) `,` type($indices) `->` type($y)";
}

def Axloom_RenameOp : TensorOp<"rename", [Axloom_Differentiable]> {
  let summary = "gives an axis another name";
  let arguments = (ins Axloom_AnyTensor:$x, StrAttr:$from, StrAttr:$to);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$x $from `to` $to attr-dict `:` type($x) `->` type($y)";
}

def Axloom_SplitOp : TensorOp<"split", [Axloom_Differentiable]> {
  let summary = "splits an axis into two, the first of which is the slower";
  let description = "`split %x \"model\" into [\"heads\", \"depth\"] inner <64>`: index = heads * 64 + depth.";
  let arguments = (ins Axloom_AnyTensor:$x, StrAttr:$axis, StrArrayAttr:$into, Axloom_SizeAttr:$inner);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$x $axis `into` $into `inner` $inner attr-dict `:` type($x) `->` type($y)";
}

def Axloom_MergeOp : TensorOp<"merge", [Axloom_Differentiable]> {
  let summary = "merges two axes into one, the first of which is the slower";
  let arguments = (ins Axloom_AnyTensor:$x, StrArrayAttr:$axes, StrAttr:$into);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$x $axes `into` $into attr-dict `:` type($x) `->` type($y)";
}

def Axloom_SliceOp : TensorOp<"slice", [Axloom_Differentiable]> {
  let summary = "x[start : start + size] along a fixed-size axis";
  let arguments = (ins Axloom_AnyTensor:$x, StrAttr:$axis, I64Attr:$start, I64Attr:$size);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$x $axis `from` $start `size` $size attr-dict `:` type($x) `->` type($y)";
}

def Axloom_ConcatOp : TensorOp<"concat", [Axloom_Differentiable]> {
  let summary = "tensors one behind the other along a fixed-size axis; their other axes are the same";
  let arguments = (ins Variadic<Axloom_AnyTensor>:$xs, StrAttr:$axis);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$xs `along` $axis attr-dict `:` type($xs) `->` type($y)";
}

def Axloom_PadOp : TensorOp<"pad", [Axloom_Differentiable]> {
  let summary = "puts `low` elements before and `high` behind along a fixed-size axis, all equal to `value`";
  let arguments = (ins Axloom_AnyTensor:$x, StrAttr:$axis, I64Attr:$low, I64Attr:$high, F64Attr:$value);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$x $axis `low` $low `high` $high `with` $value attr-dict `:` type($x) `->` type($y)";
}

def Axloom_ShiftOp : TensorOp<"shift", [Axloom_Differentiable]> {
  let summary = "y[i] = x[i - by], or `value` where that is outside; the size stays";
  let arguments = (ins Axloom_AnyTensor:$x, StrAttr:$axis, I64Attr:$by, F64Attr:$value);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$x $axis `by` $by `with` $value attr-dict `:` type($x) `->` type($y)";
}

def Axloom_UpdateOp : TensorOp<"update", [Axloom_Differentiable]> {
  let summary = "x with its slice at `index` along the axis replaced by `value`";
  let description = [{
    `index` is a scalar or has axes of `x` (an index for each). `value` has the axes of `x` but the updated one.
    Written in place where `x` is what a variable held and the result what it gets, if nothing else reads `x` later.
  }];
  let arguments = (ins Axloom_AnyTensor:$x, Axloom_IntTensor:$index, Axloom_AnyTensor:$value, StrAttr:$axis);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$x `at` $index `with` $value `along` $axis attr-dict `:` type($x) `,` type($index) `,` type($value) `->` type($y)";
}

def Axloom_IotaOp : TensorOp<"iota"> {
  let summary = "0, 1, 2, ... along one axis";
  let description = "Of a ragged size, for each of the `entries` of the axis that it is ragged over.";
  let arguments = (ins StrAttr:$axis, Axloom_SizeAttr:$size, OptionalAttr<Axloom_SizeAttr>:$entries);
  let results = (outs Axloom_IntTensor:$y);
  let assemblyFormat = "$axis `size` $size (`entries` $entries^)? attr-dict `:` type($y)";
}

def Axloom_ConstantOp : TensorOp<"constant", [ConstantLike]> {
  let summary = "a scalar constant: a number or a truth value";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$value attr-dict `:` type($y)";
  let hasFolder = 1;
}

def Axloom_SizeOfOp : TensorOp<"size_of"> {
  let summary = "a size as a scalar; the lengths of a ragged one, for each of its `entries`";
  let description = "An f32 unless it is said to be another number.";
  let arguments = (ins Axloom_SizeAttr:$size, OptionalAttr<Axloom_SizeAttr>:$entries, OptionalAttr<TypeAttr>:$to);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$size (`entries` $entries^)? (`to` $to^)? attr-dict `:` type($y)";
  let hasFolder = 1;
}
