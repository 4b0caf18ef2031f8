#include "runtime/decode/Beam.h"

#include "runtime/core/Error.h"
#include "runtime/decode/Hypotheses.h"
#include "runtime/decode/Steps.h"

#include <algorithm>
#include <cmath>

using namespace axloom::runtime;

Beam::Beam(Model &model, const BeamOptions &options)
    : model(model), options(options), heard(model, {options.encode, options.end, options.padding}) {
  positive("BeamOptions::beams", options.beams);
  positive("BeamOptions::sentences", options.sentences);
  positive("BeamOptions::maximumLength", options.maximumLength);
  if (!(options.lengthPenalty >= 0 && std::isfinite(options.lengthPenalty)))
    throw Error(AXL_ERROR_ARGUMENT, concat("BeamOptions::lengthPenalty is ", options.lengthPenalty,
                                           "; expected a number from 0"));
  if (options.beyondSource < 0)
    throw Error(AXL_ERROR_ARGUMENT, concat("BeamOptions::beyondSource is ", options.beyondSource,
                                           "; expected a number from 0"));
  heard.checkLength(options.maximumLength);
  if (options.beams > heard.mostRows())
    throw Error(AXL_ERROR_SIZE, concat(options.beams, " beams were asked for, but model '",
                                       model.description().name, "' was compiled for at most ",
                                       heard.mostRows(), " rows in a batch"));
  this->options.sentences = std::min(options.sentences, heard.mostRows() / options.beams);
  this->options.beyondSource = std::min(options.beyondSource, options.maximumLength);
  (void)model.function(options.reorder); // known, or an error
  if (!speaksLogits(model.description().functions[model.function(options.step)]))
    throw Error(AXL_ERROR_ARGUMENT,
                concat("beam search needs '", options.step, "' of model '",
                       model.description().name,
                       "' to have one result, logits, f32 [batch, vocabulary]"));
}

std::vector<std::vector<int32_t>> Beam::decode(std::span<const std::vector<int32_t>> sources) {
  return decodeByLength(sources, options.sentences, [&](auto batch) { return decodeBatch(batch); });
}

// Tokens in the answer to a source, the end of both included.
int64_t Beam::limit(std::span<const int32_t> source) const {
  int64_t tokens = int64_t(source.size()) + 1;
  return std::min(options.maximumLength, tokens + options.beyondSource);
}

std::vector<std::vector<int32_t>>
Beam::decodeBatch(std::span<const std::span<const int32_t>> sources) {
  std::vector<std::span<const int32_t>> rows;
  std::vector<Hypotheses> searches;
  int64_t longest = 0;
  for (std::span<const int32_t> source : sources) {
    rows.insert(rows.end(), size_t(options.beams), source);
    searches.emplace_back(SearchOptions{options.beams, options.lengthPenalty, options.begin,
                                        options.end, limit(source)});
    longest = std::max(longest, limit(source));
  }
  searchAll(heard.encode(rows, longest), searches);
  std::vector<std::vector<int32_t>> answers;
  for (const Hypotheses &search : searches)
    answers.push_back(search.answer());
  return answers;
}

void Beam::searchAll(Session &session, std::span<Hypotheses> searches) {
  size_t beams = size_t(options.beams);
  Step step(session, model.description().functions[model.function(options.step)],
            searches.size() * beams, {{"source_mask", heard.mask()}});
  auto isOver = [](const Hypotheses &search) { return search.size() == 0; };
  for (int32_t position = 0; !std::ranges::all_of(searches, isOver); ++position) {
    if (position > 0)
      reorder(session, searches);
    for (size_t sentence = 0; sentence < searches.size(); ++sentence)
      for (size_t beam = 0; beam < beams; ++beam) {
        const Hypotheses &search = searches[sentence];
        int32_t token = beam < search.size() ? search.last(beam) : options.padding;
        step.hear(sentence * beams + beam, token, position);
      }
    step.call(position);
    for (size_t sentence = 0; sentence < searches.size(); ++sentence) {
      std::vector<std::span<const float>> logits;
      for (size_t beam = 0; beam < searches[sentence].size(); ++beam)
        logits.push_back(step.logits(sentence * beams + beam));
      if (!logits.empty())
        searches[sentence].extend(logits);
    }
  }
}

// Gives each beginning what the session keeps of the one that it goes on with.
void Beam::reorder(Session &session, std::span<const Hypotheses> searches) const {
  int32_t beams = int32_t(options.beams), row = 0;
  Tensor parent(AXL_I32, {int64_t(searches.size()) * beams});
  bool stays = true;
  for (const Hypotheses &search : searches)
    for (int32_t first = row; row < first + beams; ++row) {
      size_t beam = size_t(row - first);
      int32_t from = beam < search.size() ? first + int32_t(search.parent(beam)) : row;
      parent.view<int32_t>()[row] = from;
      stays &= from == row;
    }
  if (!stays)
    session.call(options.reorder, {{"parent", parent}}, {});
}
