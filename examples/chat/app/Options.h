// The command line of the program.
#pragma once

#include "examples/chat/app/Assistant.h"

#include <optional>
#include <string>

namespace example {

struct ChatOptions {
  // Sampled as the model's authors recommend.
  Assistant::Options assistant{.weights = "weights",
                               .names = "llama.names",
                               .sampling = {.temperature = 0.2, .topP = 0.9},
                               .tokens = 512};
  std::string system = "You are a helpful AI assistant named SmolLM, trained by Hugging Face";
  std::optional<std::string> question; // none: a conversation
  bool statistics = false;
};

// Parses the command line. If there is nothing left to do (--help, or a mistake, which is then
// printed), the result is empty and `status` is what main should return.
std::optional<ChatOptions> parseChat(int argc, char **argv, int &status);

} // namespace example
