#include "codegen/halide/HalideBody.h"

#include "codegen/halide/Math.h"

#include <map>
#include <set>
#include <sstream>

using namespace axloom::codegen;
using namespace Halide::Internal;
using Halide::Expr;

namespace {
constexpr const char *operandPrefix = "operand_";

/// What an expression uses that is no operand.
class Inspection : public IRGraphVisitor {
public:
  std::string foreign; // the first one

private:
  using IRGraphVisitor::visit;

  void visit(const Variable *variable) override {
    if (variable->name.rfind(operandPrefix, 0) != 0)
      refuse("the variable '" + variable->name + "'");
  }
  void visit(const Call *call) override {
    if (!call->is_pure() || call->call_type == Call::Halide || call->call_type == Call::Image)
      refuse("'" + call->name + "'");
    IRGraphVisitor::visit(call);
  }
  void refuse(const std::string &what) {
    if (foreign.empty())
      foreign = what + ", which is no operand";
  }
};

/// Calls of Halide's elementary functions become calls of ours.
class OwnMath : public IRGraphMutator {
  using IRGraphMutator::visit;

  Expr visit(const Call *call) override {
    static const std::map<std::string, Expr (*)(Expr)> own = {{"exp_f32", expOf},
                                                              {"log_f32", logOf},
                                                              {"tanh_f32", tanhOf},
                                                              {"sin_f32", sinOf},
                                                              {"cos_f32", cosOf}};
    Expr mutated = IRGraphMutator::visit(call);
    const auto *same = mutated.as<Call>();
    if (call->name == "pow_f32")
      return powOf(same->args[0], same->args[1]);
    auto found = own.find(call->name);
    return found == own.end() ? mutated : found->second(same->args[0]);
  }
};

/// The exact bits of an expression's numbers, which printing rounds, in the order of printing.
class Numbers : public IRVisitor {
public:
  explicit Numbers(std::ostream &text) : text(text) {}

private:
  using IRVisitor::visit;
  void visit(const FloatImm *number) override { text << " " << std::hexfloat << number->value; }

  std::ostream &text;
};

/// Prints an expression, what is used several times only once: as a tree it may be exponentially
/// large. Values have names that are the same from call to call.
void print(std::ostream &text, const Expr &expression) {
  Expr rest = common_subexpression_elimination(expression);
  Numbers numbers(text);
  rest.accept(&numbers);
  int count = 0;
  while (const auto *let = rest.as<Let>()) {
    std::string name = "value_" + std::to_string(count++);
    text << name << " = " << let->value << "; ";
    rest = substitute(let->name, Variable::make(let->value.type(), name), let->body);
  }
  text << rest;
}

std::string nameOf(Halide::Type type) {
  std::ostringstream name;
  name << type;
  return name.str();
}
} // namespace

HalideBody::HalideBody(const std::vector<Halide::Type> &operands, Halide::Type result,
                       Formula given)
    : formula(std::move(given)) {
  std::vector<Expr> symbols;
  for (size_t i = 0; i < operands.size(); ++i)
    symbols.push_back(Variable::make(operands[i], operandPrefix + std::to_string(i)));
  try {
    Expr element = formula(symbols);
    if (!element.defined() || element.type() != result) {
      mistake = (element.defined() ? nameOf(element.type()) : "no expression") +
                ", but an element is " + nameOf(result);
      return;
    }
    element = substitute_in_all_lets(element); // their names differ from call to call
    Inspection inspection;
    element.accept(&inspection);
    mistake = inspection.foreign;
    std::ostringstream text;
    print(text, element);
    printed = text.str();
  } catch (const Halide::Error &error) {
    mistake = error.what();
  }
}

Expr HalideBody::at(const std::vector<Expr> &operands) const {
  return OwnMath().mutate(formula(operands));
}
