// A vocabulary of subword units (by sentencepiece), learned from text and stored in one file. The
// first four ids are fixed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace axloom::runtime {

// How units are found: by joining what often stands together (byte-pair encoding, Sennrich et al.
// 2016), or by leaving out of very many those that a unigram model misses least (Kudo 2018).
enum class Units { Bpe, Unigram };

class Vocabulary {
public:
  static constexpr int32_t padding = 0;
  static constexpr int32_t unknown = 1;
  static constexpr int32_t begin = 2;
  static constexpr int32_t end = 3;

  // Learns exactly `size` units from the lines, of any length, and writes them to `path`
  // (atomically). The same lines give the same file. Throws AXL_ERROR_DATA, with the largest
  // possible size, if the text is too small for so many units. `symbols` are units such as [MASK]
  // that no text is cut into; they follow the first four.
  static void learn(std::span<const std::string_view> lines, int32_t size, const std::string &path,
                    Units units = Units::Bpe, std::span<const std::string> symbols = {});
  // Throws AXL_ERROR_FILE or AXL_ERROR_FORMAT.
  static Vocabulary load(const std::string &path);

  Vocabulary(Vocabulary &&) noexcept;
  Vocabulary &operator=(Vocabulary &&) noexcept;
  ~Vocabulary();

  int32_t size() const;
  // Ids of a text, without begin and end.
  std::vector<int32_t> encode(std::string_view text) const;
  // The text of ids; padding, begin and end vanish. Ids outside the vocabulary throw
  // AXL_ERROR_DATA.
  std::string decode(std::span<const int32_t> ids) const;
  // The unit behind an id, for messages and pictures.
  std::string piece(int32_t id) const;
  // The id of a unit, nothing where there is none.
  std::optional<int32_t> find(std::string_view piece) const;
  // The same, but throws AXL_ERROR_DATA.
  int32_t id(std::string_view piece) const;

private:
  explicit Vocabulary(std::unique_ptr<sentencepiece::SentencePieceProcessor> processor);

  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor;
};

} // namespace axloom::runtime
