#include "tests/support/OpCases.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Value CaseBuilder::constant(double number) {
  return op<ir::ConstantOp>(builder.getF32FloatAttr(number))[0];
}

Value CaseBuilder::integer(int32_t number) {
  return op<ir::ConstantOp>(builder.getI32IntegerAttr(number))[0];
}

ir::SizeAttr CaseBuilder::size(StringRef text) {
  return graphs.type(("axis: " + text + ", f32").str()).sizeOf("axis");
}

const std::vector<OpCase> &test::opCases() {
  static const std::vector<OpCase> cases = [] {
    std::vector<OpCase> all;
    addPointwiseCases(all);
    addStructureCases(all);
    addCompositeCases(all);
    return all;
  }();
  return cases;
}

std::string test::caseName(const testing::TestParamInfo<size_t> &info) {
  const OpCase &opCase = opCases()[info.param];
  std::string name = std::to_string(info.param) + "_" + opCase.op + "_" + opCase.name;
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

static void collectSymbols(Type type, std::set<std::string> &symbols) {
  for (const ir::Axis &axis : llvm::cast<ir::NamedTensorType>(type).getAxes())
    for (StringAttr symbol : axis.size().getSymbols())
      symbols.insert(symbol.str());
}

static std::set<std::string> symbolsOf(func::FuncOp function) {
  std::set<std::string> symbols;
  for (Type type : function.getArgumentTypes())
    collectSymbols(type, symbols);
  function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      collectSymbols(type, symbols);
  });
  return symbols;
}

/// Gives every argument and result a name and a physical order, as the frontend does.
static void name(func::FuncOp function) {
  Builder builder(function.getContext());
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    function.setArgAttr(number, "axloom.name", builder.getStringAttr("x" + Twine(number)));
    function.setArgAttr(number, "axloom.order", declaredOrder(type));
  }
  for (auto [number, type] : llvm::enumerate(function.getResultTypes())) {
    function.setResultAttr(number, "axloom.name", builder.getStringAttr("result" + Twine(number)));
    function.setResultAttr(number, "axloom.order", declaredOrder(type));
  }
}

OwningOpRef<ModuleOp> test::build(Graphs &graphs, const OpCase &opCase) {
  Location location = UnknownLoc::get(&graphs.context());
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  SmallVector<Type> types;
  for (const Argument &argument : opCase.arguments)
    types.push_back(graphs.type(argument.type));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto function = func::FuncOp::create(builder, location, "f", builder.getFunctionType(types, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  CaseBuilder caseBuilder(graphs, *module, builder);
  SmallVector<Value> results = opCase.build(caseBuilder, body->getArguments());
  builder.setInsertionPointToEnd(body);
  func::ReturnOp::create(builder, location, results);
  function.setType(builder.getFunctionType(types, ValueRange(results).getTypes()));
  name(function);

  builder.setInsertionPointToStart(module->getBody());
  for (const std::string &symbol : symbolsOf(function))
    ir::SizeOp::create(builder, location, symbol, 128);
  return module;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// For a ragged size, the extent of its partner axis, by the name that lengths go under.
static std::map<std::string, int64_t> raggedPartners(func::FuncOp function, const Sizes &sizes) {
  std::map<std::string, int64_t> partners;
  for (Type type : function.getArgumentTypes()) {
    auto tensor = llvm::cast<ir::NamedTensorType>(type);
    for (const ir::Axis &axis : tensor.getAxes())
      if (StringAttr over = axis.size().getRaggedOver())
        partners[axis.size().padded().str()] = sizes.extent(tensor.sizeOf(over.getValue()));
  }
  return partners;
}

/// Random lengths for each ragged size, one of them as long as it says.
static void addLengths(func::FuncOp function, Sizes &sizes, Random &random) {
  for (auto &[name, partner] : raggedPartners(function, sizes)) {
    int64_t extent = sizes.symbols.at(name);
    std::vector<int64_t> &lengths = sizes.lengths[name];
    for (int64_t i = 0; i < partner; ++i)
      lengths.push_back(static_cast<int64_t>(random() % (extent + 1)));
    lengths.back() = extent;
  }
}

std::vector<Sizes> test::sizesFor(func::FuncOp function, Random &random) {
  const std::set<std::string> symbols = symbolsOf(function);
  std::vector<Sizes> all;
  auto add = [&](const std::string &one, int64_t extent, int64_t others) {
    Sizes sizes;
    for (const std::string &symbol : symbols)
      sizes.symbols[symbol] = symbol == one ? extent : others;
    addLengths(function, sizes, random);
    all.push_back(std::move(sizes));
  };
  add("", 1, 1);
  // One symbol after the other gets each of the extents, the others small ones, so that tests stay
  // quick.
  for (auto [extent, others] : {std::pair(7, 2), {2, 3}, {17, 2}, {65, 5}, {63, 2}})
    for (const std::string &symbol : symbols)
      add(symbol, extent, others);
  return all;
}

Inputs test::inputsFor(const OpCase &opCase, func::FuncOp function, const Sizes &sizes,
                       Random &random) {
  Inputs inputs;
  inputs.sizes = sizes;
  for (auto [argument, type] : llvm::zip_equal(opCase.arguments, function.getArgumentTypes()))
    inputs.arguments.push_back(
        filled(llvm::cast<ir::NamedTensorType>(type), argument.fill, sizes, random));
  auto module = function->getParentOfType<ModuleOp>();
  for (auto variable : module.getOps<ir::VariableOp>())
    inputs.variables[variable.getSymName().str()] =
        filled(llvm::cast<ir::NamedTensorType>(variable.getType()), uniform(-2, 2), sizes, random);
  return inputs;
}
