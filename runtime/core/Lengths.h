// The lengths of ragged axes: checks those that a call passes, and finds the sizes and offsets that
// follow from them.
#pragma once

#include "runtime/core/View.h"

#include <vector>

namespace axloom::runtime {

// Stores the longest lengths and the totals in `sizes` (a value for each symbol of the model) and,
// unless `offsets` is null, where entries start for each total in the vector of its symbol. Throws
// as checkLengths does, and on more elements than an i32 counts.
void deriveRaggedSizes(const axl_model &model, const axl_function &function,
                       const AnyView *arguments, std::span<int64_t> sizes,
                       std::vector<std::vector<int32_t>> *offsets);

// Throws on a length that is negative, beyond its symbol's maximum, or beyond the size itself where
// `sizes` has it because another tensor of the call has that size.
void checkLengths(const axl_model &model, const axl_function &function, const AnyView *arguments,
                  std::span<int64_t> sizes);

} // namespace axloom::runtime
