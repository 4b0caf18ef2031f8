// Pointwise ops. Operands are broadcast by name: the result has the union of the operands' axes.
//
// Derivatives are a table: beside each op stands the adjoint of each operand as a C++ expression over Terms (ir/adjoints/Term.h):
// the result's adjoint `g`, the operands and the result `y`. Where an operand was broadcast, its adjoint is summed back.
// `value` says in C++ what the op makes of constants, in double; folding uses it.

include "ir/ops/Base.td"

def Axloom_Pointwise : NativeOpTrait<"Pointwise"> { let cppNamespace = "::axloom::ir"; }

class PointwiseOp<string mnemonic, list<Trait> traits = [], string definitions = "">
    : TensorOp<mnemonic, traits # [Axloom_Pointwise], definitions>;

class UnaryOp<string mnemonic, string what, string value, string derivative>
    : PointwiseOp<mnemonic, [Axloom_Differentiable], [{
    ::llvm::LogicalResult $cppClass::buildAdjoints(Adjoints &adjoints) {
      [[maybe_unused]] Term g = adjoints.term(adjoints.of(getY())), x = adjoints.term(getX()), y = adjoints.term(getY());
      adjoints.add(getX(), }] # derivative # [{);
      return ::mlir::success();
    }
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor constants) {
      return fold::constant(constants.getX(), [](double x) -> double { return }] # value # [{; });
    }
  }]> {
  let summary = what;
  let hasFolder = 1;
  let arguments = (ins Axloom_FloatTensor:$x);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def Axloom_NegOp : UnaryOp<"neg", "-x", "-x", "-g">;
def Axloom_AbsOp : UnaryOp<"abs", "|x|", "std::abs(x)", "g * sign(x)">;
def Axloom_ExpOp : UnaryOp<"exp", "e^x", "std::exp(x)", "g * y">;
def Axloom_LogOp : UnaryOp<"log", "natural logarithm", "std::log(x)", "g / x">;
def Axloom_SqrtOp : UnaryOp<"sqrt", "square root", "std::sqrt(x)", "g * 0.5 / y">;
def Axloom_RsqrtOp : UnaryOp<"rsqrt", "1 / sqrt(x)", "1 / std::sqrt(x)", "g * -0.5 * y * y * y">;
def Axloom_TanhOp : UnaryOp<"tanh", "hyperbolic tangent", "std::tanh(x)", "g * (1.0 - y * y)">;
def Axloom_SigmoidOp : UnaryOp<"sigmoid", "1 / (1 + e^-x)", "1 / (1 + std::exp(-x))", "g * y * (1.0 - y)">;
def Axloom_ErfOp : UnaryOp<"erf", "the error function", "std::erf(x)", "g * 1.1283791670955126 * exp(-(x * x))">;
def Axloom_SinOp : UnaryOp<"sin", "sine", "std::sin(x)", "g * cos(x)">;
def Axloom_CosOp : UnaryOp<"cos", "cosine", "std::cos(x)", "-(g * sin(x))">;

class BinaryOp<string mnemonic, string what, string value, string leftDerivative, string rightDerivative, list<Trait> traits = []>
    : PointwiseOp<mnemonic, traits # [Axloom_Differentiable], [{
    ::llvm::LogicalResult $cppClass::buildAdjoints(Adjoints &adjoints) {
      [[maybe_unused]] Term g = adjoints.term(adjoints.of(getY())), a = adjoints.term(getA()), b = adjoints.term(getB()),
                            y = adjoints.term(getY());
      if (adjoints.needs(getA()))
        adjoints.add(getA(), }] # leftDerivative # [{);
      if (adjoints.needs(getB()))
        adjoints.add(getB(), }] # rightDerivative # [{);
      return ::mlir::success();
    }
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor constants) {
      return fold::constant(constants.getA(), constants.getB(),
                            [](double a, double b) -> double { return }] # value # [{; });
    }
  }]> {
  let summary = what;
  let hasFolder = 1;
  let arguments = (ins Axloom_AnyTensor:$a, Axloom_AnyTensor:$b);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($y)";
}

// Arithmetic is of numbers alone; i1 has `and` and `or`.
def Axloom_AddOp : BinaryOp<"add", "a + b", "a + b", "g", "g", [Commutative]>;
def Axloom_SubOp : BinaryOp<"sub", "a - b", "a - b", "g", "-g">;
def Axloom_MulOp : BinaryOp<"mul", "a * b", "a * b", "g * b", "g * a", [Commutative]>;
def Axloom_DivOp : BinaryOp<"div", "a / b; of i32, rounded towards minus infinity, and 0 where b is 0", "a / b", "g / b", "-(g * y / b)">;
def Axloom_RemOp : BinaryOp<"rem", "a - b * floor(a / b); of i32, 0 where b is 0", "a - b * std::floor(a / b)", "g", "-(g * floor(a / b))">;
def Axloom_PowOp : BinaryOp<"pow", "a to the power of b, a > 0", "std::pow(a, b)", "g * b * pow(a, b - 1.0)", "g * y * log(a)">;
// At a tie each side gets half, so that the adjoints still sum to g; a constant gets nothing.
def Axloom_MaximumOp : BinaryOp<"maximum", "the larger one", "std::isnan(b) ? b : std::max(a, b)", "g * shareOfMaximum(a, b, y)", "g * shareOfMaximum(b, a, y)", [Commutative]>;
def Axloom_MinimumOp : BinaryOp<"minimum", "the smaller one", "std::isnan(b) ? b : std::min(a, b)", "g * shareOfMinimum(a, b, y)", "g * shareOfMinimum(b, a, y)", [Commutative]>;

