//===- Program.h - functions over shared variables ---------------------------------===//
//
//   Program program;
//   Size B = program.size("B", 256);
//   auto weight = program.scope("encoder").parameter<Out, In>("weight", init::zeros(), 8, 16);
//   program.function("apply", [&](Function &f) {
//     auto x = f.argument<float, Batch, In>("x", B, 16);
//     f.result<Batch, Out>("y", contract<In>(x, weight));
//   });
//
// Tests: tests/frontend/ProgramTest.cpp, tests/frontend/ErrorTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Initializer.h"
#include "frontend/Variable.h"

#include <functional>
#include <memory>
#include <optional>

namespace axloom {

class Program;

namespace graph {

Graph &graphOf(const Program &program);

/// A name in the user's program and the place where it is written.
struct Named {
  std::string text;
  Where where;
  Named(const char *name, Where here = Where::current()) : text(name), where(here) {}
  Named(std::string name, Where here = Where::current()) : text(std::move(name)), where(here) {}
};

Node declare(Graph &graph, const char *kind, const std::string &name, const Shape &shape,
             const Initializer &initializer, const Where &where);
Node argument(const Named &name, const Shape &shape);
void result(const Named &name, Node value, const std::vector<std::string> &order);

/// The shape with axes As, in this order.
template <class E, class... As> Shape shape(const std::vector<Size> &sizes) {
  Shape result;
  result.element = elementOf<E>;
  [[maybe_unused]] auto size = sizes.begin();
  (result.axes.emplace_back(As::axisName, *size++), ...);
  return result;
}

} // namespace graph

namespace misuse {
/// What can be wrong with a list of axes and sizes.
template <std::size_t Sizes, class... As>
using Declaration =
    FirstBroken<Rule<Sizes != sizeof...(As), each_axis_needs_one_size<sizeof...(As), Sizes>>,
                NamedTwice<As...>>;
/// The same with a type of elements.
template <class E, std::size_t Sizes, class... As>
using TypedDeclaration =
    FirstBroken<NotAnElement<E>,
                Rule<!std::is_void_v<Declaration<Sizes, As...>>, Declaration<Sizes, As...>>>;
template <class V> using Like = FirstBroken<NotATensor<V>, DifferentElements<AnyVariable, V>>;
template <class X, class... As>
using Result = FirstBroken<NotATensor<X>, Rule<!std::is_void_v<WrongAxes<Axes<As...>, AxesOf<X>>>,
                                               WrongAxes<Axes<As...>, AxesOf<X>>>>;
} // namespace misuse

/// A prefix for names of variables: program.scope("encoder").scope("0") makes "encoder.0.weight".
/// It keeps the line that made it, for the module that gets it.
class Scope {
public:
  Scope(graph::Graph &graph, std::string prefix, std::optional<Where> made = std::nullopt)
      : graph(&graph), prefix(std::move(prefix)), made(made) {}

  Scope scope(const std::string &name, Where where = Where::current()) const {
    return {*graph, qualified(name), where};
  }
  Scope scope(int index, Where where = Where::current()) const {
    return scope(std::to_string(index), where);
  }

  /// The place of a module in this scope: the line that made the scope, or `where`, the call of the
  /// module's constructor, if the scope is a program. (Such a call may be inside the standard
  /// library, as in emplace_back.)
  Where placeOr(const Where &where) const { return made.value_or(where); }
  /// The scope of a part of such a module; the part has the module's place.
  Scope part(const std::string &name, const Where &where) const {
    return scope(name, placeOr(where));
  }
  Scope part(int index, const Where &where) const { return part(std::to_string(index), where); }

  /// A tensor that is trained. The order of axes is the external one, as in checkpoints.
  template <AnAxis... As, std::convertible_to<Size>... Sizes>
    requires misuse::Sound<misuse::Declaration<sizeof...(Sizes), As...>>
  Variable<SetOf<As...>, float> parameter(const graph::Named &name, const Initializer &initializer,
                                          const Sizes &...sizes) const {
    return declare<float, As...>("parameter", name, initializer, {Size(sizes)...});
  }

  /// A tensor that is kept in checkpoints but not trained, e.g. a count of steps.
  template <class E, AnAxis... As, std::convertible_to<Size>... Sizes>
    requires misuse::Sound<misuse::TypedDeclaration<E, sizeof...(Sizes), As...>>
  Variable<SetOf<As...>, E> state(const graph::Named &name, const Initializer &initializer,
                                  const Sizes &...sizes) const {
    return declare<E, As...>("state", name, initializer, {Size(sizes)...});
  }
  /// A state with the axes and the element type of another variable.
  AnyVariable stateLike(const AnyVariable &like, const graph::Named &name,
                        const Initializer &initializer) const {
    const graph::Shape &shape = graph::shapeOfVariable(*graph, like.node(), name.where);
    return AnyVariable(
        graph::declare(*graph, "state", qualified(name.text), shape, initializer, name.where));
  }
  /// The same, called like the other one.
  AnyVariable stateLike(const AnyVariable &like, const Initializer &initializer,
                        Where where = Where::current()) const {
    graph::shapeOfVariable(*graph, like.node(), where); // a name of another program may be gone
    return stateLike(like, graph::Named(like.name(), where), initializer);
  }

