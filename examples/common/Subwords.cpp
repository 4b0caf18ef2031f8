#include "examples/common/Subwords.h"

#include "examples/common/CommandLine.h"
#include "examples/common/Print.h"
#include "runtime/core/Error.h"
#include "runtime/train/Progress.h"

#include <algorithm>
#include <filesystem>
#include <map>

using namespace axloom::runtime;

namespace example {

void addUnits(CommandLine &parser, Units &units) {
  static const std::map<std::string, Units> names = {{"bpe", Units::Bpe},
                                                     {"unigram", Units::Unigram}};
  parser
      .add_option("--units", units,
                  "How the vocabulary's units are found: bpe (byte-pair encoding) or unigram [bpe]")
      ->transform(CLI::CheckedTransformer(names))
      ->type_name("NAME");
}

Vocabulary learnVocabulary(std::span<const std::string_view> lines, int32_t size, Units units,
                           const std::string &path, std::span<const std::string> symbols) {
  print("learning a vocabulary of {} units", formatCount(size));
  Vocabulary::learn(lines, size, path, units, symbols);
  return Vocabulary::load(path);
}

Vocabulary learnVocabulary(std::span<const Document> documents, int32_t size, Units units,
                           const std::string &path, std::span<const std::string> symbols) {
  std::vector<std::string_view> lines;
  for (const Document &document : documents)
    lines.insert(lines.end(), document.begin(), document.end());
  return learnVocabulary(lines, size, units, path, symbols);
}

Vocabulary loadVocabulary(const std::string &path, int32_t size, std::string_view flag) {
  if (!std::filesystem::exists(path))
    throw Error(AXL_ERROR_FILE, concat("there is no vocabulary '", path,
                                       "': train first, or name the folder that the trainer has "
                                       "written with ",
                                       flag));
  Vocabulary vocabulary = Vocabulary::load(path);
  if (vocabulary.size() != size)
    throw Error(AXL_ERROR_DATA, concat("the vocabulary '", path, "' has ", vocabulary.size(),
                                       " units, but the model was compiled for ", size,
                                       ": it belongs to another model; train anew"));
  return vocabulary;
}

bool enclose(std::vector<int32_t> &ids, int32_t start, int32_t separator, int64_t limit) {
  if (limit < 2)
    throw Error(AXL_ERROR_DATA, concat("the model reads texts of at most ", limit,
                                       " tokens, expected 2 at least, for their beginning and end; "
                                       "compile it for longer ones"));
  bool cut = int64_t(ids.size()) > limit - 2;
  if (cut)
    ids.resize(size_t(limit - 2));
  ids.insert(ids.begin(), start);
  ids.push_back(separator);
  return cut;
}

std::vector<std::string> unitsOf(const Vocabulary &vocabulary, std::span<const int32_t> ids) {
  std::vector<std::string> units;
  for (int32_t id : ids)
    units.push_back(vocabulary.piece(id));
  return units;
}

Tensor batchOf(std::span<const int32_t> ids) {
  Tensor batch(AXL_I32, {1, int64_t(ids.size())});
  std::ranges::copy(ids, batch.view<int32_t>().data());
  return batch;
}

} // namespace example
