// Expectations about errors: the code and the whole message.
#pragma once

#include "runtime/core/Error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace axloom::runtime {

// Runs `action`, which must throw Error, and compares code and message.
template <class Action>
void expectError(axl_code code, const testing::Matcher<std::string> &message, Action &&action) {
  try {
    action();
  } catch (const Error &error) {
    EXPECT_THAT(std::string(error.what()), message);
    EXPECT_EQ(error.code(), code) << error.what();
    return;
  }
  ADD_FAILURE() << "no error was thrown";
}

} // namespace axloom::runtime
