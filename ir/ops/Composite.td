// Composites: what a graph of smaller ops could say too, but a kernel says better.

include "ir/ops/Base.td"

def Axloom_SoftmaxOp : TensorOp<"softmax", [Axloom_Differentiable]> {
  let summary = "exp(x) / sum exp(x) along an axis, over the elements that the mask shows";
  let description = "Hidden elements give 0; a row with nothing visible gives zeros, and zero gradients.";
  let arguments = (ins Axloom_FloatTensor:$x, Optional<Axloom_MaskTensor>:$mask, StrAttr:$axis);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$x (`mask` $mask^)? `over` $axis attr-dict `:` type($x) (`,` type($mask)^)? `->` type($y)";
}

def Axloom_LayerNormOp : TensorOp<"layer_norm", [AttrSizedOperandSegments, Axloom_Differentiable]> {
  let summary = "(x - mean) * rstd * scale + offset along an axis (Ba et al. 2016)";
  let description = "mean and rstd = 1 / sqrt(variance + epsilon) have the axes of x but the normalized one; variance divides by n. scale and offset have the elements of x.";
  let arguments = (ins Axloom_FloatTensor:$x, Optional<Axloom_FloatTensor>:$scale, Optional<Axloom_FloatTensor>:$offset, StrAttr:$axis,
                       F64Attr:$epsilon);
  let results = (outs Axloom_FloatTensor:$y, Axloom_FloatTensor:$mean, Axloom_FloatTensor:$rstd);
  let assemblyFormat = "$x (`scale` $scale^)? (`offset` $offset^)? `over` $axis `epsilon` $epsilon attr-dict `:` type($x) (`scale` type($scale)^)? (`offset` type($offset)^)? `->` type($y) `,` type($mean) `,` type($rstd)";
  let hasVerifier = 1;
}

def Axloom_AttentionOp : TensorOp<"attention", [AttrSizedOperandSegments, Axloom_Differentiable]> {
  let summary = "dropout(softmax over key of scale * q k^T) v (Vaswani et al. 2017, eq. 1)";
  let description = [{
    q: [.., query, depth], k: [.., key, depth], v: [.., key, value]; every other axis is shared (batch, heads). Where q has
    no axis query, there is one query, as in a step of decoding.
    q, k, v, `bias` and `keep` have one element type. `bias` is added to the scaled scores; `mask` hides scores (i1; its axes are a subset of the scores'). `keep` is multiplied onto
    the weights (dropout: 0 or 1 / (1 - rate)). A query that sees nothing gives zeros.
    `log2sumexp`: [.., query], log2(sum(exp(s))) of the masked scores, for the backward pass; 0 where nothing is visible; f32 of bf16, too. Kernels
    have scores in units of log 2, whose exponentials are cheapest; in these units the backward pass finds the very same scores.
    `factors`: of q k^T and of the product with v, as in `contract`; of the latter they are v and the weights before they are
    divided by their sum, keep * exp(s - largest s).
  }];
  let arguments = (ins Axloom_FloatTensor:$q, Axloom_FloatTensor:$k, Axloom_FloatTensor:$v, Optional<Axloom_FloatTensor>:$bias,
                       Optional<Axloom_MaskTensor>:$mask, Optional<Axloom_FloatTensor>:$keep,
                       StrAttr:$depth, StrAttr:$key, F64Attr:$scale, OptionalAttr<TypeAttr>:$factors);
  let results = (outs Axloom_FloatTensor:$output, Axloom_FloatTensor:$log2sumexp);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`bias` $bias^)? (`mask` $mask^)? (`keep` $keep^)? `depth` $depth `key` $key `scale` $scale attr-dict
    `:` type($q) `,` type($k) `,` type($v) (`bias` type($bias)^)? (`mask` type($mask)^)? (`keep` type($keep)^)?
    `->` type($output) `,` type($log2sumexp)}];
  let hasVerifier = 1;
}

