// How the next token of a text is drawn, on the command line.
#pragma once

#include "runtime/decode/Sampler.h"

#include <cstdint>
#include <string>

namespace example {

class CommandLine;

// Declares --temperature, --top-k, --top-p and --seed, which fixes the `results`: "texts".
void addSampling(CommandLine &parser, axloom::runtime::SamplingOptions &sampling, uint32_t &seed,
                 const std::string &results);

} // namespace example
