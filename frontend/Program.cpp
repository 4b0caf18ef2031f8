//===- Program.cpp - sizes, variables and functions of a program --------------------===//
//
// Tests: tests/frontend/ProgramTest.cpp, tests/frontend/ErrorTest.cpp
//
//===----------------------------------------------------------------------===//
#include "frontend/Program.h"
#include "frontend/GraphInternal.h"
#include "ir/Ragged.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>
#include <set>

using namespace mlir;

namespace axloom {

namespace graph {

static std::vector<std::string> axesOf(const Shape &shape) {
  std::vector<std::string> order;
  order.reserve(shape.axes.size());
  for (const auto &[name, size] : shape.axes)
    order.push_back(name);
  return order;
}

/// The largest number that an element can be; of integers, that a random one could be.
static double largest(Element element) {
  constexpr double ofBf16 = 0x1.FEp127;
  if (element == Element::bf16)
    return ofBf16;
  return element == Element::f64 ? std::numeric_limits<double>::max()
                                 : std::numeric_limits<float>::max();
}

/// Refuses numbers that the runtime cannot draw elements with.
static void requireSound(const Initializer &initializer, Element element,
                         const std::string &variable, const Where &where) {
  bool isInteger = element == Element::i32 || element == Element::i1, isRandom = false;
  double most = largest(element), low = -most;
  for (const auto &[name, number] : initializer.numbers) {
    bool isDeviation = name == "stddev", isEnd = name == "high";
    std::string what = "'" + name + "' of the initializer of '" + variable + "'";
    requireWithin(number, isDeviation ? 0 : isEnd ? low : -most, most, what, where);
    if (name == "value")
      requireElement(number, element, where);
    else
      isRandom = true;
    if (name == "low")
      low = number;
  }
  if (isRandom && isInteger)
    throw GraphError(place(where),
                     {"random numbers for '" + variable + "', whose elements are no floats",
                      "zeros, ones or a constant", initializer.kind, "use another initializer"});
}

static DictionaryAttr dictionary(Graph &graph, const Initializer &initializer) {
  Builder builder(&graph.context);
  SmallVector<NamedAttribute> entries = {
      builder.getNamedAttr("kind", builder.getStringAttr(initializer.kind))};
  for (const auto &[name, number] : initializer.numbers)
    entries.push_back(builder.getNamedAttr(name, builder.getF64FloatAttr(number)));
  return builder.getDictionaryAttr(entries);
}

/// A name and an order of axes, as arguments and results of functions have.
static DictionaryAttr described(Graph &graph, const Named &name,
                                const std::vector<std::string> &order) {
  Builder builder(&graph.context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("axloom.name", builder.getStringAttr(name.text)),
       builder.getNamedAttr("axloom.order", graph.strings(order))});
}

Node declare(Graph &graph, const char *kind, const std::string &name, const Shape &shape,
             const Initializer &initializer, const Where &where) {
  for (const auto &[axis, size] : shape.axes)
    if (std::string_view(kind) != "session" && !size.isConstant())
      throw GraphError(place(where),
                       {std::string(kind) + " '" + name + "' has an axis of unknown size",
                        "a number for axis '" + axis + "'", size.print(),
                        "give it a fixed size; only session variables may have symbols"});
  if (name == "__metadata__")
    throw GraphError(place(where), {"checkpoints say under this name what they hold",
                                    "another name", "'__metadata__'", "rename the variable"});
  ir::NamedTensorType type = graph.type(shape, where);
  requireSound(initializer, shape.element, name, where);
  graph.claim(kind, name, where);
  auto builder = OpBuilder::atBlockEnd(graph.module->getBody());
  auto functions = graph.module->getOps<func::FuncOp>(); // with the one under construction
  if (!functions.empty()) // variables and sizes stand before the functions
    builder.setInsertionPoint(*functions.begin());
  ir::VariableOp::create(builder, graph.location(where), name, type, kind,
                         graph.strings(axesOf(shape)), dictionary(graph, initializer));
  graph.variables.push_back({name, kind, shape, type});
  return {.variable = &graph.variables.back(), .number = graph.number};
}

/// Takes a name among the arguments or among the results of a function.
static void claimIn(std::map<std::string, Where> &names, const char *what, const Named &name) {
  auto [known, isNew] = names.emplace(name.text, place(name.where));
  if (!isNew)
    throw GraphError(place(name.where),
                     {std::string(what) + " '" + name.text + "' is there twice",
                      "a name of its own for each " + std::string(what) + " of a function",
                      "'" + name.text + "' is also at " + textOf(known->second),
                      "use another name"});
}

/// The order names each axis of the type once; of tensors without compile-time axes, only now is
/// that known.
static void requireAxes(const Named &name, ir::NamedTensorType type,
                        const std::vector<std::string> &order) {
  auto has = [&](const std::string &axis) {
    return llvm::any_of(type.getAxes(), [&](const ir::Axis &own) { return own.name == axis; });
  };
  std::set<std::string> distinct(order.begin(), order.end());
  if (order.size() == type.rank() && distinct.size() == order.size() && llvm::all_of(order, has))
    return;
  throw GraphError(place(name.where),
                   {"result '" + name.text + "' names other axes than its value has",
                    "each axis of " + textOf(type) + " once, in any order", llvm::join(order, ", "),
                    "name the axes of the value, or compute another one"});
}

/// Memory holds the entries of a ragged tensor one after the other, so the order begins with them.
static void requireRaggedFirst(Graph &graph, const char *what, const Named &name,
                               ir::NamedTensorType type, const std::vector<std::string> &order) {
  auto declared = llvm::to_vector(graph.strings(order).getAsRange<StringAttr>());
  SmallVector<StringAttr> possible = ir::raggedFirst(declared, type);
  if (possible == declared)
    return;
  std::string expected =
      llvm::join(llvm::map_range(possible, [](StringAttr axis) { return axis.getValue(); }), ", ");
  throw GraphError(place(name.where),
                   {std::string(what) + " '" + name.text +
                        "' is ragged, and memory has no such order of its axes",
                    expected, llvm::join(order, ", "),
                    "begin with the axis along which lengths differ, then the ragged ones"});
}

Node argument(const Named &name, const Shape &shape) {
  Graph &graph = current(name.where);
  ir::NamedTensorType type = graph.type(shape, name.where);
  requireRaggedFirst(graph, "argument", name, type, axesOf(shape));
  claimIn(graph.building->argumentNames, "argument", name);
  func::FuncOp function = graph.building->function;
  unsigned index = function.getNumArguments();
  LogicalResult inserted = function.insertArgument(
      index, type, described(graph, name, axesOf(shape)), graph.location(name.where));
  assert(succeeded(inserted) && "an argument can be added at the end");
  (void)inserted;
  return graph.building->node(function.getArgument(index));
}

void result(const Named &name, Node value, const std::vector<std::string> &order) {
  Graph &graph = current(name.where);
  mlir::Value computed = graph.value(value, name.where);
  requireAxes(name, ir::tensorType(computed), order);
  requireRaggedFirst(graph, "result", name, ir::tensorType(computed), order);
  claimIn(graph.building->resultNames, "result", name);
  graph.building->results.push_back(computed);
  graph.building->resultAttributes.push_back(described(graph, name, order));
}

Graph &graphOf(const Program &program) { return *program.owned; }

} // namespace graph