// Has no adjoint: a gradient that silently stops at a step function hides a mistake.
def Axloom_FloorOp : PointwiseOp<"floor"> {
  let summary = "the largest integer not above x";
  let arguments = (ins Axloom_FloatTensor:$x);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

// Has no adjoint either: `differentiate` goes no further than its result and then takes x in its place.
def Axloom_StopGradientOp : PointwiseOp<"stop_gradient"> {
  let summary = "x, which gradients take for a constant";
  let arguments = (ins Axloom_FloatTensor:$x);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

class LogicalOp<string mnemonic, string what> : PointwiseOp<mnemonic, [Commutative]> {
  let summary = what;
  let arguments = (ins Axloom_MaskTensor:$a, Axloom_MaskTensor:$b);
  let results = (outs Axloom_MaskTensor:$y);
  let assemblyFormat = "$a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($y)";
}
def Axloom_AndOp : LogicalOp<"and", "both">;
def Axloom_OrOp : LogicalOp<"or", "either">;

def Axloom_NotOp : PointwiseOp<"not"> {
  let summary = "the negated mask";
  let arguments = (ins Axloom_MaskTensor:$x);
  let results = (outs Axloom_MaskTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def Axloom_CompareOp : PointwiseOp<"compare"> {
  let summary = "a mask: eq | ne | lt | le | gt | ge";
  let arguments = (ins StrAttr:$predicate, Axloom_AnyTensor:$a, Axloom_AnyTensor:$b);
  let results = (outs Axloom_MaskTensor:$y);
  let assemblyFormat = "$predicate $a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($y)";
  let hasVerifier = 1;
}

def Axloom_SelectOp : PointwiseOp<"select", [Axloom_Differentiable]> {
  let summary = "a where the mask holds, b elsewhere";
  let arguments = (ins Axloom_MaskTensor:$mask, Axloom_AnyTensor:$a, Axloom_AnyTensor:$b);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$mask `,` $a `,` $b attr-dict `:` type($mask) `,` type($a) `,` type($b) `->` type($y)";
}

def Axloom_CastOp : PointwiseOp<"cast", [Axloom_Differentiable]> {
  let summary = "converts elements; floating point to i32 truncates, i1 gives 0 or 1";
  let arguments = (ins Axloom_AnyTensor:$x, TypeAttr:$to);
  let results = (outs Axloom_AnyTensor:$y);
  let assemblyFormat = "$x `to` $to attr-dict `:` type($x) `->` type($y)";
}

def Axloom_RandomOp : PointwiseOp<"random"> {
  let summary = "uniform numbers in [0, 1), a function of (seed, step, site, coordinates) alone";
  let description = [{
    Counter-based: the same operands and logical coordinates give the same number on every target, in every layout
    and batch. `site` tells random ops of one program apart. `runtime/Random.h` defines the bits.

    `counters` stand for the coordinates of the axes that they have; then `numbers` are the factors of the other axes,
    in the order of their names (`passes/NumberTokens.cpp`).
  }];
  let arguments = (ins Axloom_IntTensor:$seed, Axloom_IntTensor:$step, Axloom_IntTensor:$site, TypeAttrOf<Axloom_AnyTensor>:$shape,
                       Optional<Axloom_IntTensor>:$counters, OptionalAttr<DenseI64ArrayAttr>:$numbers);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$seed `,` $step `,` $site (`from` $counters^ `numbers` $numbers)? attr-dict `:` type($seed) `,` type($step) `,` type($site) (`,` type($counters)^)? `->` $shape type($y)";
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::Value":$seed, "::mlir::Value":$step, "::mlir::Value":$site, "::axloom::ir::NamedTensorType":$shape), [{
    build($_builder, $_state, types, seed, step, site, shape, /*counters=*/{}, /*numbers=*/nullptr);
  }]>];
  let extraClassDeclaration = [{
    /// The coordinates that enter the counter for themselves: axes of the result with the numbers of their factors.
    ::llvm::SmallVector<std::pair<::axloom::ir::Axis, int64_t>> numberedAxes();
  }];
}

def Axloom_CountersOp : TensorOp<"counters"> {
  let summary = "how far each place moves the counter of random numbers";
  let description = [{
    The sum of an element's coordinates, each times its factor, modulo 2^32. `numbers` are the factors of the axes, in
    the order of their names.
  }];
  let arguments = (ins DenseI64ArrayAttr:$numbers, TypeAttrOf<Axloom_IntTensor>:$shape);
  let results = (outs Axloom_IntTensor:$y);
  let assemblyFormat = "$numbers attr-dict `:` $shape type($y)";
}

def Axloom_CustomOp : PointwiseOp<"custom", [Axloom_Differentiable]> {
  let summary = "a pointwise op that the user's program defines";
  let description = [{
    Works element by element, on operands broadcast by name. The result has the floating-point element type that the
    operands share; other operands may be i1 or i32. What the op means, its adjoint and its body are C++
    (ir/CustomOps.h): text that names an op can be read and transformed without them, but neither
    differentiated nor run.
  }];
  let arguments = (ins FlatSymbolRefAttr:$definition, Variadic<Axloom_AnyTensor>:$inputs);
  let results = (outs Axloom_FloatTensor:$y);
  let assemblyFormat = "$definition `(` $inputs `)` attr-dict `:` functional-type($inputs, $y)";
  let extraClassDeclaration = [{
    /// Null, with an error at the op, if its context does not know the definition.
    const CustomDefinition *requireDefinition();
  }];
}
