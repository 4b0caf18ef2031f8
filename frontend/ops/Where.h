//===- Where.h - choosing and hiding elements by a mask -------------------------===//
//
// Tests: tests/frontend/OpsTest.cpp, tests/frontend/misuse/masked.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Tensor.h"

namespace axloom {

/// x with the elements hidden where the mask does not hold. Only softmax, sum, max and mean take
/// it, and see what is visible.
template <class M, class X> struct Masked {
  M mask;
  X x;
};

namespace detail {
// float for floating-point literals, int for integers, the tensor's element for tensors.
template <class X>
using ChosenElement =
    std::conditional_t<TensorLike<X>, ElementOf<X>,
                       std::conditional_t<std::floating_point<X>, float,
                                          std::conditional_t<std::same_as<X, bool>, bool, int>>>;
template <class X, class Y>
using Choice = ChosenElement<std::conditional_t<
    TensorLike<X>, X, std::conditional_t<TensorLike<Y> || std::floating_point<Y>, Y, X>>>;
} // namespace detail

namespace misuse {
template <class M>
using NotAMask = Rule<!std::same_as<ElementOf<M>, bool>, mask_must_be_boolean_but_is<ElementOf<M>>>;
template <class M, class X> using Hide = FirstBroken<NotATensor<M>, NotATensor<X>, NotAMask<M>>;
template <class M, class X, class Y>
using Choose = FirstBroken<NotATensor<M>, NotAMask<M>, NotAnOperand<X>, NotAnOperand<Y>,
                           DifferentElements<X, Y>, UnfitScalar<X, Y>, UnfitScalar<Y, X>>;
} // namespace misuse

/// x, visible where the mask holds.
template <class M, class X>
  requires misuse::Sound<misuse::Hide<M, X>>
auto where(const M &mask, const X &x) {
  return Masked<Value<AxesOf<M>, bool>, Value<AxesOf<X>, ElementOf<X>>>{mask, x};
}
template <class M, class X, class Error = misuse::Hide<M, X>>
  requires misuse::Broken<Error>
void where(const M &, const X &) = delete;

/// x where the mask holds, y elsewhere; either may be a number.
template <class M, class X, class Y>
  requires misuse::Sound<misuse::Choose<M, X, Y>>
auto where(const M &mask, const X &x, const Y &y, Where here = Where::current()) {
  using E = detail::Choice<X, Y>;
  return Broadcast<E, M, X, Y>(graph::emit(
      "select", {mask.node(), detail::nodeOf<E>(x, here), detail::nodeOf<E>(y, here)}, {}, here));
}
template <class M, class X, class Y, class Error = misuse::Choose<M, X, Y>>
  requires misuse::Broken<Error>
void where(const M &, const X &, const Y &) = delete;

} // namespace axloom
