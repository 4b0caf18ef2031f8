#include "frontend/Size.h"
#include "frontend/Graph.h"

#include <algorithm>
#include <limits>

namespace axloom {

Size Size::symbol(std::string name) {
  Size size(1);
  size.names.push_back(std::move(name));
  return size;
}

Size Size::raggedOver(std::string_view axis) const {
  Size size = *this;
  size.over = axis;
  return size;
}

std::string Size::print() const {
  std::string text;
  if (factor != 1 || names.empty())
    text = std::to_string(factor);
  for (const std::string &name : names)
    text += (text.empty() ? "" : "*") + name;
  return over.empty() ? text : text + "[" + over + "]";
}

Size operator*(const detail::LocatedSize &multiplicand, const Size &right) {
  const Size &left = multiplicand.size;
  if (!left.over.empty() && !right.over.empty() && left.over != right.over)
    throw GraphError(graph::place(multiplicand.where),
                     {"a product of sizes that are ragged over different axes",
                      "sizes that differ along one axis at most",
                      left.print() + " * " + right.print(), "pass the product as an argument"});
  Size product(1);
  if (__builtin_mul_overflow(left.factor, right.factor, &product.factor))
    product.factor = std::numeric_limits<std::int64_t>::max(); // which no axis can have
  product.over = left.over.empty() ? right.over : left.over;
  std::merge(left.names.begin(), left.names.end(), right.names.begin(), right.names.end(),
             std::back_inserter(product.names));
  return product;
}

Size operator/(const detail::LocatedSize &dividend, const Size &right) {
  const Size &left = dividend.size;
  bool divides =
      right.factor > 0 && left.factor % right.factor == 0 && right.over.empty() &&
      (left.over.empty() || right.isConstant()) &&
      std::includes(left.names.begin(), left.names.end(), right.names.begin(), right.names.end());
  if (!divides)
    throw GraphError(graph::place(dividend.where),
                     {"size " + left.print() + " is not a multiple of size " + right.print(),
                      "sizes that divide without remainder", left.print() + " / " + right.print(),
                      "choose sizes that divide, e.g. a width that is a multiple of the heads"});
  Size quotient(left.factor / right.factor);
  quotient.over = left.over;
  std::set_difference(left.names.begin(), left.names.end(), right.names.begin(), right.names.end(),
                      std::back_inserter(quotient.names));
  return quotient;
}

} // namespace axloom
