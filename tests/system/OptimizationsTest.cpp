// The Transformer, compiled, against the interpreter. Optimizations change how it is computed,
// never what: each one is switched off, all are, and 16 drawn subsets. So do targets; and the
// options of the model change both sides alike.
#include "tests/support/Values.h"
#include "tests/system/support/Transformer.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::ir;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {

/// Sizes that are multiples of no tile.
const Sizes sizes{{{"B", 3}, {"S", 7}, {"T", 5}}, {}};

/// A function with its arguments and variables, and what the interpreter makes of them.
struct Expectation {
  std::string function;
  Inputs inputs;
  Outputs outputs;
};

/// The model with these options, and what its functions compute.
class Reference {
public:
  explicit Reference(const std::vector<std::string> &options);

  /// Compiles the model and compares all results and variables of all functions.
  void expectSame(const codegen::CompilerOptions &options, Tolerance tolerance = Tolerance::f32());

private:
  Graphs graphs;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Expectation> expectations;
};

} // namespace

/// Tokens; the end of the first sentence of each batch is padding.
static Array tokenArray(NamedTensorType type, Random &random) {
  Array array = filled(type, integers(1, smallVocabulary), sizes, random);
  if (type.getAxes().size() == 2)
    array.values[array.values.size() / 3 - 1] = array.values[array.values.size() / 3 - 2] = 0;
  return array;
}

static Array argumentOf(llvm::StringRef name, mlir::Type type, Random &random) {
  if (name == "seed")
    return Array(77.0);
  if (name == "position")
    return Array(2.0);
  if (name == "parent") // a row of the batch
    return filled(llvm::cast<NamedTensorType>(type), integers(0, 3), sizes, random);
  return tokenArray(llvm::cast<NamedTensorType>(type), random);
}

/// Adam's second moments are far from zero: from zero, a parameter whose gradient is smaller than
/// f32 rounds moves by a full step in the direction of the rounding.
static Array variableOf(VariableOp variable, Random &random) {
  auto type = llvm::cast<NamedTensorType>(variable.getType());
  if (variable.getKind() == "parameter")
    return filled(type, uniform(-0.5, 0.5), sizes, random);
  if (variable.getSymName().starts_with("adam.second."))
    return filled(type, uniform(0.5, 1), sizes, random);
  if (variable.getKind() == "session") // what encode and earlier steps may have left
    return filled(type, type.getElementType().isInteger(1) ? mask() : uniform(-1, 1), sizes,
                  random);
  return Array(type.getAxes(), sizes);
}

static Inputs inputsOf(mlir::ModuleOp module, const std::string &name) {
  Inputs inputs{sizes, {}, {}};
  Random random(11);
  auto function = functionOf(module, name);
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    inputs.arguments.push_back(
        argumentOf(function.getArgAttrOfType<mlir::StringAttr>(index, "axloom.name").getValue(),
                   type, random));
  for (auto variable : module.getOps<VariableOp>())
    inputs.variables[variable.getSymName().str()] = variableOf(variable, random);
  return inputs;
}

Reference::Reference(const std::vector<std::string> &options)
    : module(graphs.parse(smallTransformer(options))) {
  for (const char *name :
       {"train_step", "evaluate", "forward", "attention", "encode", "decode_step", "reorder"}) {
    Inputs inputs = inputsOf(*module, name);
    auto outputs = InterpreterExecutor(graphs).run(*module, name, inputs);
    if (mlir::failed(outputs))
      throw std::runtime_error(graphs.takeErrors());
    expectations.push_back({name, inputs, *outputs});
  }
}

static std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ",") + name;
  return text.empty() ? "nothing" : text;
}

/// The first moments that a step leaves are a tenth of its gradients, which are small numbers:
/// scaled, so that they are compared with the largest of them. A gradient that is zero but for
/// rounding stays as it is: softmax does not see a bias of the keys.
static Array scaled(Array array, double factor) {
  for (double &value : array.values)
    value *= factor;
  return array;
}

