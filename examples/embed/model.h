// Sentence embeddings: BERT, the mean over the real tokens, length 1.
#pragma once

namespace axloom {
class Options;
class Program;
} // namespace axloom

namespace embed {

// Adds two functions to the program; token 0 is padding:
//   embed(tokens [batch, position]) -> embedding [batch, model], each of length 1
//   attention(tokens) -> encoder.0, encoder.1, ... [batch, heads, position, key]: the attention
//   weights of each layer
// Options with their defaults, those of all-MiniLM-L6-v2: layers=6, width=384, heads=12,
// hidden=1536, vocabulary=30522, places=512; batch=256, the most that a call may have.
void build(axloom::Program &program, axloom::Options &options);

} // namespace embed
