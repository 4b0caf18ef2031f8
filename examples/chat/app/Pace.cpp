#include "examples/chat/app/Pace.h"

#include <fmt/format.h>

namespace example {
namespace {

std::string speed(size_t tokens, std::chrono::duration<double> time) {
  return time.count() > 0 ? fmt::format(" at {:.1f}/s", double(tokens) / time.count()) : "";
}

} // namespace

void Pace::say() {
  last = Clock::now();
  if (said++ == 0)
    first = last;
}

// The first token comes once all of the prompt has been heard, and each of the others a step later.
std::string Pace::text() const {
  return fmt::format("{} tokens heard{}, {} said{}", heard, speed(heard, first - begin), said,
                     speed(said - 1, last - first));
}

} // namespace example
