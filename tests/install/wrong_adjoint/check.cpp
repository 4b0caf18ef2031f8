// The adjoint of the gate lacks a factor, the sigmoid. The check must say so, with the
// line that uses the op, and must find nothing else.
#include "codegen/driver/CheckGradients.h"
#include "codegen/halide/CustomOp.h"
#include "frontend/Axloom.h"

#include <cmath>
#include <cstdio>

struct Batch : axloom::Axis<"batch"> {};
struct Hidden : axloom::Axis<"hidden"> {};

int main() {
  const axloom::CustomOp<float(float, float)> gated(
      {.name = "gated",
       .body = [](auto x, auto gate) { return x / (1 + exp(-gate)); },
       .reference = [](double x, double gate) { return x / (1 + std::exp(-gate)); },
       .adjoint =
           [](auto x, auto gate, auto, auto g) {
             auto s = sigmoid(gate);
             return std::array{g * s, g * x * (1 - s)};
           }});

  axloom::Program program;
  axloom::Size batch = program.size("B", 64);
  auto gate = program.parameter<Hidden>("gate", axloom::init::zeros(), 3);
  unsigned line = 0;
  program.function("train_step", [&](axloom::Function &f) {
    auto x = f.argument<float, Batch>("x", batch);
    line = __LINE__ + 1;
    auto y = gated(x, gate);
    auto loss = axloom::mean<Batch>(axloom::sum<Hidden>(y * y));
    axloom::assign(gate, gate - 0.1f * axloom::gradient(loss, gate));
  });

  axloom::GradientReport report = axloom::checkGradients(program);
  std::fputs(report.text().c_str(), stdout);
  if (report.passed() || report.checks.size() != 3)
    return 1;
  const axloom::GradientCheck &parameter = report.checks[0], &x = report.checks[1],
                              &wrong = report.checks[2];
  std::string place = "check.cpp:" + std::to_string(line) + ":";
  bool told = wrong.tensor == "operand 2 of custom op 'gated'" &&
              wrong.source.find(place) != std::string::npos && !wrong.passed;
  return told && x.passed && !parameter.passed && parameter.tensor == "parameter 'gate'" ? 0 : 1;
}
