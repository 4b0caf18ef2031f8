// Predicted times and bytes checked by hand, formulas, source lines and reasons, as users read
// them.

#include "codegen/driver/Compiler.h"
#include "tests/codegen/support/FakeBackend.h"
#include "tests/support/Graphs.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// x [B, 64] times w [64, 128], then a softmax over rows of 128.
static const char *const product = R"(
axloom.size @B max 64
func.func @f(%x: !axloom.tensor<batch: B, model: 64, f32> {axloom.name = "x", axloom.order = ["batch", "model"]},
             %w: !axloom.tensor<model: 64, out: 128, f32> {axloom.name = "w", axloom.order = ["model", "out"]})
    -> (!axloom.tensor<batch: B, out: 128, f32> {axloom.name = "y", axloom.order = ["batch", "out"]}) {
  %y = axloom.contract %x, %w over ["model"] : !axloom.tensor<batch: B, model: 64, f32>, !axloom.tensor<model: 64, out: 128, f32> -> !axloom.tensor<batch: B, out: 128, f32> loc("model/model.cpp":40:3)
  %p = axloom.softmax %y over "out" : !axloom.tensor<batch: B, out: 128, f32> -> !axloom.tensor<batch: B, out: 128, f32> loc("model/model.cpp":52:3)
  return %p : !axloom.tensor<batch: B, out: 128, f32>
})";

namespace {
class ExplainTest : public testing::Test {
protected:
  ExplainTest() {
    options.name = "demo";
    options.target = Target::host();
    options.target.name = "fake";
    options.question.machine = {1, 1}; // so that numbers are checked by hand
  }

  std::string explained(llvm::StringRef text, std::vector<std::string> sizes = {},
                        const std::string &line = "") {
    options.question.sizes = std::move(sizes);
    options.question.line = line;
    FakeBackend backend(objects.path(),
                        {{"contraction", {}}, {"reduction", {}}, {"pointwise", {}}});
    return explainedBy(backend, text);
  }

  std::string explainedBy(Backend &backend, llvm::StringRef text) {
    auto module = graphs.parse(text);
    mlir::FailureOr<std::string> answer = Compiler(options, backend).print(*module, Stage::Explain);
    std::string errors = graphs.takeErrors();
    EXPECT_EQ(errors, "");
    return succeeded(answer) ? *answer : errors;
  }

  CompilerOptions options;
  TemporaryFolder objects;
  Graphs graphs;
};
} // namespace

// 32 * 64 * 128 = 262,144 multiply-adds are 0.000524 GFLOP: 0.5243 ms at 1 GFLOP/s. It reads
// 4 * (32 * 64 + 64 * 128) = 40,960 bytes and writes 4 * 32 * 128 = 16,384: 0.0573 ms at 1 GB/s, so
// products are the limit. The softmax reads and writes 16,384 bytes: 0.0328 ms.
TEST_F(ExplainTest, NumbersOfAMatrixProduct) {
  EXPECT_EQ(explained(product, {"B=32"}),
            R"(model demo for fake at B=32; the machine: 1 GFLOP/s, 1 GB/s
off: fuse-horizontal (several narrow contractions are as fast on the target as a wide one)

function f: 2 launches, arena 0.01638 MB
  at least 0.5571 ms: 0.0005243 GFLOP in products, 0.05734 MB read, 0.03277 MB written
  ms at least   share  limit        GFLOP   MB read  MB written  kernel
       0.5243   94.1 %  products 0.0005243   0.04096     0.01638  f.0.contraction, fake
      model.cpp:40  contract
      0.03277    5.9 %  memory           0   0.01638     0.01638  f.1.reduction, fake
      model.cpp:52  softmax
      - model.cpp:52: softmax is no attention: no contraction over 'out' alone takes its weights, through dropout at most
      - model.cpp:52: softmax is not part of f.0.contraction: behind a contraction, only layer_norm goes along rows
)");
}

// 57,344 bytes take 0.5734 ms at 0.1 GB/s.
TEST_F(ExplainTest, TheSlowerOfProductsAndMemoryIsTheLimit) {
  options.question.machine.bandwidth = 0.1;
  EXPECT_THAT(explained(product, {"B=32"}),
              HasSubstr("       0.5734   63.6 %  memory   0.0005243"));
}

// 0.0005243 GFLOP take half of 0.5243 ms at 2 GFLOP/s.
TEST_F(ExplainTest, ProductsOfBf16HaveAPeakOfTheirOwn) {
  options.passes.brainFloatFactors = true;
  options.target.traits.brainFloatFactors = 2;
  options.question.machine.bf16Gflops = 2;
  EXPECT_THAT(explained(product, {"B=32"}),
              AllOf(HasSubstr("the machine: 1 GFLOP/s, 2 of bf16, 1 GB/s\n"),
                    HasSubstr("       0.2621   88.9 %  products 0.0005243   0.04096")));
  EXPECT_THAT(explained(product), HasSubstr("      multiply-adds of bf16: 8192*B\n"));
}

