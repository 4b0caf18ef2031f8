// Finds the values of the size symbols from the extents of a call's tensors, and checks that all
// extents agree with them.
#pragma once

#include "runtime/core/View.h"

#include <string>

namespace axloom::runtime {

class SizeResolver {
public:
  // `sizes`: a value for each symbol of the model, -1 where not known yet; found values are stored
  // there.
  SizeResolver(const axl_model &model, const axl_function &function, std::span<int64_t> sizes)
      : model(model), function(function), sizes(sizes) {}

  // Learns from tensor extents that are a symbol alone; throws on contradictions and on values
  // beyond a symbol's maximum. `kind`: "argument" or "result".
  void learn(const char *kind, const axl_value &value, const AnyView &view);

  // Once all have been learned from: an extent with a single unknown symbol gives it; again, until
  // none does. `results` may be null.
  void infer(const AnyView *arguments, const AnyView *results);

  // After that: a symbol that stands beside a size of 0 alone may be anything, and is 0.
  void takeAnything(const AnyView *arguments, const AnyView *results);

  // Checks all extents.
  void verify(const char *kind, const axl_value &value, const AnyView &view);

private:
  template <class Use>
  void forEachAxis(const AnyView *arguments, const AnyView *results, const Use &use);
  template <class Step>
  void repeat(const AnyView *arguments, const AnyView *results, const Step &step);
  bool divide(const char *kind, const axl_value &value, int32_t axis, int64_t size);
  bool takeAnything(const axl_extent &extent, int64_t size);
  void bind(int32_t symbol, int64_t found, const char *kind, const axl_value &value, int32_t axis);

  const axl_model &model;
  const axl_function &function;
  std::span<int64_t> sizes;
};

// The value of an extent; -1 if it contains a symbol that has none.
int64_t evaluate(const axl_extent &extent, std::span<const int64_t> sizes);

// "B*S = 64", "512"
std::string describe(const axl_model &model, const axl_extent &extent,
                     std::span<const int64_t> sizes);

} // namespace axloom::runtime
