#include "tests/codegen/support/KernelCheck.h"

#include "ir/Factors.h"
#include "ir/reference/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;
using ir::reference::Array;
using ir::reference::Sizes;

std::vector<std::map<std::string, int64_t>> test::oddSizes(const std::vector<std::string> &names) {
  const int64_t odd[] = {1, 2, 7, 17, 63, 65};
  std::vector<std::map<std::string, int64_t>> runs;
  for (size_t i = 0; i < std::size(odd); ++i) {
    std::map<std::string, int64_t> run;
    for (size_t k = 0; k < names.size(); ++k)
      run[names[k]] = odd[(i * (k + 1) + k) % std::size(odd)];
    runs.push_back(run);
  }
  return runs;
}

KernelCheck::KernelCheck(std::vector<KernelCase> given, codegen::CompileOptions options,
                         const codegen::Target &target)
    : cases(std::move(given)) {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, ir::AxloomDialect>();
  ir::reference::registerModels(registry);
  context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  for (const KernelCase &entry : cases) {
    modules.push_back(parseSourceString<ModuleOp>(entry.text, context.get()));
    if (!modules.back()) {
      std::fprintf(stderr, "case %s does not parse\n", entry.name.c_str());
      std::abort();
    }
    modules.back()->walk([&](ir::KernelOp kernel) { kernels.push_back(kernel); });
  }
  runners = KernelRunner::compile(kernels, options, target);
}

KernelCheck::~KernelCheck() = default;

std::vector<Array> KernelCheck::randomInputs(size_t index, const Sizes &sizes) {
  const KernelCase &entry = cases[index];
  std::mt19937 generator(7);
  std::vector<Array> inputs;
  for (Value input : kernels[index].getInputs()) {
    auto type = ir::tensorType(input);
    Array array = type.isScalar() ? Array(0.0) : Array(type.getAxes(), sizes);
    for (double &value : array.values) {
      double uniform = generator() / 4294967296.0;
      if (type.getElementType().isInteger(1))
        value = uniform < 0.6;
      else if (type.getElementType().isInteger(32))
        value = std::floor(uniform * entry.limit);
      else
        value = ir::roundedFactor(entry.low + uniform * (entry.high - entry.low),
                                  type.getElementType());
    }
    inputs.push_back(std::move(array));
  }
  return inputs;
}

void KernelCheck::check(size_t index) {
  const KernelCase &entry = cases[index];
  for (const auto &symbols : entry.sizes) {
    std::string where = entry.name;
    for (const auto &[name, value] : symbols)
      where += " " + name + "=" + std::to_string(value);
    SCOPED_TRACE(where);
    Sizes sizes{symbols, {}};
    std::vector<Array> inputs = randomInputs(index, sizes);
    std::vector<const Array *> operands;
    for (const Array &input : inputs)
      operands.push_back(&input);
    auto expected = ir::reference::evaluate(kernels[index], operands, sizes);
    ASSERT_TRUE(succeeded(expected));
    std::vector<Array> found = runners[index]->run(inputs, sizes);
    ASSERT_EQ(found.size(), expected->size());
    for (size_t r = 0; r < found.size(); ++r) {
      ASSERT_EQ(found[r].values.size(), (*expected)[r].values.size());
      for (size_t i = 0; i < found[r].values.size(); ++i) {
        double want = (*expected)[r].values[i], have = found[r].values[i];
        double allowed = entry.tolerance * std::max(1.0, std::abs(want));
        bool isClose = std::isfinite(want) && std::abs(want - have) <= allowed;
        ASSERT_TRUE(isClose || want == have || (std::isnan(want) && std::isnan(have)))
            << "result " << r << ", element " << i << " of " << found[r].values.size()
            << ": expected " << want << ", found " << have;
      }
    }
  }
}

bool test::runsHere(const codegen::Target &target) {
  return target.features.size() <= codegen::Target::host().features.size();
}

void test::checkNamed(llvm::ArrayRef<KernelCase> cases,
                      std::initializer_list<llvm::StringRef> names, const codegen::Target &target) {
  std::vector<KernelCase> some;
  for (const KernelCase &entry : cases)
    if (llvm::is_contained(names, entry.name))
      some.push_back(entry);
  ASSERT_EQ(some.size(), names.size());
  KernelCheck check(some, {}, target);
  for (size_t i = 0; i < some.size(); ++i)
    check.check(i);
}
