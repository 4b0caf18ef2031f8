#include "tests/examples/classify/ToyTexts.h"

#include <filesystem>
#include <fstream>

namespace example {
namespace {

using Words = std::vector<std::string>;

// Three labels, with the words that tell them.
const std::vector<std::pair<std::string, Words>> kinds = {
    {"animal", {"dog", "cat", "hen"}}, {"plant", {"oak", "rose"}}, {"tool", {"saw", "axe", "pen"}}};
const Words others = {"the", "old", "red", "my"};

// Text number i: up to five words, one of which tells its label.
std::string line(size_t i) {
  const auto &[label, words] = kinds[i % kinds.size()];
  size_t length = 1 + i * 7 % 5, place = i * 5 % length;
  std::string text;
  for (size_t at = 0; at < length; ++at)
    text += (at ? " " : "") + (at == place ? words[i / 3 % words.size()] : others[(i + at) % 4]);
  return label + "\t" + text + "\n";
}

} // namespace

ToyTexts::ToyTexts() {
  std::filesystem::create_directories(data);
  size_t next = 0;
  for (auto [split, count] : {std::pair("train", 240), {"valid", 30}, {"test", 60}}) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += line(next++);
    write(split, text);
  }
}

void ToyTexts::write(const std::string &split, const std::string &text) const {
  std::ofstream(data + "/" + split + ".tsv", std::ios::binary) << text;
}

void ToyTexts::add(const std::string &split, const std::string &text) const {
  std::ofstream(data + "/" + split + ".tsv", std::ios::binary | std::ios::app) << text;
}

std::string ToyTexts::writeWords() const {
  std::string weights = folder.path("weights");
  std::filesystem::create_directories(weights);
  std::ofstream file(weights + "/vocab.txt");
  file << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n";
  for (const auto &[label, words] : kinds)
    for (const std::string &word : words)
      file << word << "\n";
  for (const std::string &word : others)
    file << word << "\n";
  return weights;
}

std::vector<std::string> ToyTexts::trainer(const std::vector<std::string> &options) const {
  std::vector<std::string> command = {TRAINER, "--data", data, "--checkpoint", model};
  command.insert(command.end(), options.begin(), options.end());
  return command;
}

Finished ToyTexts::train(const std::vector<std::string> &options) const {
  return runProgram(trainer(options));
}

Finished ToyTexts::classify(const std::vector<std::string> &options,
                            const std::string &input) const {
  std::vector<std::string> command = {CLASSIFY, "--checkpoint", model};
  command.insert(command.end(), options.begin(), options.end());
  return runProgram(command, {.input = input, .environment = {}});
}

double numberAfter(const std::string &text, const std::string &label) {
  size_t at = text.find(label);
  EXPECT_NE(at, std::string::npos) << "no '" << label << "' in:\n" << text;
  return at == std::string::npos ? -1 : std::stod(text.substr(at + label.size()));
}

} // namespace example
