// Reads files of text: whole, so that one that cannot be read never counts as one that ends early.
//
//   std::string contents = readWhole(path);
//   for (std::string_view rest = contents; !rest.empty();)
//     use(takeLine(rest));
#pragma once

#include "runtime/abi/axloom.h"

#include <string>
#include <string_view>

namespace axloom::runtime {

// What is in a file. Throws Error with this code where there is none, where it is a folder, or
// where reading fails on the way; `hint` follows the reason.
std::string readWhole(const std::string &path, const std::string &hint = "",
                      axl_code code = AXL_ERROR_FILE);

// The text without the mark that some editors begin UTF-8 with.
std::string_view withoutMark(std::string_view text);

// The first line of `rest`, without its end, be it one of Windows; `rest` is what follows.
std::string_view takeLine(std::string_view &rest);

} // namespace axloom::runtime
