#include "tests/system/random/Generator.h"

#include "tests/support/Gradients.h"
#include "tests/system/random/Makers.h"

#include <cmath>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

static Sizes randomSizes(Random &random, const GeneratorOptions &options) {
  constexpr int64_t narrow[] = {1, 2, 3, 5, 7, 9, 17}, wide[] = {1, 2, 3, 16, 17, 33, 65};
  Sizes sizes;
  for (const char *symbol : {"B", "S", "T"})
    sizes.symbols[symbol] = (options.wide ? wide : narrow)[random() % std::size(narrow)];
  if (options.ragged) {
    int64_t longest = sizes.symbols["S"];
    std::vector<int64_t> &lengths = sizes.lengths["S"];
    for (int64_t i = 0; i < sizes.symbols["B"]; ++i)
      lengths.push_back(static_cast<int64_t>(random() % (longest + 1)));
    lengths.back() = longest;
  }
  return sizes;
}

static Program emptyProgram(Graphs &graphs, Sizes sizes) {
  Location location = UnknownLoc::get(&graphs.context());
  Program program{ModuleOp::create(location), {std::move(sizes), {}, {}}};
  OpBuilder builder = OpBuilder::atBlockEnd(program.module->getBody());
  for (auto &[symbol, extent] : program.inputs.sizes.symbols)
    ir::SizeOp::create(builder, location, symbol, 128);
  auto function = func::FuncOp::create(builder, location, "f", builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  func::ReturnOp::create(builder, location);
  return program;
}

static std::string modelAxis(const GeneratorOptions &options) {
  return options.wide ? "model: 48" : "model: 6";
}

/// Some of the axes that programs draw from.
static std::string randomAxes(Pool &pool, const GeneratorOptions &options) {
  const std::string position = options.ragged ? "position: S[batch]" : "position: S";
  const std::pair<std::string, double> axes[] = {{"batch: B", 0.6},
                                                 {position, 0.5},
                                                 {"key: T", 0.2},
                                                 {modelAxis(options), 0.6},
                                                 {options.wide ? "hidden: 33" : "hidden: 5", 0.3}};
  std::string text;
  for (auto &[axis, probability] : axes) {
    bool partnerMissing = axis == "position: S[batch]" && text.empty();
    if (!partnerMissing && pool.chance(probability))
      text += axis + ", ";
  }
  return text;
}

static void addArguments(Pool &pool, const GeneratorOptions &options) {
  for (int64_t count = 2 + pool.below(3); count > 0; --count)
    pool.addArgument(randomAxes(pool, options) + "f32", uniform(-2, 2));
  if (pool.chance(0.5))
    pool.addArgument(modelAxis(options) + ", vocab: 11, f32", uniform(-1, 1));
  pool.addArgument(randomAxes(pool, options) + "i1", mask(0.7));
  pool.addArgument(randomAxes(pool, options) + "i32", integers(0, 5));
}

/// Two in three are of the type of the one before, so that one can take the value of another.
static void addVariables(Pool &pool, const GeneratorOptions &options) {
  std::string axes;
  for (int64_t count = pool.below(4); count > 0; --count) {
    if (axes.empty() || pool.chance(0.3))
      axes = modelAxis(options) + (pool.chance(0.5) ? ", vocab: 11, " : ", ");
    pool.addVariable(axes + "f32", uniform(-2, 2));
  }
}

/// Most variables get a value that has their type: an argument, an old value, or a computed one.
static void writeVariables(Pool &pool, Program &program) {
  for (auto variable : program.module->getOps<ir::VariableOp>()) {
    Value value = pool.pick([&](Value v) { return v.getType() == variable.getType(); });
    if (pool.chance(0.8))
      ir::WriteOp::create(pool.builder, pool.builder.getUnknownLoc(), variable.getSymName(), value);
  }
}

/// All values that nothing uses become results, and some of those that variables get.
static void returnLeaves(Pool &pool, Program &program) {
  std::vector<Value> leaves;
  for (Operation *op : program.ops()) {
    bool isLeaf = op->getNumResults() > 0 && llvm::all_of(op->getUsers(), [](Operation *user) {
                    return llvm::isa<ir::WriteOp>(user);
                  });
    if (isLeaf && (op->use_empty() || pool.chance(0.5)))
      leaves.push_back(op->getResult(0));
  }
  program.setResults(leaves);
}

/// Whether gradients are of a size that f32 tolerances are meant for.
static bool hasSaneGradients(Graphs &graphs, Program &program) {
  Program withGradients = program.clone();
  func::FuncOp gradient = addGradientFunction(withGradients.function());
  if (!gradient)
    return false; // only masks or integers come out
  Random weights(1);
  FailureOr<Outputs> outputs = InterpreterExecutor(graphs).run(
      *withGradients.module, gradient.getName(), gradientInputs(gradient, program.inputs, weights));
  if (failed(outputs)) {
    graphs.takeErrors();
    return true; // a program that shows a mistake, which the checker is to report
  }
  return llvm::all_of(outputs->results, [](const Array &array) {
    return llvm::all_of(array.values, [](double g) { return std::abs(g) <= 1000; });
  });
}

static Program attempt(Graphs &graphs, Random &random, const GeneratorOptions &options) {
  Program program = emptyProgram(graphs, randomSizes(random, options));
  Pool pool(graphs, program, random);
  addArguments(pool, options);
  addVariables(pool, options);
  const std::vector<std::vector<Maker>> groups = {pointwiseMakers(), structureMakers(),
                                                  compositeMakers()};
  size_t wanted = 5 + pool.below(11);
  for (int tries = 0; program.ops().size() < wanted && tries < 200; ++tries) {
    // Pointwise, structure, composite: 5 : 4 : 2.
    int64_t draw = pool.below(11);
    const std::vector<Maker> &makers = groups[draw < 5 ? 0 : draw < 9 ? 1 : 2];
    pool.tryAdd(makers[pool.below(makers.size())]);
  }
  writeVariables(pool, program);
  returnLeaves(pool, program);
  program.dropUnused();
  return program;
}

Program test::generate(Graphs &graphs, uint64_t seed, const GeneratorOptions &options) {
  Random random(seed);
  while (true) {
    Program program = attempt(graphs, random, options);
    if (program.ops().size() >= 5 && hasSaneGradients(graphs, program))
      return program;
  }
}
