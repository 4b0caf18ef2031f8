#include "tests/frontend/Build.h"

#include "frontend/GraphInternal.h"

#include "mlir/IR/Verifier.h"

namespace axloom {
namespace {

std::string lineWith(const std::string &text, const std::string &what) {
  std::size_t at = text.find(what);
  if (at == std::string::npos)
    return "no line with " + what;
  std::size_t begin = text.rfind('\n', at) + 1;
  return shortened(text.substr(begin, text.find('\n', at) - begin));
}

TEST(Program, DeclaresSizesInOrder) {
  Program program;
  program.size("S", 512);
  program.parameter<Depth>("weight", init::zeros(), 8);
  program.size("B", 64);
  std::string text = program.print();
  EXPECT_EQ(lineWith(text, "@S"), "  size @S max 512");
  EXPECT_LT(text.find("@S"), text.find("@B"));
  EXPECT_LT(text.find("@B"), text.find("@weight"));
}

TEST(Program, DeclaresVariablesBeforeFunctions) {
  Program program;
  program.function("f", [&](Function &f) {
    f.result<Depth>("y", program.parameter<Depth>("weight", init::zeros(), 8));
  });
  std::string text = program.print();
  EXPECT_LT(text.find("variable \"parameter\" @weight"), text.find("func.func @f"));
}

TEST(Program, NamesParametersByTheirScopes) {
  Program program;
  Scope layer = program.scope("encoder").scope(3);
  auto weight = layer.scope("query").parameter<Width, Depth>("weight", init::uniform(-1, 2), 4, 8);
  EXPECT_EQ(weight.name(), "encoder.3.query.weight");
  EXPECT_EQ(lineWith(program.print(), "@encoder.3.query.weight"),
            "  variable \"parameter\" @encoder.3.query.weight -> <depth: 8, width: 4, f32> order "
            "[\"width\", \"depth\"] init {high = 2.000000e+00 : f64, kind = \"uniform\", low = "
            "-1.000000e+00 : f64}");
}

TEST(Program, KeepsStatesAndSessionVariables) {
  Program program;
  Size B = program.size("B", 64);
  program.state<int>("step", init::constant(3));
  program.session<float, Key, Batch>("cache", 128, B);
  EXPECT_EQ(lineWith(program.print(), "@step"),
            "  variable \"state\" @step -> <i32> order [] init {kind = \"constant\", value = "
            "3.000000e+00 : f64}");
  EXPECT_EQ(lineWith(program.print(), "@cache"),
            "  variable \"session\" @cache -> <batch: B, key: 128, f32> order [\"key\", "
            "\"batch\"] init {kind = \"zeros\"}");
  EXPECT_TRUE(program.parameters().empty());
}

TEST(Program, FunctionsHaveNamedArgumentsAndResultsInTheirOrder) {
  Program program;
  Size B = program.size("B", 64);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Position, Batch>("x", 7, B);
    f.result<Position, Batch>("doubled", x * 2);
    f.result("total", sum<Batch, Position>(x));
  });
  EXPECT_EQ(lineWith(program.print(), "func.func"),
            "  func.func @f(%arg0: <batch: B, position: 7, f32> {name = \"x\", order = "
            "[\"position\", \"batch\"]}) -> (<batch: B, position: 7, f32> {name = \"doubled\", "
            "order = [\"position\", \"batch\"]}, <f32> {name = \"total\", order = []}) {");
}

TEST(Program, ReadsAVariableOnceAndWritesIt) {
  Program program;
  auto count = program.state<int>("count", init::zeros());
  program.function("f", [&](Function &f) {
    assign(count, count + 1);
    f.result("before", count);
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = constant 1 : i32 -> <i32>
%1 = read @count -> <i32>
%2 = add %1, %0 -> <i32>
write @count, %2 -> <i32>
)");
  EXPECT_NE(program.print().find("return %1"), std::string::npos) << "the value at entry";
}

TEST(Program, GradientsWithRespectToTensorsAndParameters) {
  Program program;
  program.parameter<Depth>("weight", init::ones(), 8);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Depth>("x", 8);
    auto loss = sum<Depth>(x * x);
    f.result<Depth>("dx", gradient(loss, x));
    f.result<Depth>("dw", gradient(loss, program.parameters()).at(0));
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = mul %arg0, %arg0 -> <depth: 8, f32>
%1 = reduce "sum" %0 over ["depth"] -> <f32>
%2 = gradient %1 wrt(%arg0) -> <depth: 8, f32>
%3 = read @weight -> <depth: 8, f32>
%4 = gradient %1 wrt(%3) -> <depth: 8, f32>
)");
}

TEST(Program, OpsCarryTheUsersLine) {
  Program program;
  unsigned line = 0;
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Depth>("x", 8);
    line = __LINE__ + 1;
    f.result<Depth>("y", exp(x) + 1);
  });
  moduleOf(program).walk([&](mlir::Operation *op) {
    auto place = mlir::dyn_cast<mlir::FileLineColLoc>(op->getLoc());
    if (op->getDialect()->getNamespace() == "axloom") {
      EXPECT_EQ(place.getFilename(), Where::current().file_name());
      EXPECT_EQ(place.getLine(), line);
    }
  });
}

