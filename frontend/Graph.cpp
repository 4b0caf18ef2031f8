//===- Graph.cpp - appends ops of the axloom dialect to the function under construction ---===//
//
// 1. Translate sizes, shapes and attributes of the DSL into those of the dialect.
// 2. Create the op, let the dialect infer its result types, and turn what the dialect reports into
//    a GraphError at the user's line.
// What nodes stand for is in Values.cpp. Test: tests/frontend/OpsTest.cpp,
// tests/frontend/ErrorTest.cpp, tests/frontend/SizeErrorTest.cpp
//
//===----------------------------------------------------------------------===//
#include "frontend/GraphInternal.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

#include <atomic>
#include <cmath>
#include <limits>

using namespace mlir;

namespace axloom::graph {

static thread_local Graph *building = nullptr;
static thread_local std::optional<Where> callSite;

CallSite::CallSite(const Where &where) : outermost(!callSite) {
  if (outermost)
    callSite = where;
}
CallSite::~CallSite() {
  if (outermost)
    callSite.reset();
}

Where place(const Where &where) { return callSite ? *callSite : where; }

BuildingScope::BuildingScope(Graph &graph) : previous(building) { building = &graph; }
BuildingScope::~BuildingScope() { building = previous; }

Graph *underConstruction() { return building; }

Graph &current(const Where &where) {
  if (!building)
    throw GraphError(place(where), {"an operation outside of a function",
                                    "operations inside the body of program.function(...)",
                                    "no function is under construction",
                                    "move this line into the body of a function"});
  return *building;
}

//===----------------------------------------------------------------------===//
// 1. Translation
//===----------------------------------------------------------------------===//

Graph::Graph() {
  context.loadDialect<ir::AxloomDialect, func::FuncDialect>();
  module = ModuleOp::create(UnknownLoc::get(&context));
}

void Graph::claim(const char *what, const std::string &name, const Where &where) {
  auto [known, isNew] = symbols.emplace(name, place(where));
  if (isNew)
    return;
  throw GraphError(place(where), {std::string(what) + " '" + name + "' is declared twice",
                                  "a name of its own for each size, variable and function",
                                  "'" + name + "' is declared at " + textOf(known->second),
                                  "use another name or another scope"});
}

Location Graph::location(const Where &where) {
  if (building && building->location)
    return *building->location;
  Where at = place(where);
  return FileLineColLoc::get(&context, at.file_name(), at.line(), at.column());
}

Type Graph::elementType(Element element) {
  switch (element) {
  case Element::f32:
    return Float32Type::get(&context);
  case Element::f64:
    return Float64Type::get(&context);
  case Element::bf16:
    return BFloat16Type::get(&context);
  case Element::i32:
    return IntegerType::get(&context, 32);
  case Element::i1:
    return IntegerType::get(&context, 1);
  }
  llvm_unreachable("all elements are listed");
}

void requireIndexable(std::int64_t length, const std::string &what, const Where &where) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (length > most)
    throw GraphError(place(where),
                     {what + " is too large", "at most " + std::to_string(most),
                      std::to_string(length), "split the axis into several, or into tensors"});
}

void requireIdentifier(const std::string &name, const char *what, const Where &where) {
  if (!axloom::detail::isIdentifier(name))
    throw GraphError(where, {std::string(what) + " is no identifier",
                             "letters, digits and underscores, with no digit first",
                             "'" + name + "'", "use another name"});
}

ir::SizeAttr Graph::size(const Size &size, const Where &where) {
  if (size.coefficient() < 1)
    throw GraphError(place(where), {"a size must be positive", "1 or more", size.print(),
                                    "give each axis at least one element"});
  requireIndexable(size.coefficient(), "a size", where);
  SmallVector<StringAttr> factors;
  for (const std::string &symbol : size.symbols()) {
    if (!sizes.count(symbol))
      throw GraphError(place(where),
                       {"size '" + symbol + "' is not declared", "a size of this program",
                        size.print(), "declare it with program.size(\"" + symbol + "\", maximum)"});
    factors.push_back(StringAttr::get(&context, symbol));
  }
  StringAttr over = size.ragged().empty() ? nullptr : StringAttr::get(&context, size.ragged());
  return ir::SizeAttr::get(&context, size.coefficient(), factors, over);
}