def Axloom_AttentionGradientOp : TensorOp<"attention_gradient", [AttrSizedOperandSegments]> {
  let summary = "adjoints of q, k, v in attention, from its output, its log2sumexp and the result's adjoint";
  let description = [{
    With P = exp(s) / 2^log2sumexp, W = keep * P, dP = keep * (dC v^T), D = rowsum(dC * output):
    dS = P * (dP - D); dq = scale * dS k; dk = scale * dS^T q; dv = W^T dC. `bias` gets no adjoint here.
    `factors`: of q k^T and of these four products, as in `contract`; scale * dS is one.
  }];
  let arguments = (ins Axloom_FloatTensor:$q, Axloom_FloatTensor:$k, Axloom_FloatTensor:$v, Optional<Axloom_FloatTensor>:$bias,
                       Optional<Axloom_MaskTensor>:$mask, Optional<Axloom_FloatTensor>:$keep, Axloom_FloatTensor:$output,
                       Axloom_FloatTensor:$log2sumexp, Axloom_FloatTensor:$gradient,
                       StrAttr:$depth, StrAttr:$key, F64Attr:$scale, OptionalAttr<TypeAttr>:$factors);
  let results = (outs Axloom_FloatTensor:$dq, Axloom_FloatTensor:$dk, Axloom_FloatTensor:$dv);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`bias` $bias^)? (`mask` $mask^)? (`keep` $keep^)? `output` $output `log2sumexp` $log2sumexp
    `gradient` $gradient `depth` $depth `key` $key `scale` $scale attr-dict
    `:` type($q) `,` type($k) `,` type($v) (`bias` type($bias)^)? (`mask` type($mask)^)? (`keep` type($keep)^)?
    `,` type($output) `,` type($log2sumexp) `,` type($gradient) `->` type($dq) `,` type($dk) `,` type($dv)}];
  let hasVerifier = 1;
}

def Axloom_CrossEntropyOp : TensorOp<"cross_entropy", [Axloom_Differentiable]> {
  let summary = "-sum over classes of target * log softmax(logits), with label smoothing (Szegedy et al. 2016)";
  let description = [{
    logits: [.., classes]; labels: [..] of i32; y: [..], in nats. target = (1 - smoothing) * onehot(label) + smoothing / classes.
    A label outside the classes is an error: of an argument before the call (codegen/host/IndexLimits.h), of a constant when the
    program is compiled, of others in the interpreter only. Compiled, the nearest class counts for y then, and none for its adjoint.
  }];
  let arguments = (ins Axloom_FloatTensor:$logits, Axloom_IntTensor:$labels, StrAttr:$axis, F64Attr:$smoothing);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$logits `,` $labels `over` $axis `smoothing` $smoothing attr-dict `:` type($logits) `,` type($labels) `->` type($y)";
  let hasVerifier = 1;
}

def Axloom_LinearCrossEntropyOp : TensorOp<"linear_cross_entropy", [Axloom_Differentiable]> {
  let summary = "the weighted sum of cross_entropy(contract(x, w), labels) without ever holding all logits";
  let description = [{
    x: [tokens.., model]; w: [classes, model]; labels: [tokens..]; weights: [tokens..], f32. loss: a scalar,
    sum over tokens of weights * cross entropy, of which a token of weight 0 has no part, whatever its logits (its gradients are its slopes times 0, though). unit_dx, unit_dw: the gradients of `loss`; computed in the same sweep if used.
    `factors`: of the three products, as in `contract`.
  }];
  let arguments = (ins Axloom_FloatTensor:$x, Axloom_FloatTensor:$w, Axloom_IntTensor:$labels, Axloom_FloatTensor:$weights, StrAttr:$model,
                       StrAttr:$classes, F64Attr:$smoothing, OptionalAttr<TypeAttr>:$factors);
  let results = (outs Axloom_FloatTensor:$loss, Axloom_FloatTensor:$unit_dx, Axloom_FloatTensor:$unit_dw);
  let assemblyFormat = [{
    $x `,` $w `,` $labels `,` $weights `model` $model `classes` $classes `smoothing` $smoothing attr-dict
    `:` type($x) `,` type($w) `,` type($labels) `,` type($weights) `->` type($loss) `,` type($unit_dx) `,` type($unit_dw)}];
  let hasVerifier = 1;
}
