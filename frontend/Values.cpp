//===- Values.cpp - what nodes stand for: values and variables, and their shapes -----------===//
//
// A variable is read where it is first used, and may be assigned once in a function. Test:
// tests/frontend/OpsTest.cpp, tests/frontend/ValueErrorTest.cpp
//
//===----------------------------------------------------------------------===//
#include "frontend/GraphInternal.h"

using namespace mlir;

namespace axloom::graph {

/// A GraphError for what is no variable, though it has the type of one.
static void requireDeclared(Node node, const char *use, const Where &where) {
  if (!node.variable)
    throw GraphError(place(where),
                     {std::string(use) + " a variable that was never declared",
                      "what program.parameter, program.state or program.session returned",
                      "a default-constructed variable", "declare it first"});
}

void Graph::requireOurs(const Node &variable, const Where &where) const {
  if (variable.number != number)
    throw GraphError(place(where),
                     {"a variable of another program", "variables of the program that uses them",
                      "one of a program that may be gone", "declare it in this program"});
}

/// In a function, variables of other programs are refused; these may be gone.
static const VariableRecord &variableOf(Node node, const Where &where) {
  if (const Graph *graph = underConstruction())
    graph->requireOurs(node, where);
  return *static_cast<const VariableRecord *>(node.variable);
}

Value Graph::value(Node node, const Where &where) {
  if (!node.value && !node.variable)
    throw GraphError(place(where), {"a tensor without a value", "a result of an operation",
                                    "a default-constructed tensor", "assign it before it is used"});
  if (!node.variable) {
    if (node.number == building->number)
      return Value::getFromOpaquePointer(node.value);
    throw GraphError(place(where),
                     {"a tensor of another function", "tensors computed in this function",
                      "one of another function, which may be gone",
                      "pass values between functions by variables or arguments"});
  }
  const VariableRecord &variable = variableOf(node, where);
  Value &read = building->reads[&variable];
  if (!read)
    read = ir::ReadOp::create(building->builder, location(where), variable.type, variable.name);
  return read;
}

void assign(Node variable, Node value, const Where &where) {
  Graph &graph = current(where);
  requireDeclared(variable, "an assignment to", where);
  const VariableRecord &target = variableOf(variable, where);
  Value assigned = graph.value(value, where);
  if (assigned.getType() != target.type)
    throw GraphError(place(where),
                     {"the value does not fit variable '" + target.name + "'", textOf(target.type),
                      textOf(assigned.getType()), "assign a value of the variable's type"});
  auto [known, isNew] = graph.building->writes.emplace(&target, place(where));
  if (!isNew)
    throw GraphError(place(where), {"variable '" + target.name + "' is assigned twice",
                                    "one assignment of a variable in a function",
                                    "it is assigned at " + textOf(known->second),
                                    "assign once, e.g. where(mask, a, b)"});
  if (const auto &condition = graph.building->condition)
    assigned = graph.value(emit("select", {*condition, value, variable}, {}, where), where);
  ir::WriteOp::create(graph.building->builder, graph.location(where), target.name, assigned);
}

Condition::Condition(Node mask, const Where &where)
    : graph(current(where)), outer(graph.building->condition) {
  graph.building->condition = outer ? emit("and", {*outer, mask}, {}, where) : mask;
}

Condition::~Condition() { graph.building->condition = outer; }

static Element elementFrom(Type type) {
  if (type.isF64())
    return Element::f64;
  if (type.isBF16())
    return Element::bf16;
  if (type.isInteger(32))
    return Element::i32;
  return type.isInteger(1) ? Element::i1 : Element::f32;
}

static Size sizeFrom(ir::SizeAttr attribute) {
  Size size(attribute.getFactor());
  for (StringAttr symbol : attribute.getSymbols())
    size = size * Size::symbol(symbol.str());
  return attribute.isRagged() ? size.raggedOver(attribute.getRaggedOver().getValue()) : size;
}

Shape shapeOf(Node tensor, const Where &where) {
  if (tensor.variable)
    return variableOf(tensor, where).shape;
  ir::NamedTensorType type = ir::tensorType(current(where).value(tensor, where));
  Shape shape;
  shape.element = elementFrom(type.getElementType());
  for (const ir::Axis &axis : type.getAxes())
    shape.axes.emplace_back(axis.name.str(), sizeFrom(axis.size()));
  return shape;
}

bool hasAxis(Node tensor, std::string_view axis, const Where &where) {
  return llvm::any_of(shapeOf(tensor, where).axes,
                      [&](const auto &named) { return named.first == axis; });
}

Size sizeOf(Node tensor, std::string_view axis, const Where &where) {
  Shape shape = shapeOf(tensor, where);
  for (const auto &[name, size] : shape.axes)
    if (name == axis)
      return size;
  throw GraphError(place(where), {"the tensor has no axis '" + std::string(axis) + "'",
                                  "one of the axes that it has", textOf(shape),
                                  "name another axis, or use a tensor that has this one"});
}

void requireRagged(const Size &size, std::string_view over, const char *operation,
                   const Where &where) {
  if (size.ragged() != over)
    throw GraphError(
        place(where),
        {std::string(operation) + " of a size that is not ragged over '" + std::string(over) + "'",
         "a length for every index along '" + std::string(over) + "'", size.print(),
         size.ragged().empty() ? "without the second axis it makes the same for all of them"
                               : "name '" + size.ragged() + "' instead"});
}

void requireOneLength(const Size &size, const char *operation, const char *advice,
                      const Where &where) {
  if (!size.ragged().empty())
    throw GraphError(place(where), {std::string(operation) + " of a ragged size",
                                    "one length for every index along '" + size.ragged() + "'",
                                    size.print(), advice});
}

std::string nameOf(Node variable, const Where &where) {
  requireDeclared(variable, "the name of", where);
  return variableOf(variable, where).name;
}

const Shape &shapeOfVariable(const Graph &graph, Node variable, const Where &where) {
  requireDeclared(variable, "a state like", where);
  graph.requireOurs(variable, where);
  return static_cast<const VariableRecord *>(variable.variable)->shape;
}

} // namespace axloom::graph
