//===- Graph.h - what the typed DSL tells the graph builder --------------------===//
//
// The untyped layer under the operations: tensors are handles, axes are names, and every call
// appends one op of the axloom dialect to the function under construction. MLIR itself stays behind
// GraphInternal.h. The builder infers types, so a size mismatch is a GraphError at the line of the
// call. Test: tests/frontend/ErrorTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Error.h"
#include "frontend/Size.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace axloom {

/// The element type of bf16 tensors.
struct bfloat16 {};

} // namespace axloom

namespace axloom::graph {

class Graph;

enum class Element { f32, f64, bf16, i32, i1 };

namespace detail {
template <class E> struct ElementOf;
template <> struct ElementOf<float> : std::integral_constant<Element, Element::f32> {};
template <> struct ElementOf<double> : std::integral_constant<Element, Element::f64> {};
template <> struct ElementOf<bfloat16> : std::integral_constant<Element, Element::bf16> {};
template <> struct ElementOf<int> : std::integral_constant<Element, Element::i32> {};
template <> struct ElementOf<bool> : std::integral_constant<Element, Element::i1> {};
} // namespace detail

/// The C++ types that stand for elements of tensors.
template <class E>
concept AnElement = requires { detail::ElementOf<E>::value; };

template <class E> inline constexpr Element elementOf = detail::ElementOf<E>::value;

/// A tensor of the graph: a value of the function under construction, or a variable, which is read
/// where it is first used and lives as long as its program. Empty when default-constructed.
struct Node {
  const void *value = nullptr;
  const void *variable = nullptr;
  std::int64_t number = 0; // of the function that it is a value of, or of the variable's program
  bool absent = false;     // stands for an optional operand that is not there
};

struct Shape {
  std::vector<std::pair<std::string, Size>> axes;
  Element element = Element::f32;
};

/// An attribute of an op. Lists of strings are lists of axis names.
struct Attribute {
  const char *name;
  std::variant<std::int64_t, double, std::string, std::vector<std::string>, Size, Element, Shape>
      value;
};

template <class... As> std::vector<std::string> names() { return {std::string(As::axisName)...}; }
template <class A> std::string name() { return std::string(A::axisName); }

/// Appends op `axloom.<op>` and returns its results.
std::vector<Node> emitAll(const char *op, std::initializer_list<Node> operands,
                          std::initializer_list<Attribute> attributes, unsigned results,
                          const Where &where);

/// The same for an op with one result.
Node emit(const char *op, std::initializer_list<Node> operands,
          std::initializer_list<Attribute> attributes, const Where &where);

/// A constant without axes.
Node constant(double value, Element element, const Where &where);

/// The gradients of `loss` with respect to `wrt`.
std::vector<Node> gradient(Node loss, const std::vector<Node> &wrt, const Where &where);

/// Gives the variable its value for after the function under construction.
void assign(Node variable, Node value, const Where &where);

/// While it lives, assignments count in calls in which the mask, which has no axes, holds; in
/// others variables keep their values. Inside another one, both have to hold.
class Condition {
public:
  Condition(Node mask, const Where &where);
  Condition(const Condition &) = delete;
  Condition &operator=(const Condition &) = delete;
  ~Condition();

private:
  Graph &graph;
  std::optional<Node> outer;
};

/// Axes, sizes and element type of a tensor.
Shape shapeOf(Node tensor, const Where &where);

/// Whether the tensor has the axis.
bool hasAxis(Node tensor, std::string_view axis, const Where &where);

/// The size of one axis.
Size sizeOf(Node tensor, std::string_view axis, const Where &where);

/// Refuses any other size where an operation makes something for each index along an axis.
void requireRagged(const Size &size, std::string_view over, const char *operation,
                   const Where &where);
/// Refuses a ragged size where an operation needs the same length for every index.
void requireOneLength(const Size &size, const char *operation, const char *advice,
                      const Where &where);

/// Every digit that tells a number from its neighbours, and no other.
std::string textOf(double value);

/// A number that tensors of this element type can hold: a finite one, of int a whole one of 32
/// bits, of bool 0 or 1. Refuses any other.
double requireElement(double value, Element element, const Where &where);
/// Refuses a number that is not from `low` to `high`; `what` is the subject.
void requireWithin(double value, double low, double high, const std::string &what,
                   const Where &where);
/// Refuses a number that is not at least 0 and less than 1, as rates and decays are.
void requireBelowOne(double value, const std::string &what, const Where &where);
/// Refuses a number below `low`, or one that f32 does not have.
void requireAtLeast(double value, double low, const std::string &what, const Where &where);

/// The name of a variable.
std::string nameOf(Node variable, const Where &where);
/// The axes, sizes and element type of a variable of this graph, in a function or outside.
const Shape &shapeOfVariable(const Graph &graph, Node variable, const Where &where);

/// A number for each random op of the program, counted from zero.
std::int64_t nextSite(const Where &where);

/// While it lives, everything that is built gets this location. A module puts one at the start of
/// its call operator, so that errors name the user's line and not the module's own.
class CallSite {
public:
  explicit CallSite(const Where &where);
  ~CallSite();
  CallSite(const CallSite &) = delete;
  CallSite &operator=(const CallSite &) = delete;

private:
  bool outermost;
};

/// The place that errors about a call at `where` name: the outermost CallSite, if there is one.
Where place(const Where &where);

} // namespace axloom::graph
