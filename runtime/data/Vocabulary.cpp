#include "runtime/data/Vocabulary.h"

#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/checkpoint/WholeFile.h"
#include "runtime/core/Error.h"
#include "runtime/data/Utf8.h"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

using namespace axloom::runtime;

namespace {

constexpr size_t longestLine = 16384; // in bytes: sentencepiece leaves out those that are longer

// The first part of a line, cut behind a space if there is one, or else between two characters, so
// that it is not too long; `rest` is what follows.
std::string_view takePart(std::string_view &rest) {
  size_t length = rest.size();
  if (length > longestLine) {
    length = rest.rfind(' ', longestLine - 1) + 1; // 0: there is none
    if (length == 0)
      length = characterStart(rest, longestLine);
  }
  std::string_view part = rest.substr(0, length);
  rest.remove_prefix(length);
  return part;
}

// Hands lines to sentencepiece part by part.
class Lines : public sentencepiece::SentenceIterator {
public:
  explicit Lines(std::span<const std::string_view> lines) : lines(lines) { load(); }

  bool done() const override { return index >= lines.size(); }
  void Next() override {
    if (rest.empty())
      ++index;
    load();
  }
  const std::string &value() const override { return current; }
  sentencepiece::util::Status status() const override { return {}; }

private:
  // The next part of the line that was begun, or the first one of a line.
  void load() {
    if (done())
      return;
    if (rest.empty())
      rest = lines[index];
    current = takePart(rest);
  }

  std::span<const std::string_view> lines;
  size_t index = 0;
  std::string_view rest; // of the line
  std::string current;
};

std::string joined(std::span<const std::string> symbols) {
  std::string text;
  for (const std::string &symbol : symbols)
    text += (text.empty() ? "" : ",") + symbol;
  return text;
}

} // namespace

void Vocabulary::learn(std::span<const std::string_view> lines, int32_t size,
                       const std::string &path, Units units, std::span<const std::string> symbols) {
  // One thread: the order in which candidates are counted must not depend on the machine.
  std::unordered_map<std::string, std::string> settings{
      {"model_type", units == Units::Bpe ? "bpe" : "unigram"},
      {"vocab_size", std::to_string(size)},
      {"character_coverage", "0.9999"},
      {"pad_id", std::to_string(padding)},
      {"unk_id", std::to_string(unknown)},
      {"bos_id", std::to_string(begin)},
      {"eos_id", std::to_string(end)},
      {"control_symbols", joined(symbols)},
      {"num_threads", "1"},
      {"max_sentence_length", std::to_string(longestLine)},
      {"minloglevel", "2"}};
  Lines iterator(lines);
  std::string model;
  auto status = sentencepiece::SentencePieceTrainer::Train(settings, &iterator, &model);
  if (!status.ok())
    throw Error(AXL_ERROR_DATA, concat("cannot learn a vocabulary of ", size, " units from ",
                                       lines.size(), " lines: ", status.ToString()));
  AtomicFile file(path);
  file.write(model.data(), model.size());
  file.commit();
}

Vocabulary Vocabulary::load(const std::string &path) {
  auto processor = std::make_unique<sentencepiece::SentencePieceProcessor>();
  auto status = processor->LoadFromSerializedProto(readWhole(path));
  bool usable = status.ok() && processor->pad_id() == padding && processor->unk_id() == unknown &&
                processor->bos_id() == begin && processor->eos_id() == end;
  if (!usable)
    throw Error(AXL_ERROR_FORMAT,
                concat("'", path,
                       "' is no vocabulary, or one with other special units than "
                       "padding 0, unknown 1, begin 2, end 3",
                       status.ok() ? "" : ": ", status.ok() ? "" : status.ToString()));
  return Vocabulary(std::move(processor));
}

Vocabulary::Vocabulary(std::unique_ptr<sentencepiece::SentencePieceProcessor> processor)
    : processor(std::move(processor)) {}

Vocabulary::Vocabulary(Vocabulary &&) noexcept = default;
Vocabulary &Vocabulary::operator=(Vocabulary &&) noexcept = default;
Vocabulary::~Vocabulary() = default;

int32_t Vocabulary::size() const { return processor->GetPieceSize(); }

std::vector<int32_t> Vocabulary::encode(std::string_view text) const {
  std::vector<int> ids;
  auto status = processor->Encode(text, &ids);
  if (!status.ok())
    throw Error(AXL_ERROR_DATA, concat("cannot encode '", text, "': ", status.ToString()));
  return ids;
}

std::string Vocabulary::decode(std::span<const int32_t> ids) const {
  std::vector<int> known;
  for (int32_t id : ids) {
    if (id < 0 || id >= size())
      throw Error(AXL_ERROR_DATA, concat("token ", id, " is outside the vocabulary of ", size()));
    if (id != padding && id != begin && id != end)
      known.push_back(id);
  }
  std::string text;
  auto status = processor->Decode(known, &text);
  if (!status.ok())
    throw Error(AXL_ERROR_DATA, concat("cannot decode tokens: ", status.ToString()));
  return text;
}

std::string Vocabulary::piece(int32_t id) const {
  if (id < 0 || id >= size())
    throw Error(AXL_ERROR_DATA, concat("token ", id, " is outside the vocabulary of ", size()));
  return processor->IdToPiece(id);
}

std::optional<int32_t> Vocabulary::find(std::string_view piece) const {
  int32_t found = processor->PieceToId(piece);
  if (found == unknown && piece != processor->IdToPiece(unknown))
    return std::nullopt;
  return found;
}

int32_t Vocabulary::id(std::string_view piece) const {
  if (std::optional<int32_t> found = find(piece))
    return *found;
  throw Error(AXL_ERROR_DATA, concat("the vocabulary has no unit '", piece, "'"));
}