std::string textOf(const Shape &shape) {
  std::string text;
  for (const auto &[name, size] : shape.axes)
    text += (text.empty() ? "" : ", ") + name + ": " + size.print();
  return "<" + text + ">";
}

ir::NamedTensorType Graph::type(const Shape &shape, const Where &where) {
  SmallVector<ir::Axis> axes;
  for (const auto &[name, length] : shape.axes)
    axes.emplace_back(StringAttr::get(&context, name), size(length, where));
  llvm::sort(axes, [](const ir::Axis &a, const ir::Axis &b) {
    return a.name.getValue() < b.name.getValue();
  });
  Type element = elementType(shape.element);
  check(
      [&] {
        return ir::NamedTensorType::verify([&] { return emitError(location(where)); }, axes,
                                           element);
      },
      [&]() -> Problem {
        return {"a tensor's axes do not fit each other",
                "each name once, and a ragged size only beside the axis it differs along",
                textOf(shape),
                "rename an axis that is there twice, or add the one that a size differs along"};
      },
      where);
  return ir::NamedTensorType::get(axes, element);
}

ArrayAttr Graph::strings(const std::vector<std::string> &list) {
  SmallVector<StringRef> texts(list.begin(), list.end());
  return Builder(&context).getStrArrayAttr(texts);
}

static mlir::Attribute translate(Graph &graph, const decltype(graph::Attribute::value) &value,
                                 const Where &where) {
  Builder builder(&graph.context);
  if (auto *number = std::get_if<std::int64_t>(&value))
    return builder.getI64IntegerAttr(*number);
  if (auto *number = std::get_if<double>(&value))
    return builder.getF64FloatAttr(*number);
  if (auto *text = std::get_if<std::string>(&value))
    return builder.getStringAttr(*text);
  if (auto *list = std::get_if<std::vector<std::string>>(&value))
    return graph.strings(*list);
  if (auto *length = std::get_if<Size>(&value))
    return graph.size(*length, where);
  if (auto *element = std::get_if<Element>(&value))
    return TypeAttr::get(graph.elementType(*element));
  return TypeAttr::get(graph.type(std::get<Shape>(value), where));
}

//===----------------------------------------------------------------------===//
// 2. Ops
//===----------------------------------------------------------------------===//

