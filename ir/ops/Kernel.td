// What kernel forming makes of a graph: regions that become one kernel each.

include "ir/ops/Base.td"

def Axloom_KernelOp : Op<Axloom_Dialect, "kernel", [IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "ops that become one kernel, around an anchor";
  let description = [{
    `anchor` says what the kernel was formed around, which passes and names of kernels go by; a backend chooses its schedule
    from the region: contraction | attention | attention_gradient | reduction | pointwise | scatter | ... .
    The region holds the same ops as the graph. `by_value` lists the inputs that are constants of f32, i32 or i1,
    passed as scalars and not as tensors. `in_place` names for each result the input whose memory it takes over (-1: none);
    both are passed and are the same memory. Kernels of one `group` do the same to each element of tensors of any
    shape and run as one launch, where the last of them stands. Layouts (one for each input, one for each result) and
    placements (one for each result) are absent until their passes ran.
  }];
  let arguments = (ins Variadic<Axloom_AnyTensor>:$inputs, StrAttr:$anchor,
                       OptionalAttr<DenseI64ArrayAttr>:$by_value,
                       OptionalAttr<DenseI64ArrayAttr>:$in_place,
                       OptionalAttr<I64Attr>:$group,
                       OptionalAttr<TypedArrayAttrBase<Axloom_LayoutAttr, "layouts">>:$input_layouts,
                       OptionalAttr<TypedArrayAttrBase<Axloom_LayoutAttr, "layouts">>:$result_layouts,
                       OptionalAttr<TypedArrayAttrBase<Axloom_PlacementAttr, "placements">>:$placements);
  let results = (outs Variadic<Axloom_AnyTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$anchor `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body";
  let hasVerifier = 1;
}

def Axloom_YieldOp : Op<Axloom_Dialect, "yield", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "the results of a kernel";
  let arguments = (ins Variadic<Axloom_AnyTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}
