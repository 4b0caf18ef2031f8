// The vocabulary of a run: learned once, then found again beside the checkpoint.
#pragma once

#include "runtime/core/Tensor.h"
#include "runtime/data/Corpus.h"
#include "runtime/data/Vocabulary.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace example {

class CommandLine;

// Declares --units.
void addUnits(CommandLine &parser, axloom::runtime::Units &units);

// Learn as many units as the model was compiled for, from lines or from the sentences of documents,
// and write them; `symbols` are units that no text is cut into.
axloom::runtime::Vocabulary learnVocabulary(std::span<const std::string_view> lines, int32_t size,
                                            axloom::runtime::Units units, const std::string &path,
                                            std::span<const std::string> symbols = {});
axloom::runtime::Vocabulary learnVocabulary(std::span<const axloom::runtime::Document> documents,
                                            int32_t size, axloom::runtime::Units units,
                                            const std::string &path,
                                            std::span<const std::string> symbols = {});

// The vocabulary that a checkpoint was trained with. Throws Error if it is missing, damaged, or not
// of the model's size. `flag` names the folder that it is in.
axloom::runtime::Vocabulary loadVocabulary(const std::string &path, int32_t size,
                                           std::string_view flag = "--checkpoint");

// Puts a text's ids between two marks, as BERT reads them. With the marks they are at most `limit`:
// true if some at the end were cut off for that.
bool enclose(std::vector<int32_t> &ids, int32_t start, int32_t separator, int64_t limit);

// The units behind ids, for pictures.
std::vector<std::string> unitsOf(const axloom::runtime::Vocabulary &vocabulary,
                                 std::span<const int32_t> ids);

// A batch of one text: [1, tokens].
axloom::runtime::Tensor batchOf(std::span<const int32_t> ids);

} // namespace example
