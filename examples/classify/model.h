// A Transformer that sorts texts into classes, as a program: model.cpp.
#pragma once

namespace axloom {
class Options;
class Program;
} // namespace axloom

namespace classify {

/// Adds three functions to the program:
///   train_step(tokens [batch, position], labels [batch], seed, steps) -> loss, a mean over texts;
///       steps is how many there will be in all
///   classify(tokens [batch, position]) -> log_probabilities [batch, class]
///   attention(tokens [batch, position]) -> for each layer [batch, heads, position, key]
/// Token 0 is padding.
void build(axloom::Program &program, axloom::Options &options);

} // namespace classify
