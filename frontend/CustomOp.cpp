//===- CustomOp.cpp - ops that the user's program defines ----------------------===//
//
// 1. Check a definition and hand it to the dialect, which passes and backends ask.
// 2. Run the user's rule for adjoints where a pass differentiates: the same DSL as in a function,
//    appending ops to a graph that is finished otherwise. And run it on numbers without axes, in a
//    function of no program, for a text that tells it from other rules.
// Tests: tests/codegen/halide/CustomOpTest.cpp, CustomOpErrorsTest.cpp
//
//===----------------------------------------------------------------------===//
#include "frontend/CustomOp.h"
#include "frontend/GraphInternal.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace axloom::graph {

/// A place in the user's program, whatever is under construction.
static Location locationOf(Graph &graph, const Where &where) {
  return FileLineColLoc::get(&graph.context, where.file_name(), where.line(), where.column());
}

//===----------------------------------------------------------------------===//
// 2. Adjoints
//===----------------------------------------------------------------------===//

/// What the rule gives for these operands, the result and its adjoint, in the function under
/// construction.
static SmallVector<Value> applyRule(Graph &graph, const OpDefinition &definition,
                                    ValueRange operands, Value y, Value g) {
  const Building &building = *graph.building;
  std::vector<Node> nodes;
  for (Value operand : operands)
    nodes.push_back(building.node(operand));
  SmallVector<Value> values;
  for (Node found : definition.adjoint(nodes, building.node(y), building.node(g)))
    values.push_back(found.value || found.variable ? graph.value(found, definition.where)
                                                   : Value());
  return values;
}

static FailureOr<SmallVector<Value>> buildAdjoint(Graph &graph, const OpDefinition &definition,
                                                  ir::CustomOp op, ir::Adjoints &adjoints) {
  graph.building.emplace(Building{.function = op->getParentOfType<func::FuncOp>(),
                                  .builder = adjoints.builder,
                                  .location = adjoints.location});
  llvm::scope_exit leave([&] { graph.building.reset(); });
  BuildingScope scope(graph);
  try { // nothing may leave, since passes know no exceptions
    return applyRule(graph, definition, op.getInputs(), op.getY(), adjoints.of(op.getY()));
  } catch (const GraphError &error) {
    InFlightDiagnostic report = op.emitError("the adjoint of '")
                                << definition.name << "' cannot be built";
    const Problem &problem = error.problem();
    Diagnostic &note = report.attachNote(locationOf(graph, error.where())) << problem.what;
    if (!problem.expected.empty())
      note << "; expected " << problem.expected;
    if (!problem.found.empty())
      note << (problem.expected.empty() ? "; found " : ", found ") << problem.found;
  } catch (const std::exception &error) {
    op.emitError("the adjoint of '") << definition.name << "' cannot be built: " << error.what();
  }
  return failure();
}

/// Whether what is built only shows what a rule does.
static bool isSketch(const Graph &graph) { return !graph.building->function->getBlock(); }

/// The rule on numbers without axes, as ops. Empty where there is none, or where it needs more than
/// numbers, such as an axis.
static std::string textOfRule(Graph &graph, const OpDefinition &definition,
                              ArrayRef<Type> elements) {
  if (!definition.adjoint)
    return "";
  OpBuilder builder(&graph.context);
  Location nowhere = builder.getUnknownLoc();
  SmallVector<Type> types;
  for (Type element : elements)
    types.push_back(ir::NamedTensorType::get({}, element));
  Type result = *llvm::find_if(types, [](Type type) {
    return isa<FloatType>(llvm::cast<ir::NamedTensorType>(type).getElementType());
  });
  types.append(2, result); // the result and its adjoint
  OwningOpRef<func::FuncOp> function =
      func::FuncOp::create(builder, nowhere, definition.name, builder.getFunctionType(types, {}));
  builder.setInsertionPointToEnd(function->addEntryBlock());

  std::optional<Building> outer = std::exchange(
      graph.building, Building{.function = *function, .builder = builder, .location = nowhere});
  llvm::scope_exit leave([&, sites = std::exchange(graph.sites, 0)] {
    graph.building = std::move(outer);
    graph.sites = sites;
  });
  BuildingScope scope(graph);
  ValueRange given = function->getArguments();
  try {
    SmallVector<Value> found =
        applyRule(graph, definition, given.drop_back(2), given.drop_back().back(), given.back());
    llvm::erase(found, Value()); // of operands that are no floats
    func::ReturnOp::create(graph.building->builder, nowhere, found);
    function->setFunctionType(builder.getFunctionType(types, ValueRange(found).getTypes()));
  } catch (const std::exception &) { // where it matters, buildAdjoint tells
    return "";
  }
  std::string text;
  llvm::raw_string_ostream(text) << *function;
  return text;
}

//===----------------------------------------------------------------------===//
// 1. Definitions
//===----------------------------------------------------------------------===//

static void check(const OpDefinition &definition) {
  auto refuse = [&](std::string what, const char *expected, std::string found, const char *advice) {
    throw GraphError(definition.where, {std::move(what), expected, std::move(found), advice});
  };
  std::string op = "custom op '" + definition.name + "'";
  requireIdentifier(definition.name, "the name of a custom op", definition.where);
  if (!definition.reference)
    refuse(op + " has no reference semantics", "a function of doubles", "none",
           "say in `reference` what the op means; checks compare with it");
  if (!definition.body)
    refuse(op + " has no body", "a Halide expression", "none",
           "say in `body` how one element is computed");
  if (std::string problem = definition.body->problem(); !problem.empty())
    refuse("the body of " + op + " cannot be compiled", "an expression of its operands alone",
           problem, "compute the result from what the body is given");
}

static void define(Graph &graph, const OpDefinition &definition, const Where &where) {
  check(definition);
  ir::CustomDefinition made{.name = definition.name,
                            .elements = {},
                            .location = locationOf(graph, definition.where),
                            .reference =
                                [reference = definition.reference](ArrayRef<double> x) {
                                  return reference({x.data(), x.size()});
                                },
                            .adjoint = nullptr,
                            .body = definition.body};
  for (Element element : definition.operands)
    made.elements.push_back(graph.elementType(element));
  made.adjointText = textOfRule(graph, definition, made.elements);
  if (definition.adjoint)
    made.adjoint = [&graph, definition](ir::CustomOp op, ir::Adjoints &adjoints) {
      return buildAdjoint(graph, definition, op, adjoints);
    };
  ir::CustomOps &known = graph.context.getLoadedDialect<ir::AxloomDialect>()->customOps;
  if (succeeded(known.add(std::move(made))))
    return;
  auto earlier = llvm::cast<FileLineColLoc>(known.find(definition.name)->location);
  throw GraphError(place(where), {"custom op '" + definition.name + "' is defined twice",
                                  "a name of its own for each definition",
                                  "another one at " + earlier.getFilename().str() + ":" +
                                      std::to_string(earlier.getLine()),
                                  "use another name, or one definition for both"});
}

Node emitCustom(const OpDefinition &definition, const std::vector<Node> &operands,
                const Where &where) {
  Graph &graph = current(where);
  if (!isSketch(graph)) // a rule may use its own op
    define(graph, definition, where);
  NamedAttribute named(StringAttr::get(&graph.context, "definition"),
                       FlatSymbolRefAttr::get(&graph.context, definition.name));
  return graph.emit("custom", operands, named, 1, where).front();
}

} // namespace axloom::graph
