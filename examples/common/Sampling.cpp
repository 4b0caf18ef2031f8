#include "examples/common/Sampling.h"

#include "examples/common/CommandLine.h"

#include <limits>

namespace example {

void addSampling(CommandLine &parser, axloom::runtime::SamplingOptions &sampling, uint32_t &seed,
                 const std::string &results) {
  parser
      .add_option("--temperature", sampling.temperature,
                  "0: always the likeliest token; 1: as likely as the model thinks")
      ->capture_default_str()
      ->type_name("X");
  parser
      .add_option("--top-k", sampling.topK,
                  "Draw from so many of the likeliest tokens only; 0: from all")
      ->check(notNegative())
      ->capture_default_str()
      ->type_name("N");
  parser
      .add_option("--top-p", sampling.topP,
                  "Draw from the fewest of the likeliest tokens that have this share together")
      ->capture_default_str()
      ->type_name("X");
  parser.add_option("--seed", seed, "The same seed gives the same " + results)
      ->check(between(0, std::numeric_limits<uint32_t>::max()))
      ->capture_default_str()
      ->type_name("N");
}

} // namespace example