Program::Program() : Program(std::make_unique<graph::Graph>()) {}
Program::Program(std::unique_ptr<graph::Graph> made) : Scope(*made, ""), owned(std::move(made)) {}
Program::~Program() = default;

ModuleOp moduleOf(const Program &program) { return *graph::graphOf(program).module; }

Size Program::size(const graph::Named &symbol, std::int64_t maximum) {
  graph::requireIdentifier(symbol.text, "the name of a size", graph::place(symbol.where));
  if (maximum < 1)
    throw GraphError(graph::place(symbol.where),
                     {"size '" + symbol.text + "' has no room", "a maximum of 1 or more",
                      std::to_string(maximum), "give the largest value that a call may bind"});
  graph::requireIndexable(maximum, "the maximum of size '" + symbol.text + "'", symbol.where);
  graph->claim("size", symbol.text, symbol.where);
  graph->sizes.insert(symbol.text);
  // Sizes stand first, in the order of their declaration.
  Block *body = graph->module->getBody();
  auto sizes = body->getOps<ir::SizeOp>();
  OpBuilder builder(body, std::next(body->begin(), std::distance(sizes.begin(), sizes.end())));
  ir::SizeOp::create(builder, graph->location(symbol.where), symbol.text, maximum);
  return Size::symbol(symbol.text);
}

/// Ends the function with its results.
static void finish(graph::Graph &graph, const Where &where) {
  graph::Building &building = *graph.building;
  func::FuncOp function = building.function;
  func::ReturnOp::create(building.builder, function.getLoc(), building.results);
  function.setFunctionType(FunctionType::get(&graph.context, function.getArgumentTypes(),
                                             ValueRange(building.results).getTypes()));
  for (auto [index, attributes] : llvm::enumerate(building.resultAttributes))
    function.setResultAttrs(index, attributes);
  graph.check([&] { return verify(function); },
              [&]() -> Problem {
                return {"function '" + function.getName().str() + "'",
                        "operands that each operation takes",
                        "an operation that was built without the checks of frontend/ops",
                        "call the functions of frontend/ops instead of graph::emit"};
              },
              where);
}

void Program::function(const graph::Named &name, const std::function<void(Function &)> &body) {
  if (graph->building)
    throw GraphError(graph::place(name.where),
                     {"function '" + name.text + "' is inside another function",
                      "functions beside each other",
                      "'" + graph->building->function.getName().str() + "' is under construction",
                      "end the other function first"});
  graph->claim("function", name.text, name.where);
  auto builder = OpBuilder::atBlockEnd(graph->module->getBody());
  auto function = func::FuncOp::create(builder, graph->location(name.where), name.text,
                                       builder.getFunctionType({}, {}));
  graph->building.emplace(graph::Building{
      .function = function, .builder = OpBuilder::atBlockEnd(function.addEntryBlock())});
  llvm::scope_exit leave([&] { graph->building.reset(); });
  graph::BuildingScope scope(*graph);
  try {
    Function handle;
    body(handle);
    finish(*graph, name.where);
  } catch (...) {
    function.erase();
    graph->symbols.erase(name.text);
    throw;
  }
}

std::vector<AnyVariable> Program::parameters() const {
  std::vector<AnyVariable> list;
  for (const graph::VariableRecord &variable : graph->variables)
    if (variable.kind == "parameter")
      list.push_back(AnyVariable(graph::Node{.variable = &variable, .number = graph->number}));
  return list;
}

std::string Program::print() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  graph->module->print(stream);
  return text;
}

} // namespace axloom