void Graph::check(llvm::function_ref<LogicalResult()> step, llvm::function_ref<Problem()> describe,
                  const Where &where) {
  std::string report;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    report += (report.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  if (succeeded(step()))
    return;
  Problem problem = describe();
  problem.what += ": " + report;
  throw GraphError(place(where), std::move(problem));
}

std::string textOf(const Where &where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  std::size_t mnemonic = text.find('<');
  return mnemonic == std::string::npos ? text : text.substr(mnemonic);
}

/// Whether each axis has one size in all operands, but for those that concat puts one behind the
/// other.
static bool sizesAgree(Operation *op) {
  auto types = llvm::map_to_vector(op->getOperands(), ir::tensorType);
  if (auto concat = dyn_cast<ir::ConcatOp>(op))
    for (ir::NamedTensorType &type : types)
      type = type.without(concat.getAxisAttr());
  return succeeded(ir::unionOf(std::nullopt, types, SmallVector<StringRef>(types.size())));
}

/// What is said about an op that does not take its operands. The report of the dialect has what
/// else was expected.
static Problem unfit(StringRef op, Operation *created) {
  std::string types;
  for (Value operand : created->getOperands())
    types += (types.empty() ? "" : " and ") + textOf(operand.getType());
  if (sizesAgree(created))
    return {op.str(), "", types, ""};
  return {op.str(), "one size for each name of an axis", types,
          "change the sizes, or rename an axis that means something else"};
}

/// Tells an op with optional operands which ones are there.
static void addSegments(OperationState &state, ArrayRef<Node> operands, MLIRContext *context) {
  if (!state.name.hasTrait<OpTrait::AttrSizedOperandSegments>())
    return;
  SmallVector<int32_t> segments;
  for (Node operand : operands)
    segments.push_back(!operand.absent);
  state.addAttribute("operandSegmentSizes", DenseI32ArrayAttr::get(context, segments));
}

std::vector<Node> Graph::emit(StringRef op, ArrayRef<Node> operands,
                              ArrayRef<NamedAttribute> attributes, unsigned results,
                              const Where &where) {
  OperationState state(location(where), ("axloom." + op).str());
  for (Node operand : operands)
    if (!operand.absent)
      state.addOperands(value(operand, where));
  state.addAttributes(attributes);
  addSegments(state, operands, &context);
  state.addTypes(SmallVector<Type>(results, NoneType::get(&context))); // until they are inferred
  Operation *created = Operation::create(state);

  SmallVector<Type> types;
  try {
    check(
        [&] {
          return cast<InferTypeOpInterface>(created).inferReturnTypes(
              &context, created->getLoc(), created->getOperands(), created->getRawDictionaryAttrs(),
              created->getPropertiesStorage(), created->getRegions(), types);
        },
        [&] { return unfit(op, created); }, where);
  } catch (...) {
    created->destroy();
    throw;
  }
  std::vector<Node> nodes;
  for (auto [result, type] : llvm::zip_equal(created->getResults(), types)) {
    result.setType(type);
    nodes.push_back(building->node(result));
  }
  building->builder.insert(created);
  return nodes;
}

std::int64_t nextNumber() {
  static std::atomic<std::int64_t> last = 0;
  return ++last;
}

std::vector<Node> emitAll(const char *op, std::initializer_list<Node> operands,
                          std::initializer_list<Attribute> attributes, unsigned results,
                          const Where &where) {
  Graph &graph = current(where);
  SmallVector<NamedAttribute> translated;
  for (const Attribute &attribute : attributes)
    translated.emplace_back(StringAttr::get(&graph.context, attribute.name),
                            translate(graph, attribute.value, where));
  return graph.emit(op, ArrayRef(operands.begin(), operands.size()), translated, results, where);
}

Node emit(const char *op, std::initializer_list<Node> operands,
          std::initializer_list<Attribute> attributes, const Where &where) {
  return emitAll(op, operands, attributes, 1, where).front();
}

Node constant(double value, Element element, const Where &where) {
  Graph &graph = current(where);
  Type type = graph.elementType(element);
  TypedAttr attribute;
  requireElement(value, element, where);
  if (isa<FloatType>(type))
    attribute = FloatAttr::get(type, value);
  else
    attribute = IntegerAttr::get(type, static_cast<std::int64_t>(value));
  NamedAttribute named(StringAttr::get(&graph.context, "value"), attribute);
  return graph.emit("constant", {}, named, 1, where).front();
}

std::vector<Node> gradient(Node loss, const std::vector<Node> &wrt, const Where &where) {
  Graph &graph = current(where);
  SmallVector<Value> values;
  for (Node node : wrt)
    values.push_back(graph.value(node, where));
  Value scalar = graph.value(loss, where);
  if (!ir::tensorType(scalar).isScalar())
    throw GraphError(place(where), {"the loss of a gradient has axes", "a tensor without axes",
                                    textOf(scalar.getType()), "reduce it with sum or mean"});
  auto op = ir::GradientOp::create(graph.building->builder, graph.location(where),
                                   ValueRange(values).getTypes(), scalar, values);
  std::vector<Node> nodes;
  for (Value result : op.getResults())
    nodes.push_back(graph.building->node(result));
  return nodes;
}

std::int64_t nextSite(const Where &where) { return current(where).sites++; }

} // namespace axloom::graph
