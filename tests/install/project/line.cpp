// A model as small as they come: a weighted sum, fitted by gradient descent.
#include "codegen/driver/Generate.h"
#include "frontend/Axloom.h"

struct Batch : axloom::Axis<"batch"> {};
struct Input : axloom::Axis<"input"> {};

int main(int argc, char **argv) {
  return axloom::generate(argc, argv, [](axloom::Program &program, axloom::Options &options) {
    int inputs = options.get("inputs", 2);
    axloom::Size batch = program.size("B", 1024);
    auto weight = program.parameter<Input>("weight", axloom::init::zeros(), inputs);

    program.function("train_step", [&](axloom::Function &f) {
      auto x = f.argument<float, Batch, Input>("x", batch, inputs);
      auto y = f.argument<float, Batch>("y", batch);
      auto error = axloom::contract<Input>(x, weight) - y;
      auto loss = axloom::mean<Batch>(error * error);
      axloom::assign(weight, weight - 0.1f * axloom::gradient(loss, weight));
      f.result<>("loss", loss);
    });
  });
}
