#include "examples/classify/app/Tokenizer.h"

#include "examples/common/Subwords.h"
#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/checkpoint/WholeFile.h"
#include "runtime/core/Error.h"
#include "runtime/data/Vocabulary.h"
#include "runtime/data/WordPiece.h"

#include <filesystem>

using axloom::runtime::concat;
using axloom::runtime::Error;
using axloom::runtime::Units;
using axloom::runtime::Vocabulary;
using axloom::runtime::WordPiece;

namespace example {
namespace {

class Subwords : public Tokenizer {
public:
  explicit Subwords(Vocabulary vocabulary) : vocabulary(std::move(vocabulary)) {}

  TextTokens encode(std::string_view text, int64_t limit) const override {
    TextTokens tokens{.ids = vocabulary.encode(text)};
    tokens.cut = int64_t(tokens.ids.size()) > limit;
    if (tokens.cut)
      tokens.ids.resize(size_t(limit));
    return tokens;
  }
  int32_t size() const override { return vocabulary.size(); }
  std::string piece(int32_t id) const override { return vocabulary.piece(id); }

private:
  Vocabulary vocabulary;
};

class BertWords : public Tokenizer {
public:
  explicit BertWords(const std::string &path) : words(axloom::runtime::loadPaddedWithZeros(path)) {}

  TextTokens encode(std::string_view text, int64_t limit) const override {
    TextTokens tokens{.ids = words.encode(text)};
    if (!tokens.ids.empty())
      tokens.cut = enclose(tokens.ids, words.start(), words.separator(), limit);
    return tokens;
  }
  int32_t size() const override { return int32_t(words.size()); }
  std::string piece(int32_t id) const override { return words.unit(id); }

private:
  WordPiece words;
};

// A start that failed may have left a vocabulary of the other kind, which is none of this run's.
void removeOther(const std::string &path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error)
    throw Error(AXL_ERROR_FILE, concat("cannot remove '", path, "': ", error.message()));
}

} // namespace

std::unique_ptr<Tokenizer> learnTokenizer(std::span<const std::string_view> texts, int32_t size,
                                          const RunFolder &folder) {
  auto tokenizer =
      std::make_unique<Subwords>(learnVocabulary(texts, size, Units::Bpe, folder.vocabulary));
  removeOther(folder.words);
  return tokenizer;
}

std::unique_ptr<Tokenizer> publishedTokenizer(const std::string &words) {
  return std::make_unique<BertWords>(words);
}

void keepWords(const std::string &words, const RunFolder &folder) {
  std::string contents = axloom::runtime::readWhole(words);
  axloom::runtime::AtomicFile file(folder.words);
  file.write(contents.data(), contents.size());
  file.commit();
  removeOther(folder.vocabulary);
}

std::unique_ptr<Tokenizer> loadTokenizer(const RunFolder &folder) {
  if (std::filesystem::exists(folder.words))
    return std::make_unique<BertWords>(folder.words);
  if (std::filesystem::exists(folder.vocabulary))
    return std::make_unique<Subwords>(Vocabulary::load(folder.vocabulary));
  throw Error(AXL_ERROR_FILE, concat("there is no vocabulary in '", folder.path,
                                     "': train first, or name the folder that the trainer has "
                                     "written with --checkpoint"));
}

} // namespace example
