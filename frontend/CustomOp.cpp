//===- CustomOp.cpp - ops that the user's program defines ----------------------===//
//
// 1. Check a definition and hand it to the dialect, which passes and backends ask.
// 2. Run the user's rule for adjoints where a pass differentiates: the same DSL as in a function,
//    appending ops to a graph that is finished otherwise.
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

static FailureOr<SmallVector<Value>> buildAdjoint(Graph &graph, const OpDefinition &definition,
                                                  ir::CustomOp op, ir::Adjoints &adjoints) {
  graph.building.emplace(Building{.function = op->getParentOfType<func::FuncOp>(),
                                  .builder = adjoints.builder,
                                  .location = adjoints.location});
  llvm::scope_exit leave([&] { graph.building.reset(); });
  BuildingScope scope(graph);
  auto node = [](Value value) { return Node{.value = value.getAsOpaquePointer()}; };
  std::vector<Node> operands;
  for (Value operand : op.getInputs())
    operands.push_back(node(operand));
  SmallVector<Value> values;
  try { // nothing may leave, since passes know no exceptions
    for (Node found : definition.adjoint(operands, node(op.getY()), node(adjoints.of(op.getY()))))
      values.push_back(found.value || found.variable ? graph.value(found, definition.where)
                                                     : Value());
    return values;
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
  define(graph, definition, where);
  NamedAttribute named(StringAttr::get(&graph.context, "definition"),
                       FlatSymbolRefAttr::get(&graph.context, definition.name));
  return graph.emit("custom", operands, named, 1, where).front();
}

} // namespace axloom::graph
