//===- Misuse.h - what the compiler says about a wrong call -------------------===//
//
// Each operation on tensors comes as a pair: the real overload, and a deleted one that is chosen
// exactly when the call is wrong. The deleted one carries the reason as a defaulted template
// argument, so the first line with `error:` is the user's own and g++ prints there, e.g.,
//   Error = axloom::misuse::left_operand_lacks_axis<Depth>
// (clang prints it in the note below). Test: tests/frontend/misuse/
//
//===----------------------------------------------------------------------===//
#pragma once

#include <type_traits>

namespace axloom::misuse {

// The reasons. The template arguments are what the user has to look for. They are written as
// sentences, not as names: NOLINTBEGIN(readability-identifier-naming)
template <class Axis> struct operand_lacks_axis {};
template <class Axis> struct operand_already_has_axis {};
template <class Axis> struct left_operand_lacks_axis {};
template <class Axis> struct right_operand_lacks_axis {};
template <class Axis> struct table_lacks_axis {};
template <class Axis> struct indices_already_have_axis {};
template <class Axis> struct logits_lack_axis {};
template <class Axis> struct labels_already_have_axis {};
template <class Axis> struct state_lacks_axis {};
template <class Axis> struct value_already_has_axis {};
template <class Axis> struct scale_must_have_only_axis {};
template <class Axis> struct offset_must_have_only_axis {};
template <class Axis> struct value_lacks_axis {};
template <class Axis> struct value_has_extra_axis {};
template <class Axis> struct axis_is_named_twice {};
template <class Element> struct indices_must_be_integers_but_are {};
template <class Element> struct labels_must_be_integers_but_are {};
template <class Element> struct index_must_be_an_integer_but_is {};
template <class Element> struct mask_must_be_boolean_but_is {};
template <class Element> struct operand_must_be_float_but_is {};
template <class Element> struct operand_must_be_a_number_but_is {};
template <class Element> struct operand_must_be_boolean_but_is {};
template <class Left, class Right> struct operands_have_different_elements {};
template <class Scalar, class Element> struct scalar_does_not_fit_element {};
template <class Type> struct element_type_is_not_supported {};
template <class Type> struct operand_is_not_a_tensor {};
template <class Type> struct masked_value_is_only_for_softmax_max_sum_mean {};
template <class Type> struct variable_changes_only_by_assign {};
template <class Type> struct axes_of_right_operand_are_known_only_to_the_graph {};
template <class Type> struct loss_must_have_no_axes_but_is {};
template <int Axes, int Sizes> struct each_axis_needs_one_size {};
struct no_axis_is_given {};
struct sizes_have_only_products_and_quotients {};
// NOLINTEND(readability-identifier-naming)

/// One rule of an operation: when Broken, Reason is the error.
template <bool Broken, class Reason> struct Rule {};

namespace detail {
template <class... Rules> struct First {
  using type = void;
};
template <class Reason, class... Rules> struct First<Rule<true, Reason>, Rules...> {
  using type = Reason;
};
template <class Reason, class... Rules>
struct First<Rule<false, Reason>, Rules...> : First<Rules...> {};
} // namespace detail

/// The reason of the first broken rule; void when the call is right.
template <class... Rules> using FirstBroken = typename detail::First<Rules...>::type;

template <class Reason>
concept Sound = std::is_void_v<Reason>;
template <class Reason>
concept Broken = !std::is_void_v<Reason>;

} // namespace axloom::misuse
