// How fast a model hears a prompt and says an answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace example {

class Pace {
public:
  // The model begins to hear a prompt of so many tokens.
  explicit Pace(size_t heard) : heard(heard) {}

  // It has said a token more.
  void say();

  // "31 tokens heard at 870.3/s, 120 said at 48.2/s"; without a speed where too little was said to
  // tell.
  std::string text() const;

private:
  using Clock = std::chrono::steady_clock;

  size_t heard, said = 0;
  Clock::time_point begin = Clock::now(), first = begin, last = begin; // tokens said
};

} // namespace example
