#include "codegen/halide/NativeRounding.h"

using namespace axloom;
using Halide::Expr;

namespace {
class Rounding : public Halide::Internal::IRMutator {
  using IRMutator::visit;

  Expr visit(const Halide::Internal::Cast *op) override {
    constexpr int lanes = 16; // of a register of f32; the instruction rounds one or two
    Halide::Type to = op->type, from = op->value.type();
    bool rounds = to.is_bfloat() && from.is_float() && from.bits() == 32;
    if (!rounds || to.lanes() % lanes != 0)
      return IRMutator::visit(op);
    // Halide's runtime for AVX512 has vcvtne2ps2bf16x32, and finds it for calls of vectors.
    Expr bits =
        Halide::Internal::Call::make(Halide::UInt(16, to.lanes()), "vcvtne2ps2bf16",
                                     {mutate(op->value)}, Halide::Internal::Call::PureExtern);
    return Halide::reinterpret(to, bits);
  }
};
} // namespace

Halide::Internal::Stmt codegen::roundNatively(const Halide::Internal::Stmt &body) {
  return Rounding().mutate(body);
}
