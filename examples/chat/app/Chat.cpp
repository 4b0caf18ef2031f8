#include "examples/chat/app/Chat.h"

#include "examples/chat/app/Assistant.h"
#include "examples/chat/app/Conversation.h"
#include "examples/chat/app/Options.h"
#include "examples/common/Lines.h"
#include "examples/common/Print.h"
#include "runtime/core/Error.h"

#include <cstdio>
#include <unistd.h>

using namespace axloom::runtime;

namespace example {
namespace {

void show(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  flushOutput();
}

class Chat {
public:
  Chat(const axl_model &model, const ChatOptions &options)
      : assistant(model, options.assistant),
        conversation(assistant.tokenizer(), options.system, assistant.room()),
        tellsPace(options.statistics || isatty(STDERR_FILENO)) {}

  void reply(const std::string &question) {
    if (size_t forgotten = conversation.ask(question); forgotten > 0)
      std::fprintf(stderr,
                   "chat: the conversation is too long for the model: the first %zu of its "
                   "questions are forgotten, with their answers\n",
                   forgotten);
    Assistant::Answer answer = assistant.answer(conversation.tokens(), show);
    show("\n");
    conversation.answer(answer.tokens);
    if (tellsPace)
      std::fprintf(stderr, "chat: %s\n", answer.pace.text().c_str());
  }

private:
  Assistant assistant;
  Conversation conversation;
  bool tellsPace;
};

// Whether there is an answer to the line: a question that is too long is not the end of a
// conversation.
bool answers(Chat &chat, const std::string &line) {
  try {
    if (!line.empty())
      chat.reply(line);
    return true;
  } catch (const Error &error) {
    if (error.code() != AXL_ERROR_SIZE)
      throw;
    std::fprintf(stderr, "chat: %s\n", error.what());
    return false;
  }
}

// Answers each line of standard input before it reads the next one, until its end.
int converse(Chat &chat) {
  bool isTerminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  std::string_view prompt = isTerminal ? "> " : "";
  int status = 0;
  show(prompt);
  forEachLine([&](const std::string &line) {
    if (!answers(chat, line))
      status = 1;
    show(prompt);
  });
  show(isTerminal ? "\n" : "");
  return status;
}

int answer(const axl_model &model, const ChatOptions &options) {
  if (options.question == "")
    throw Error(AXL_ERROR_DATA, "the question is empty: write at least a word");
  Chat chat(model, options);
  if (!options.question)
    return converse(chat);
  chat.reply(*options.question);
  return 0;
}

} // namespace

int runChat(const axl_model &model, int argc, char **argv) {
  int status = 0;
  std::optional<ChatOptions> options = parseChat(argc, argv, status);
  return options ? guarded("chat", [&] { return answer(model, *options); }) : status;
}

} // namespace example
