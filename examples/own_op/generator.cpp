// An op that Axloom does not have, and a model with it: the gated activation SwiGLU (Shazeer 2020)
// with a slope for each hidden unit, which is learned like any parameter.
#include "gated.h"

#include "codegen/driver/Generate.h"
#include "codegen/halide/CustomOp.h"
#include "frontend/Axloom.h"
#include "frontend/nn/Linear.h"
#include "frontend/train/Adam.h"

using namespace axloom;

namespace {
struct Batch : Axis<"batch"> {};
struct Input : Axis<"input"> {};
struct Hidden : Axis<"hidden"> {};

/// A network of two layers that is to learn the product of its two inputs.
void build(Program &program, Options &options) {
  // y = x * gate * s with s = sigmoid(slope * gate)
  const CustomOp<float(float, float, float)> gatedActivation(
      {.name = "gated",
       .body = [](auto x, auto gate, auto slope) { return x * gate / (1 + exp(-slope * gate)); },
       .reference = gated::reference,
       .adjoint =
           [](auto x, auto gate, auto slope, auto, auto g) {
             auto s = sigmoid(slope * gate);
             auto inner = g * x * gate * s * (1 - s); // the adjoint of slope * gate
             return std::array{g * gate * s, g * x * s + inner * slope, inner * gate};
           }});

  Size batch = program.size("B", 1024);
  int hidden = options.get("hidden", 16);
  nn::Linear<Input, Hidden> up(program.scope("up"), 2, hidden);
  nn::Linear<Input, Hidden> gate(program.scope("gate"), 2, hidden);
  auto slope = program.parameter<Hidden>("slope", init::ones(), hidden);
  auto down = program.parameter<Hidden>("down", init::uniform(-0.5, 0.5), hidden);

  auto predict = [&](const Tensor<Batch, Input> &x) -> Tensor<Batch> {
    return contract<Hidden>(gatedActivation(up(x), gate(x), slope), down);
  };
  program.function("train_step", [&](Function &f) {
    auto x = f.argument<float, Batch, Input>("x", batch, 2);
    auto y = f.argument<float, Batch>("y", batch);
    auto error = predict(x) - y;
    auto loss = mean<Batch>(error * error);
    train::Adam(program.scope("adam"), program.parameters(), {}).minimize(loss, constant(0.01f));
    f.result<>("loss", loss);
  });
  program.function("predict", [&](Function &f) {
    f.result<Batch>("y", predict(f.argument<float, Batch, Input>("x", batch, 2)));
  });
}
} // namespace

int main(int argc, char **argv) { return generate(argc, argv, build); }