  /// A tensor of the caller's session, e.g. a key/value cache. Its sizes may be symbols.
  template <class E, AnAxis... As, std::convertible_to<Size>... Sizes>
    requires misuse::Sound<misuse::TypedDeclaration<E, sizeof...(Sizes), As...>>
  Variable<SetOf<As...>, E> session(const graph::Named &name, const Sizes &...sizes) const {
    return declare<E, As...>("session", name, init::zeros(), {Size(sizes)...});
  }

  // What the compiler says about axes, sizes and elements that do not match.
  template <AnAxis... As, class... Sizes,
            class Error = misuse::Declaration<sizeof...(Sizes), As...>>
    requires misuse::Broken<Error>
  void parameter(const graph::Named &, const Initializer &, const Sizes &...) const = delete;
  template <class V, class Error = misuse::Like<V>>
    requires misuse::Broken<Error>
  void stateLike(const V &, const graph::Named &, const Initializer &) const = delete;
  template <class E, AnAxis... As, class... Sizes,
            class Error = misuse::TypedDeclaration<E, sizeof...(Sizes), As...>>
    requires misuse::Broken<Error>
  void state(const graph::Named &, const Initializer &, const Sizes &...) const = delete;
  template <class E, AnAxis... As, class... Sizes,
            class Error = misuse::TypedDeclaration<E, sizeof...(Sizes), As...>>
    requires misuse::Broken<Error>
  void session(const graph::Named &, const Sizes &...) const = delete;

protected:
  graph::Graph *graph;

private:
  std::string qualified(const std::string &name) const {
    return prefix.empty() ? name : prefix + "." + name;
  }
  template <class E, class... As>
  Variable<SetOf<As...>, E> declare(const char *kind, const graph::Named &name,
                                    const Initializer &initializer,
                                    const std::vector<Size> &sizes) const {
    return Variable<SetOf<As...>, E>(graph::declare(*graph, kind, qualified(name.text),
                                                    graph::shape<E, As...>(sizes), initializer,
                                                    name.where));
  }

  std::string prefix;
  std::optional<Where> made;
};

/// A function under construction.
class Function {
public:
  /// An argument; the order of axes is the one in the caller's memory, slowest first.
  template <class E, AnAxis... As, std::convertible_to<Size>... Sizes>
    requires misuse::Sound<misuse::TypedDeclaration<E, sizeof...(Sizes), As...>>
  Value<SetOf<As...>, E> argument(const graph::Named &name, const Sizes &...sizes) {
    return Value<SetOf<As...>, E>(graph::argument(name, graph::shape<E, As...>({Size(sizes)...})));
  }
  template <class E, AnAxis... As, class... Sizes,
            class Error = misuse::TypedDeclaration<E, sizeof...(Sizes), As...>>
    requires misuse::Broken<Error>
  void argument(const graph::Named &, const Sizes &...) = delete;

  /// A result; As are its axes in the order of the caller's memory, slowest first.
  template <AnAxis... As, class X>
    requires misuse::Sound<misuse::Result<X, As...>>
  void result(const graph::Named &name, const X &x) {
    graph::result(name, x.node(), graph::names<As...>());
  }
  template <AnAxis... As, class X, class Error = misuse::Result<X, As...>>
    requires misuse::Broken<Error>
  void result(const graph::Named &, const X &) = delete;
};

/// Named functions over shared parameters, states and session variables.
class Program : public Scope {
public:
  Program();
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  /// A size that each call binds, at most `maximum`.
  Size size(const graph::Named &symbol, std::int64_t maximum);

  /// Adds a function; `body` is run at once and builds its graph. If it throws there is no such
  /// function, but the variables and sizes that it declared stay.
  void function(const graph::Named &name, const std::function<void(Function &)> &body);

  /// All parameters so far, in the order of their declaration.
  std::vector<AnyVariable> parameters() const;

  /// The program as text.
  std::string print() const;

private:
  friend graph::Graph &graph::graphOf(const Program &program);
  explicit Program(std::unique_ptr<graph::Graph> graph);

  std::unique_ptr<graph::Graph> owned;
};

} // namespace axloom
