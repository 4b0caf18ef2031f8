#include "runtime/core/Error.h"

namespace {
thread_local std::string lastMessage;
} // namespace

const char *axl_last_error() { return lastMessage.c_str(); }

int axl_report(int code, const char *message) {
  try {
    lastMessage = message;
  } catch (const std::bad_alloc &) {
    lastMessage.clear();
  }
  return code;
}

int64_t axloom::runtime::positive(const char *option, int64_t value) {
  if (value < 1)
    throw Error(AXL_ERROR_ARGUMENT, concat(option, " is ", value, "; expected at least 1"));
  return value;
}

void axloom::runtime::check(int code) {
  if (code == AXL_OK)
    return;
  if (lastMessage.empty())
    lastMessage = concat("error ", code, " without a message");
  throw Error(axl_code(code), lastMessage);
}
