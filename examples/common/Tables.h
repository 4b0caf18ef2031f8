// What programs ask of a model's tables, so that the same program runs any size of it.
#pragma once

#include "runtime/abi/axloom.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

namespace example {

// A tensor that a function needs: its name and its number of axes.
using Needed = std::pair<std::string_view, int32_t>;

// Throw Error (AXL_ERROR_ARGUMENT) saying what the model lacks.
void needs(const axl_model &model, std::string_view function,
           std::initializer_list<Needed> arguments, std::initializer_list<Needed> results);
// The largest size of an axis of an argument or of a result.
int64_t largest(const axl_model &model, std::string_view function, std::string_view tensor,
                int32_t axis);

// How long one entry of a ragged batch may be, whose lengths are this argument; nothing if the
// function has none.
std::optional<int64_t> longestEntry(const axl_model &model, std::string_view function,
                                    std::string_view lengths);

// The size of an axis of a variable.
int64_t extentOf(const axl_model &model, std::string_view variable, int32_t axis);

// The size of a batch: what the user gave with an option or, without it, the usual one or the most
// that the model takes. Throws Error (AXL_ERROR_ARGUMENT) if more of `things` were given than that.
int64_t batchSize(std::string_view option, std::optional<int64_t> given, int64_t usual,
                  int64_t most, std::string_view things);

// Elements of all parameters.
int64_t countParameters(const axl_model &model);

} // namespace example
