// Mistakes in ops that a program defines: one clear message for each, with the lines where the op
// is used and where it is defined.

#include "codegen/halide/CustomOp.h"
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "passes/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <gmock/gmock.h>

using namespace axloom;
using testing::HasSubstr;

namespace {
struct Batch : Axis<"batch"> {};

/// Scales, with a factor that only the body knows.
unsigned lineOfScaling = __LINE__ + 2;
CustomOp<float(float)> scaling(float factor) {
  return CustomOp<float(float)>({.name = "scaling",
                                 .body = [=](const auto &x) { return x * factor; },
                                 .reference = [=](double x) { return x * factor; }});
}

/// Scales, with factors that only the reference or only the adjoint knows.
CustomOp<float(float)> reversal(double ofReference, float ofAdjoint) {
  return CustomOp<float(float)>({.name = "reversal",
                                 .body = [](const auto &x) { return x; },
                                 .reference = [=](double x) { return x * ofReference; },
                                 .adjoint = [=](auto, auto, auto g) { return g * ofAdjoint; }});
}

/// What Program and passes say about a mistake, notes included.
std::string diagnosticsOf(const Program &program) {
  mlir::ModuleOp module = moduleOf(program);
  std::string text;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    auto add = [&](mlir::Diagnostic &part) {
      auto place = llvm::cast<mlir::FileLineColLoc>(part.getLocation());
      text += "line " + std::to_string(place.getLine()) + ": " + part.str() + "\n";
    };
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::success();
    add(diagnostic);
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      add(note);
    return mlir::success();
  });
  module.getContext()->printOpOnDiagnostic(false);
  mlir::PassManager manager(module.getContext());
  manager.addPass(passes::createDifferentiate());
  EXPECT_TRUE(failed(manager.run(module)));
  return text;
}

std::string line(unsigned number) { return "line " + std::to_string(number) + ": "; }

template <class Op> void gradientThrough(Program &program, const Op &op, unsigned &line) {
  Size B = program.size("B", 64);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch>("x", B);
    line = __LINE__ + 1;
    auto y = op(x);
    f.result<Batch>("dx", gradient(sum<Batch>(y), x));
  });
}

/// The whole message of the GraphError of a call, without the name of this file.
std::string errorOf(const std::function<void(Tensor<Batch>)> &call) {
  Program program;
  Size B = program.size("B", 64);
  try {
    program.function("f", [&](Function &f) { call(f.argument<float, Batch>("x", B)); });
  } catch (const GraphError &error) {
    std::string text = error.what();
    for (size_t at; (at = text.find(__FILE__)) != std::string::npos;)
      text.replace(at, sizeof(__FILE__), "line ");
    return text;
  }
  return "no error";
}
} // namespace

TEST(CustomOp, WithoutAnAdjointHasNoGradient) {
  unsigned definition = __LINE__ + 2, use = 0;
  const CustomOp<float(float)> op(
      {.name = "op", .body = [](auto x) { return x; }, .reference = [](double x) { return x; }});
  Program program;
  gradientThrough(program, op, use);
  EXPECT_EQ(diagnosticsOf(program),
            line(use) + "'op' has no adjoint, but a gradient is asked for through it\n" +
                line(definition) + "give its definition an adjoint\n");
}

TEST(CustomOp, AnAdjointMustHaveTheAxesOfItsOperand) {
  unsigned definition = __LINE__ + 1, use = 0;
  const CustomOp<float(float)> op({.name = "op",
                                   .body = [](auto x) { return x; },
                                   .reference = [](double x) { return x; },
                                   .adjoint = [](auto, auto, auto g) { return sum<Batch>(g); }});
  Program program;
  gradientThrough(program, op, use);
  EXPECT_EQ(diagnosticsOf(program),
            line(use) +
                "the adjoint of operand 1 of 'op' is '!axloom.tensor<f32>', expected the axes of "
                "the operand, '!axloom.tensor<batch: B, f32>', and no others than those of the "
                "result, '!axloom.tensor<batch: B, f32>'\n" +
                line(definition) + "'op' is defined here\n");
}

TEST(CustomOp, AnAdjointMustNotBeEmpty) {
  unsigned definition = __LINE__ + 1, use = 0;
  const CustomOp<float(float)> op({.name = "op",
                                   .body = [](auto x) { return x; },
                                   .reference = [](double x) { return x; },
                                   .adjoint = [](auto, auto, auto) { return AnyTensor(); }});
  Program program;
  gradientThrough(program, op, use);
  EXPECT_EQ(diagnosticsOf(program),
            line(use) +
                "the adjoint of operand 1 of 'op' is missing, expected a tensor for each "
                "floating-point operand\n" +
                line(definition) + "'op' is defined here\n");
}

TEST(CustomOp, AMistakeInsideAnAdjointIsToldWithItsLine) {
  unsigned mistake = 0, use = 0;
  const CustomOp<float(float)> op({.name = "op",
                                   .body = [](auto x) { return x; },
                                   .reference = [](double x) { return x; },
                                   .adjoint =
                                       [&](auto, auto, auto g) {
                                         mistake = __LINE__ + 1;
                                         return g * AnyTensor();
                                       }});
  Program program;
  gradientThrough(program, op, use);
  std::string found = diagnosticsOf(program);
  EXPECT_EQ(found, line(use) + "the adjoint of 'op' cannot be built\n" + line(mistake) +
                       "a tensor without a value; expected a result of an operation, found a "
                       "default-constructed tensor\n");
}

