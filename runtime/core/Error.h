// What goes wrong in the runtime, as an exception: a code of the C interface and a message that
// says what, where, expected, found, and what to do.
#pragma once

#include "runtime/abi/axloom.h"

#include <cstdint>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>

namespace axloom::runtime {

class Error : public std::runtime_error {
public:
  Error(axl_code code, const std::string &message) : std::runtime_error(message), errorCode(code) {}

  axl_code code() const { return errorCode; }

private:
  axl_code errorCode;
};

// Puts a message together: concat("axis '", name, "' has size ", size). The program's locale does
// not matter.
template <class... Parts> std::string concat(const Parts &...parts) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  (text << ... << parts);
  return text.str();
}

// `value` of an option; below 1, throws AXL_ERROR_ARGUMENT with the option's name.
int64_t positive(const char *option, int64_t value);

// Throws the error that a function of the C interface has just reported in this thread.
void check(int code);

} // namespace axloom::runtime
