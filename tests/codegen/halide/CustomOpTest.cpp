// Ops that a program defines: in fused kernels and with gradients as the interpreter computes them,
// and compiled anew when their body changes.

#include "codegen/halide/CustomOp.h"
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "passes/Passes.h"
#include "tests/support/CompiledExecutor.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/Values.h"

#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {
struct Batch : Axis<"batch"> {};
struct Model : Axis<"model"> {};
struct Position : Axis<"position"> {};
struct Hidden : Axis<"hidden"> {};

using Gate = CustomOp<float(float, float)>;

/// y = x * gate * sigmoid(gate)
Gate makeSwiglu() {
  return Gate({.name = "swiglu",
               .body = [](const auto &x, const auto &gate) { return x * gate / (1 + exp(-gate)); },
               .reference = [](double x, double gate) { return x * gate / (1 + std::exp(-gate)); },
               .adjoint =
                   [](auto x, auto gate, auto y, auto g) {
                     auto s = sigmoid(gate);
                     return std::array{g * gate * s, g * (x * s + y * (1 - s))};
                   }});
}

/// A mask and an integer beside the number: x + count where kept, 0 elsewhere.
auto makeKept() {
  return CustomOp<float(float, int, bool)>(
      {.name = "kept",
       .body = [](auto x, auto count, auto keep) { return Halide::select(keep, x + count, 0); },
       .reference = [](double x, double count, double keep) { return keep != 0 ? x + count : 0; },
       .adjoint = [](auto, auto, auto keep, auto, auto g) { return where(keep, g, 0); }});
}

mlir::FailureOr<Outputs> interpreted(mlir::ModuleOp module, const Inputs &inputs) {
  mlir::DialectRegistry registry;
  registerModels(registry);
  module.getContext()->appendDialectRegistry(registry);
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  mlir::PassManager manager(module.getContext());
  manager.addPass(passes::createDifferentiate());
  if (failed(manager.run(*copy)))
    return mlir::failure();
  return interpret(functionOf(*copy, "f"), inputs);
}

/// Compiles function `f` and compares it with the interpreter at sizes that fit no vector.
void expectAgreement(const Program &program, CompiledExecutor &compiled,
                     Tolerance tolerance = Tolerance::f32()) {
  mlir::ModuleOp module = moduleOf(program);
  for (int64_t batch : {1, 7, 65}) {
    Random random(batch);
    Inputs inputs{.sizes = {{{"B", batch}, {"S", 9}}, {}}, .arguments = {}, .variables = {}};
    for (int64_t sentence = 0; sentence < batch; ++sentence)
      inputs.sizes.lengths["S"].push_back(sentence % 4 == 2 ? 0 : 9 - sentence % 7);
    for (mlir::Type type : functionOf(module, "f").getArgumentTypes()) {
      auto tensor = llvm::cast<ir::NamedTensorType>(type);
      Fill fill = tensor.getElementType().isInteger(1)    ? mask()
                  : tensor.getElementType().isInteger(32) ? integers(-9, 9)
                                                          : uniform(-2, 2);
      inputs.arguments.push_back(filled(tensor, fill, inputs.sizes, random));
    }
    auto expected = interpreted(module, inputs), actual = compiled.run(module, "f", inputs);
    ASSERT_TRUE(succeeded(expected) && succeeded(actual));
    for (auto [number, result] : llvm::enumerate(expected->results))
      EXPECT_EQ(difference(result, actual->results[number], tolerance), "")
          << "result " << number << " with batch " << batch;
  }
}
} // namespace

TEST(CustomOp, InAFusedFeedForwardBlockWithGradients) {
  const Gate swiglu = makeSwiglu();
  Program program;
  Size B = program.size("B", 256);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch, Model>("x", B, 20);
    auto up = f.argument<float, Model, Hidden>("up", 20, 37);
    auto gate = f.argument<float, Model, Hidden>("gate", 20, 37);
    auto hidden = swiglu(contract<Model>(x, up), contract<Model>(x, gate));
    auto loss = mean<Batch>(sum<Hidden>(hidden * hidden));
    f.result<Batch, Hidden>("hidden", hidden);
    f.result<>("loss", loss);
    f.result<Model, Hidden>("dup", gradient(loss, up));
    f.result<Model, Hidden>("dgate", gradient(loss, gate));
  });
  CompiledExecutor compiled;
  expectAgreement(program, compiled);
}

TEST(CustomOp, BroadcastsItsOperandsAndSumsTheirAdjoints) {
  const Gate swiglu = makeSwiglu();
  Program program;
  Size B = program.size("B", 256);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch>("x", B);
    auto gate = f.argument<float, Hidden>("gate", 37);
    auto y = swiglu(swiglu(x, gate), 0.5f);
    auto loss = sum<Batch, Hidden>(y * y) / size<Batch>(x);
    f.result<Batch, Hidden>("y", y);
    f.result<Batch>("dx", gradient(loss, x));
    f.result<Hidden>("dgate", gradient(loss, gate));
  });
  CompiledExecutor compiled;
  expectAgreement(program, compiled);
}

TEST(CustomOp, TakesMasksAndIntegers) {
  const auto kept = makeKept();
  Program program;
  Size B = program.size("B", 256);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch, Hidden>("x", B, 37);
    auto count = f.argument<int, Batch>("count", B);
    auto keep = f.argument<bool, Hidden>("keep", 37);
    auto y = kept(x, count, keep);
    f.result<Batch, Hidden>("y", y);
    f.result<Batch, Hidden>("dx", gradient(sum<Batch, Hidden>(y * y), x));
  });
  CompiledExecutor compiled;
  expectAgreement(program, compiled);
}