static double largest(const Array &array) {
  double largest = 0;
  for (double value : array.values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

/// Every variable of the model; those of a session where the function has one.
static void expectVariables(mlir::ModuleOp module, const Variables &expected,
                            const Variables &actual, Tolerance tolerance) {
  for (auto variable : module.getOps<VariableOp>()) {
    std::string name = variable.getSymName().str();
    auto found = actual.find(name);
    if (found == actual.end()) {
      EXPECT_EQ(variable.getKind(), "session") << name;
      continue;
    }
    const Array &value = expected.at(name);
    bool isMoment = variable.getSymName().starts_with("adam.first.") && largest(value) > 1e-12;
    double factor = isMoment ? 1 / largest(value) : 1;
    EXPECT_EQ(difference(scaled(value, factor), scaled(found->second, factor), tolerance), "")
        << name;
  }
}

// f32 against double: sums of a few hundred terms of magnitude 1 round by some 1e-6, two layers and
// their gradients add up to a few times that.
void Reference::expectSame(const codegen::CompilerOptions &options, Tolerance tolerance) {
  CompiledExecutor compiled(options);
  for (const Expectation &expected : expectations) {
    SCOPED_TRACE(expected.function + " without " + joined(options.passes.disabled));
    auto actual = compiled.run(*module, expected.function, expected.inputs);
    ASSERT_TRUE(mlir::succeeded(actual)) << graphs.takeErrors();
    for (size_t i = 0; i < expected.outputs.results.size(); ++i)
      EXPECT_EQ(difference(expected.outputs.results[i], actual->results[i], tolerance), "")
          << "result " << i;
    expectVariables(*module, expected.outputs.variables, actual->variables, tolerance);
  }
}

static codegen::CompilerOptions compilerOptions() {
  codegen::CompilerOptions options;
  options.name = "small";
  options.target = codegen::Target::host();
  return options;
}

namespace {

class Optimizations : public testing::TestWithParam<std::vector<std::string>> {
protected:
  /// With GELU, or recompute-activations would have nothing to do.
  static void SetUpTestSuite() {
    reference = std::make_unique<Reference>(Strings{"activation=gelu"});
  }
  static void TearDownTestSuite() { reference.reset(); }

  using Strings = std::vector<std::string>;
  static std::unique_ptr<Reference> reference;
};

std::unique_ptr<Reference> Optimizations::reference;

TEST_P(Optimizations, ChangeNoResult) {
  codegen::CompilerOptions options = compilerOptions();
  options.target.traits.wideContractions = true; // or fuse-horizontal would have nothing to do
  options.passes.disabled = GetParam();
  reference->expectSame(options);
}

/// Nothing, each one, all, and 16 subsets drawn from a fixed seed.
std::vector<std::vector<std::string>> configurations() {
  std::vector<std::string> all;
  for (llvm::StringLiteral name : passes::optimizations())
    all.push_back(name.str());
  std::vector<std::vector<std::string>> chosen = {{}, all};
  for (const std::string &name : all)
    chosen.push_back({name});
  Random random(3);
  while (chosen.size() < all.size() + 2 + 16) {
    std::vector<std::string> subset;
    for (const std::string &name : all)
      if (random() & 1)
        subset.push_back(name);
    if (!llvm::is_contained(chosen, subset))
      chosen.push_back(subset);
  }
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(Off, Optimizations, testing::ValuesIn(configurations()));

class ModelOptions : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(ModelOptions, MeanTheSameCompiled) { Reference(GetParam()).expectSame(compilerOptions()); }

const std::vector<std::vector<std::string>> variants = {
    {"positions=learned"},
    {"shared=false", "attention_bias=true"},
    {"attention_dropout=0.2", "dropout=0", "smoothing=0"},
    {"norm=before", "activation=gelu"},
    {"taps=3"},
    {"norm=of_sublayer", "activation=gelu_tanh"}};
INSTANTIATE_TEST_SUITE_P(Variants, ModelOptions, testing::ValuesIn(variants));

// Here sums double from layer to layer. Gradients reach some 300 and pass through attention that
// sees little but one key: without any optimization f32 differs from double by 1.2e-3 of the
// largest. A mistake differs by more; tests/system/family/ compares single layers closely.
TEST(ModelOptions, SumsThatGrowMeanTheSameCompiled) {
  Reference({"norm=of_sum_and_back"}).expectSame(compilerOptions(), Tolerance{5e-3});
}

TEST(ModelTargets, TheVectorsOfAvx2) {
  codegen::CompilerOptions options = compilerOptions();
  options.target = *codegen::Target::named("x86-64-avx2");
  Reference({}).expectSame(options);
}

} // namespace