TEST_F(ExplainTest, FormulasWithoutSizes) {
  EXPECT_THAT(explained(product), HasSubstr(R"(
function f: 2 launches, arena 0.03277 MB with all sizes at their maxima
  f.0.contraction, fake
      multiply-adds: 8192*B
      bytes read: 32768 + 256*B
      bytes written: 512*B
      model.cpp:40  contract
  f.1.reduction, fake
      bytes read: 512*B
      bytes written: 512*B
      model.cpp:52  softmax
)"));
}

namespace {
using Change = void (*)(CompiledKernel &);

/// Describes contractions as a test has it.
class ChangingBackend : public FakeBackend {
public:
  ChangingBackend(const std::string &folder, const FakeKernel &contraction, Change change)
      : FakeBackend(folder, {{"contraction", contraction}, {"reduction", {}}}), change(change) {}

  mlir::FailureOr<std::vector<CompiledKernel>> compile(llvm::ArrayRef<ir::KernelOp> ops,
                                                       const Target &target,
                                                       const CompileOptions &options) override {
    auto kernels = FakeBackend::compile(ops, target, options);
    for (CompiledKernel &kernel : *kernels)
      if (kernel.name == "contraction")
        change(kernel);
    return kernels;
  }

private:
  Change change;
};

constexpr int right = 1, result = 2, scratch = 3; // operands of the contraction
} // namespace

/// Packs the right operand in a kernel of its own.
static void pack(CompiledKernel &kernel) {
  kernel.operands[scratch].access = Access::Read;
  CompiledKernel packing{.name = "packing", .family = "packing"};
  packing.operands = {kernel.operands[right], kernel.operands[scratch]};
  packing.operands.back().access = Access::Write;
  kernel.operands[right].access = Access::None;
  kernel.preparations = {
      {scratch, right, std::make_shared<const CompiledKernel>(std::move(packing)), "packed"}};
}

// The 32,768 bytes of a weight are read and written where it is packed, and read once where it is
// multiplied.
TEST_F(ExplainTest, APackedWeightIsReadInsteadOfTheWeight) {
  auto fixed = [&](int64_t size) -> Dimension {
    return {ir::SizeAttr::fixed(&graphs.context(), size)};
  };
  ChangingBackend backend(objects.path(), {.scratch = {{fixed(64), fixed(128)}}}, pack);
  std::string answer = explainedBy(backend, product);
  EXPECT_THAT(answer, HasSubstr(R"(packing
      bytes read: 32768
      bytes written: 32768
)"));
  EXPECT_THAT(answer, HasSubstr(R"(f.0.contraction, fake
      multiply-adds: 8192*B
      bytes read: 32768 + 256*B
      bytes written: 512*B
)"));
}

// What is touched in rows, another operand has. 512 bytes of a row of the result are written as
// zeros before.
TEST_F(ExplainTest, RowsAreNoBytesOfTheirOwnAndZerosAreWrittenToo) {
  ChangingBackend backend(objects.path(), {}, [](CompiledKernel &kernel) {
    kernel.operands[right].inRows = true;
    kernel.operands[result].isZeroed = true;
  });
  EXPECT_THAT(explainedBy(backend, product), HasSubstr(R"(f.0.contraction, fake
      multiply-adds: 8192*B
      bytes read: 256*B
      bytes written: 1024*B
)"));
}

TEST_F(ExplainTest, OneLine) {
  EXPECT_THAT(explained(product, {}, "some/where/model.cpp:40"),
              AllOf(HasSubstr("function f: 1 launch of model.cpp:40"), HasSubstr("f.0.contraction"),
                    Not(HasSubstr("f.1.reduction"))));
  EXPECT_THAT(explained(product, {}, "model.cpp:41"),
              HasSubstr("\nno kernel holds an op of model.cpp:41: no op stands there, or it was "
                        "folded, merged with an equal one of another line, or is not used\n"));
  EXPECT_EQ(problemWithLine("model.cpp"), "--line is 'model.cpp', expected FILE:NUMBER");
}

// Two layers from one line, with the same sizes, do the same.
TEST_F(ExplainTest, EqualLaunchesAreOneEntry) {
  const char *const layers = R"(
axloom.size @B max 64
func.func @f(%x: !axloom.tensor<batch: B, model: 64, f32> {axloom.name = "x", axloom.order = ["batch", "model"]})
    -> (!axloom.tensor<batch: B, model: 64, f32> {axloom.name = "y", axloom.order = ["batch", "model"]}) {
  %s = axloom.reduce "sum" %x over ["batch"] : !axloom.tensor<batch: B, model: 64, f32> -> !axloom.tensor<model: 64, f32> loc("model.cpp":7:3)
  %a = axloom.sub %x, %s : !axloom.tensor<batch: B, model: 64, f32>, !axloom.tensor<model: 64, f32> -> !axloom.tensor<batch: B, model: 64, f32> loc("model.cpp":8:3)
  %t = axloom.reduce "sum" %a over ["batch"] : !axloom.tensor<batch: B, model: 64, f32> -> !axloom.tensor<model: 64, f32> loc("model.cpp":7:3)
  %b = axloom.sub %a, %t : !axloom.tensor<batch: B, model: 64, f32>, !axloom.tensor<model: 64, f32> -> !axloom.tensor<batch: B, model: 64, f32> loc("model.cpp":8:3)
  return %b : !axloom.tensor<batch: B, model: 64, f32>
})";
  EXPECT_THAT(explained(layers), AllOf(HasSubstr("function f: 4 launches"),
                                       HasSubstr("  f.0.reduction and 1 more, fake\n"),
                                       HasSubstr("  f.1.pointwise and 1 more, fake\n")));
}

// Updates of two variables in one launch: 4 * (8 + 12) bytes of each of variable and gradient are
// read, and of the variable written.
TEST_F(ExplainTest, KernelsOfAGroupAreOneLaunch) {
  const char *const updates = R"(
axloom.variable "parameter" @a : !axloom.tensor<model: 8, f32> order ["model"] init {kind = "zeros"}
axloom.variable "parameter" @b : !axloom.tensor<column: 3, row: 4, f32> order ["row", "column"] init {kind = "zeros"}
func.func @f(%da: !axloom.tensor<model: 8, f32> {axloom.name = "da", axloom.order = ["model"]},
             %db: !axloom.tensor<column: 3, row: 4, f32> {axloom.name = "db", axloom.order = ["row", "column"]}) {
  %a = axloom.read @a : !axloom.tensor<model: 8, f32>
  %b = axloom.read @b : !axloom.tensor<column: 3, row: 4, f32>
  %na = axloom.sub %a, %da : !axloom.tensor<model: 8, f32>, !axloom.tensor<model: 8, f32> -> !axloom.tensor<model: 8, f32> loc("model.cpp":9:3)
  %nb = axloom.sub %b, %db : !axloom.tensor<column: 3, row: 4, f32>, !axloom.tensor<column: 3, row: 4, f32> -> !axloom.tensor<column: 3, row: 4, f32> loc("model.cpp":9:3)
  axloom.write @a, %na : !axloom.tensor<model: 8, f32>
  axloom.write @b, %nb : !axloom.tensor<column: 3, row: 4, f32>
  return
})";
  EXPECT_THAT(explained(updates),
              AllOf(HasSubstr("model demo for fake; the machine: 1 GFLOP/s, 1 GB/s\n"),
                    HasSubstr("function f: 1 launch, "),
                    HasSubstr("0.00016 MB read, 8e-05 MB written\n"),
                    HasSubstr("f.0.pointwise with 1 more, fake\n      model.cpp:9  2 sub\n")));
}

// What is written to a variable without a kernel is copied: 4 * 8 bytes read, as many written.
TEST_F(ExplainTest, CopiesAndVariables) {
  const char *const copies = R"(
axloom.variable "state" @last : !axloom.tensor<model: 8, f32> order ["model"] init {kind = "zeros"}
func.func @f(%x: !axloom.tensor<model: 8, f32> {axloom.name = "x", axloom.order = ["model"]}) {
  axloom.write @last, %x : !axloom.tensor<model: 8, f32> loc("model.cpp":9:3)
  return
})";
  EXPECT_THAT(explained(copies),
              AllOf(HasSubstr("state variables: 3.2e-05 MB\n"),
                    HasSubstr("  copy to 'last', copy\n"),
                    HasSubstr("      - model.cpp:9: the new value of variable 'last' is copied at "
                              "the end: no kernel computes it\n")));
}

TEST_F(ExplainTest, OptimizationsThatAreOff) {
  options.passes.disabled = {"fuse-epilogues"};
  EXPECT_THAT(explained(product),
              AllOf(HasSubstr("off: fuse-epilogues (--disable=fuse-epilogues)\n"),
                    HasSubstr("softmax is not part of f.0.contraction: fuse-epilogues is off\n")));
}

// Listening changes nothing.
TEST_F(ExplainTest, RemarksLeaveTheGraphAsItIs) {
  auto planned = [&](bool listens) {
    auto module = graphs.parse(product);
    std::optional<passes::RemarkLog> log;
    if (listens)
      log.emplace(graphs.context());
    FakeBackend backend(objects.path(), {});
    EXPECT_TRUE(succeeded(Compiler(options, backend).print(*module, Stage::Planned)));
    EXPECT_EQ(log && !log->remarks.empty(), listens);
    return print(*module);
  };
  EXPECT_EQ(planned(false), planned(true));
}