TEST(CustomOp, WalksOverTokensOfRaggedSentences) {
  const Gate swiglu = makeSwiglu();
  Program program;
  Size B = program.size("B", 256), S = program.size("S", 16).raggedOver<Batch>();
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch, Position, Hidden>("x", B, S, 37);
    auto gate = f.argument<float, Batch>("gate", B);
    auto y = swiglu(x, gate);
    f.result<Batch, Position, Hidden>("y", y);
    f.result<Batch>("dgate", gradient(sum<Batch, Position, Hidden>(y * y), gate));
  });
  CompiledExecutor compiled;
  expectAgreement(program, compiled);
}

/// x * sigmoid(x) of elements E, and its gradient.
template <class E> void checkSilu(Tolerance tolerance) {
  const CustomOp<E(E)> silu({.name = "silu",
                             .body = [](const auto &x) { return x / (1 + exp(-x)); },
                             .reference = [](double x) { return x / (1 + std::exp(-x)); },
                             .adjoint =
                                 [](auto x, auto y, auto g) {
                                   auto s = sigmoid(x);
                                   return g * (s + y * (1 - s));
                                 }});
  Program program;
  Size B = program.size("B", 256);
  program.function("f", [&](Function &f) {
    auto x = f.argument<E, Batch, Hidden>("x", B, 37);
    auto y = silu(x);
    f.result<Batch, Hidden>("y", y);
    f.result<Batch, Hidden>("g", gradient(sum<Batch, Hidden>(y), x));
  });
  CompiledExecutor compiled;
  expectAgreement(program, compiled, tolerance);
}

TEST(CustomOp, OfBfloat16IsComputedInFloat) { checkSilu<bfloat16>(Tolerance::bf16()); }
TEST(CustomOp, OfDouble) { checkSilu<double>(Tolerance::f64()); }

// All elementary functions that a body may use have ours instead of Halide's.
TEST(CustomOp, ElementaryFunctions) {
  const CustomOp<float(float)> wave(
      {.name = "wave",
       .body =
           [](const auto &x) {
             return tanh(x) + sin(x) * cos(x) + log(1 + exp(x)) + pow(exp(x), 1.5f) + erf(x);
           },
       .reference =
           [](double x) {
             return std::tanh(x) + std::sin(x) * std::cos(x) + std::log(1 + std::exp(x)) +
                    std::pow(std::exp(x), 1.5) + std::erf(x);
           }});
  Program program;
  Size B = program.size("B", 256);
  program.function("f", [&](Function &f) {
    f.result<Batch, Hidden>("y", wave(f.argument<float, Batch, Hidden>("x", B, 37)));
  });
  CompiledExecutor compiled;
  expectAgreement(program, compiled);
}

// Each step uses what the one before gave four times: as a tree it has 4^20 leaves.
template <typename X> X lambert(const X &x) {
  X y = log(1 + x);
  for (int step = 0; step < 20; ++step) {
    X e = exp(y);
    y = y - (y * e - x) / (e * (y + 1));
  }
  return y;
}

TEST(CustomOp, BodiesUseValuesSeveralTimes) {
  using std::exp, std::log;
  const CustomOp<float(float)> inverse({.name = "lambert",
                                        .body = [](const auto &x) { return lambert(x); },
                                        .reference = [](double x) { return lambert(x); }});
  Program program;
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Hidden>("x", 37);
    f.result<Hidden>("y", inverse(x * x));
  });
  CompiledExecutor compiled;
  expectAgreement(program, compiled);
}

class CachedCustomOp : public testing::Test {
protected:
  CachedCustomOp() {
    options.target = codegen::Target::host();
    options.kernels.cacheFolder = cache.path();
  }

  // Objects in the cache once a program with this op has been compiled.
  template <class Body, class Reference> auto objectsWith(Body body, Reference reference) {
    const CustomOp<float(float)> op({.name = "op", .body = body, .reference = reference});
    Program program;
    Size B = program.size("B", 256);
    program.function("f", [&](Function &f) {
      auto x = f.argument<float, Batch>("x", B);
      f.result<Batch>("y", op(x));
    });
    CompiledExecutor compiled(options);
    expectAgreement(program, compiled);
    return std::distance(std::filesystem::directory_iterator(cache.path()), {});
  }

  TemporaryFolder cache;
  codegen::CompilerOptions options;
};

TEST_F(CachedCustomOp, AChangedBodyIsCompiledAnew) {
  auto objectsWithFactor = [&](float factor) {
    auto scale = [=](const auto &x) { return x * factor; };
    return objectsWith(scale, scale);
  };
  EXPECT_EQ(objectsWithFactor(2), 1);
  EXPECT_EQ(objectsWithFactor(2), 1);
  EXPECT_EQ(objectsWithFactor(3), 2);
  EXPECT_EQ(objectsWithFactor(std::nextafter(3.0f, 4.0f)), 3); // printed, it would be the same
}

// Each of these numbers is printed as 0.000000, and which of the two comes last is all that
// differs.
TEST_F(CachedCustomOp, NumbersThatAreUsedTwiceCountInTheirPlaces) {
  auto objectsWithLast = [&](auto last) {
    return objectsWith(
        [=](const Halide::Expr &x) {
          Halide::Expr small = 1e-7f, smaller = 1e-8f;
          return x * small + x * x * smaller + x * x * x * last(small, smaller);
        },
        [=](double x) { return x * 1e-7f + x * x * 1e-8f + x * x * x * last(1e-7f, 1e-8f); });
  };
  EXPECT_EQ(objectsWithLast([](const auto &small, const auto &) { return small; }), 1);
  EXPECT_EQ(objectsWithLast([](const auto &, const auto &smaller) { return smaller; }), 2);
}
