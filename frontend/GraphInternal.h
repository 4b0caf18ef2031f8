//===- GraphInternal.h - the graph under construction, with MLIR in sight --------===//
//
// For the compiler behind the DSL and for tests; a user's model includes frontend/Axloom.h only.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Graph.h"
#include "ir/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <deque>
#include <map>
#include <optional>
#include <set>

namespace axloom {
class Program;
}

namespace axloom::graph {

/// A parameter, a state or a session variable.
struct VariableRecord {
  std::string name;
  std::string kind;
  Shape shape;
  mlir::Type type;
};

/// A number that no other function or program has.
std::int64_t nextNumber();

/// The function that operations go to.
struct Building {
  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  std::map<const VariableRecord *, mlir::Value> reads = {};
  std::map<const VariableRecord *, Where> writes = {};
  std::map<std::string, Where> argumentNames = {};
  std::map<std::string, Where> resultNames = {};
  std::vector<mlir::Value> results = {};
  std::vector<mlir::DictionaryAttr> resultAttributes = {};
  std::optional<mlir::Location> location = std::nullopt; // of all ops, where it is not their line
  std::optional<Node> condition = std::nullopt;          // of assignments
  std::int64_t number = nextNumber();

  Node node(mlir::Value value) const {
    return {.value = value.getAsOpaquePointer(), .number = number};
  }
};

class Graph {
public:
  Graph();

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::deque<VariableRecord> variables; // in order of declaration; addresses stay
  std::map<std::string, Where> symbols; // names of sizes, variables and functions
  std::set<std::string> sizes;
  std::optional<Building> building;
  std::int64_t sites = 0;
  const std::int64_t number = nextNumber();

  /// Takes a name for a size, a variable or a function; each may be taken once.
  void claim(const char *what, const std::string &name, const Where &where);

  mlir::Location location(const Where &where);
  mlir::Type elementType(Element element);
  ir::SizeAttr size(const Size &size, const Where &where);
  ir::NamedTensorType type(const Shape &shape, const Where &where);
  mlir::ArrayAttr strings(const std::vector<std::string> &list);

  /// The value of a node in the function under construction.
  mlir::Value value(Node node, const Where &where);

  /// A GraphError for a variable of another program.
  void requireOurs(const Node &variable, const Where &where) const;

  std::vector<Node> emit(llvm::StringRef op, llvm::ArrayRef<Node> operands,
                         llvm::ArrayRef<mlir::NamedAttribute> attributes, unsigned results,
                         const Where &where);

  /// Runs `step`; when it fails, throws the problem with what was reported behind its `what`.
  void check(llvm::function_ref<mlir::LogicalResult()> step, llvm::function_ref<Problem()> describe,
             const Where &where);
};

/// A GraphError for lengths beyond 32 bits, which kernels count with. `what` is the subject.
void requireIndexable(std::int64_t length, const std::string &what, const Where &where);

/// A GraphError for a name that is no identifier, as the text of programs needs it. `what` is the
/// subject.
void requireIdentifier(const std::string &name, const char *what, const Where &where);

/// A type as users read it: <batch: B, f32>.
std::string textOf(mlir::Type type);

/// The axes of a shape as users read them: <batch: B, depth: 8>.
std::string textOf(const Shape &shape);

/// A place as users read it: model.cpp:12.
std::string textOf(const Where &where);

/// While it lives, operations go to the graph's function.
class BuildingScope {
public:
  explicit BuildingScope(Graph &graph);
  ~BuildingScope();
  BuildingScope(const BuildingScope &) = delete;
  BuildingScope &operator=(const BuildingScope &) = delete;

private:
  Graph *previous;
};

/// The graph whose function is under construction; null where there is none.
Graph *underConstruction();

/// The same; a GraphError where there is none.
Graph &current(const Where &where);

/// The graph of a program.
Graph &graphOf(const Program &program);

} // namespace axloom::graph

namespace axloom {
/// The program as MLIR. It stays owned by the program.
mlir::ModuleOp moduleOf(const Program &program);
} // namespace axloom