TEST(Program, SizesMayBeRaggedOrProducts) {
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 512);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch, Position>("x", B, S.raggedOver<Batch>());
    EXPECT_EQ(size<Position>(x).print(), "S[batch]");
    auto y = f.argument<float, Width>("y", 2 * B * S);
    EXPECT_EQ(size<Width>(y), 2 * B * S);
    f.result<Batch, Position>("z", x * 2);
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = constant 2.000000e+00 : f32 -> <f32>
%1 = mul %arg0, %0 -> <batch: B, position: S[batch], f32>
)");
}

TEST(Program, MeansOfRaggedAxesCountEachEntry) {
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 512);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch, Position, Depth>("x", B, S.raggedOver<Batch>(), 8);
    mean<Position>(x);
    mean<Depth, Position, Batch>(x);
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = reduce "sum" %arg0 over ["position"] -> <batch: B, depth: 8, f32>
%1 = size_of <S[batch]> entries <B> -> <batch: B, f32>
%2 = constant 1.000000e+00 : f32 -> <f32>
%3 = maximum %1, %2 -> <batch: B, f32>
%4 = div %0, %3 -> <batch: B, depth: 8, f32>
%5 = reduce "sum" %arg0 over ["depth", "position", "batch"] -> <f32>
%6 = size_of <S[batch]> entries <B> -> <batch: B, f32>
%7 = reduce "sum" %6 over ["batch"] -> <f32>
%8 = constant 8.000000e+00 : f32 -> <f32>
%9 = mul %7, %8 -> <f32>
%10 = constant 1.000000e+00 : f32 -> <f32>
%11 = maximum %9, %10 -> <f32>
%12 = div %5, %11 -> <f32>
)");
}

TEST(Program, MeansOfTwoRaggedAxesCountTheirProduct) {
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 512), T = program.size("T", 512);
  program.function("f", [&](Function &f) {
    auto x =
        f.argument<float, Batch, Query, Key>("x", B, S.raggedOver<Batch>(), T.raggedOver<Batch>());
    mean<Query, Key>(x);
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = reduce "sum" %arg0 over ["query", "key"] -> <batch: B, f32>
%1 = size_of <S*T[batch]> entries <B> -> <batch: B, f32>
%2 = constant 1.000000e+00 : f32 -> <f32>
%3 = maximum %1, %2 -> <batch: B, f32>
%4 = div %0, %3 -> <batch: B, f32>
)");
}

// Along an axis that a mask lacks, it shows each entry whole.
TEST(Program, MaskedMeansOfRaggedAxesCountWhatIsVisible) {
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 512);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch, Position, Depth>("x", B, S.raggedOver<Batch>(), 8);
    auto real = f.argument<bool, Batch>("real", B);
    mean<Position, Batch>(where(real, x));
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = constant 0.000000e+00 : f32 -> <f32>
%1 = select %arg1, %arg0, %0 -> <batch: B, depth: 8, position: S[batch], f32>
%2 = reduce "sum" %1 over ["position", "batch"] -> <depth: 8, f32>
%3 = cast %arg1 to f32 -> <batch: B, f32>
%4 = size_of <S[batch]> entries <B> -> <batch: B, f32>
%5 = mul %3, %4 -> <batch: B, f32>
%6 = reduce "sum" %5 over ["batch"] -> <f32>
%7 = constant 1.000000e+00 : f32 -> <f32>
%8 = maximum %6, %7 -> <f32>
%9 = div %2, %8 -> <depth: 8, f32>
)");
}

TEST(Program, IsAValidModule) {
  Program program;
  Size B = program.size("B", 64);
  auto weight = program.parameter<Width, Depth>("weight", init::normal(0, 1), 4, 8);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch, Depth>("x", B, 8);
    f.result<Batch, Width>("y", contract<Depth>(x, weight));
  });
  EXPECT_TRUE(mlir::succeeded(mlir::verify(moduleOf(program))));
}

TEST(Program, AssignmentsWithinWhenCountWhereAllMasksHold) {
  Program program;
  auto weight = program.parameter<Depth>("weight", init::ones(), 8);
  auto steps = program.state<int>("steps", init::zeros());
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Depth>("x", 8);
    when(steps > 2, [&] {
      when(f.argument<bool>("wanted"), [&] { assign(weight, x); });
      assign(steps, steps - 2);
    });
  });
  program.function("g", [&](Function &f) { assign(steps, f.argument<int>("n")); });
  EXPECT_EQ(bodyOf(program, "f"), R"(
%0 = constant 2 : i32 -> <i32>
%1 = read @steps -> <i32>
%2 = compare "gt" %1, %0 -> <i1>
%3 = and %2, %arg1 -> <i1>
%4 = read @weight -> <depth: 8, f32>
%5 = select %3, %arg0, %4 -> <depth: 8, f32>
write @weight, %5 -> <depth: 8, f32>
%6 = constant 2 : i32 -> <i32>
%7 = sub %1, %6 -> <i32>
%8 = select %2, %7, %1 -> <i32>
write @steps, %8 -> <i32>
)");
  EXPECT_EQ(bodyOf(program, "g"), R"(
write @steps, %arg0 -> <i32>
)");
}

} // namespace
} // namespace axloom
