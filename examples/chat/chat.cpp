// Answers questions with the compiled model; `chat --help` lists the options.
#include "chat.h"

#include "examples/chat/app/Chat.h"

int main(int argc, char **argv) { return example::runChat(chat_model, argc, argv); }