// Users may report mistakes of their own, in one sentence.
TEST(CustomOp, AnAdjointMayReportAMistake) {
  unsigned mistake = 0, use = 0;
  const CustomOp<float(float)> op({.name = "op",
                                   .body = [](auto x) { return x; },
                                   .reference = [](double x) { return x; },
                                   .adjoint = [&](auto, auto, auto) -> AnyTensor {
                                     mistake = __LINE__ + 1;
                                     throw GraphError(std::source_location::current(),
                                                      {.what = "it has no derivative"});
                                   }});
  Program program;
  gradientThrough(program, op, use);
  std::string found = diagnosticsOf(program);
  EXPECT_EQ(found, line(use) + "the adjoint of 'op' cannot be built\n" + line(mistake) +
                       "it has no derivative\n");
}

TEST(CustomOp, OneNameIsOneDefinition) {
  unsigned use = __LINE__ + 3;
  auto two = [](auto x) {
    scaling(2)(x);
    scaling(3)(x);
  };
  EXPECT_EQ(errorOf(two), "line " + std::to_string(use) +
                              ": error: custom op 'scaling' is defined twice\n"
                              "  expected: a name of its own for each definition\n"
                              "  found: another one at line " +
                              std::to_string(lineOfScaling) +
                              "\n"
                              "  to do: use another name, or one definition for both");
  EXPECT_EQ(errorOf([](auto x) { scaling(2)(scaling(2)(x)); }), "no error");
}

TEST(CustomOp, DefinitionsDifferByAdjointsAndReferencesToo) {
  EXPECT_THAT(errorOf([](auto x) { reversal(1, -2)(reversal(1, -3)(x)); }),
              HasSubstr("custom op 'reversal' is defined twice"));
  EXPECT_THAT(errorOf([](auto x) { reversal(1, -2)(reversal(2, -2)(x)); }),
              HasSubstr("custom op 'reversal' is defined twice"));
  EXPECT_EQ(errorOf([](auto x) { reversal(1, -2)(reversal(1, -2)(x)); }), "no error");
}

// To be compared, an adjoint is built where nothing stays.
TEST(CustomOp, ComparingAdjointsLeavesNothingInTheProgram) {
  std::function<AnyTensor(AnyTensor)> again;
  const CustomOp<float(float)> op({.name = "op",
                                   .body = [](auto x) { return x; },
                                   .reference = [](double x) { return x; },
                                   .adjoint =
                                       [&](auto x, auto, auto g) {
                                         auto noise =
                                             random(g, Randomness(constant(1), constant(2)));
                                         return g * again(x) * noise;
                                       }});
  again = [&](AnyTensor x) { return op(x); };
  Program program;
  Size B = program.size("B", 64);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch>("x", B);
    auto y = op(x);
    auto own = random(x, Randomness(constant(3), constant(4)));
    f.result<Batch>("y", op(y + own));
    EXPECT_EQ(graph::nextSite(Where::current()), 1);
  });
  std::string text = program.print();
  EXPECT_EQ(text.find("axloom.mul"), std::string::npos) << text;
  EXPECT_EQ(text.find("axloom.random"), text.rfind("axloom.random")) << text;
}

TEST(CustomOp, ABodyUsesItsOperandsAlone) {
  auto errorOfBody = [](std::function<Halide::Expr(Halide::Expr)> body) {
    std::string text = errorOf([&](auto x) {
      CustomOp<float(float)>({.name = "op", .body = body, .reference = [](double x) { return x; }})(
          x);
    });
    return text.substr(text.find("error: "));
  };
  std::string start = "error: the body of custom op 'op' cannot be compiled\n"
                      "  expected: an expression of its operands alone\n"
                      "  found: ",
              end = "\n  to do: compute the result from what the body is given";
  EXPECT_EQ(errorOfBody([](auto x) { return x + Halide::Var("elsewhere"); }),
            start + "the variable 'elsewhere', which is no operand" + end);
  EXPECT_EQ(errorOfBody([](auto) { return Halide::Expr(1); }),
            start + "int32, but an element is float32" + end);
  EXPECT_EQ(errorOfBody([](auto) { return Halide::Expr(); }),
            start + "no expression, but an element is float32" + end);
}

TEST(CustomOp, NeedsBodyReferenceAndName) {
  EXPECT_THAT(errorOf([](auto x) {
                CustomOp<float(float)>(
                    {.name = "op", .body = nullptr, .reference = [](double x) { return x; }})(x);
              }),
              HasSubstr("custom op 'op' has no body"));
  EXPECT_THAT(errorOf([](auto x) {
                CustomOp<float(float)>(
                    {.name = "op", .body = [](auto x) { return x; }, .reference = nullptr})(x);
              }),
              HasSubstr("custom op 'op' has no reference semantics"));
  EXPECT_THAT(errorOf([](auto x) {
                CustomOp<float(float)>({.name = "my op",
                                        .body = [](auto x) { return x; },
                                        .reference = [](double x) { return x; }})(x);
              }),
              HasSubstr("the name of a custom op is no identifier\n"
                        "  expected: letters, digits and underscores, with no digit first\n"
                        "  found: 'my op'"));
}
