#include "runtime/decode/Greedy.h"

#include "runtime/core/Error.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace axloom::runtime;

namespace {

std::span<const axl_value> argumentsOf(const axl_function &function) {
  return {function.arguments, size_t(function.argument_count)};
}

// Those of `offered` that a function declares as arguments.
std::vector<Named> declared(const axl_function &function, std::initializer_list<Named> offered) {
  std::vector<Named> chosen;
  for (const Named &candidate : offered)
    for (const axl_value &value : argumentsOf(function))
      if (candidate.name == value.name)
        chosen.push_back(candidate);
  return chosen;
}

// A size that session variables have: that of an axis of encode's source, or a capacity (axis -1).
struct SessionSize {
  const axl_symbol *symbol;
  int32_t sourceAxis;
};

// The axis of encode's source whose extent is this symbol; -1 if none is.
int32_t sourceAxis(const axl_function &encode, int32_t symbol) {
  for (const axl_value &value : argumentsOf(encode))
    if (std::string_view(value.name) == "source")
      for (int32_t axis = 0; axis < value.rank; ++axis)
        if (value.extents[axis].symbols[0] == symbol)
          return axis;
  return -1;
}

std::vector<SessionSize> sessionSizes(const axl_model &model, const axl_function &encode) {
  std::set<int32_t> symbols;
  for (const axl_variable_info &variable : std::span(model.variables, size_t(model.variable_count)))
    if (variable.kind == AXL_SESSION)
      for (int32_t axis = 0; axis < variable.value.rank; ++axis)
        for (int32_t symbol : variable.value.extents[axis].symbols) {
          if (symbol < 0)
            break;
          symbols.insert(symbol);
        }
  std::vector<SessionSize> sizes;
  for (int32_t symbol : symbols)
    sizes.push_back({&model.symbols[symbol], sourceAxis(encode, symbol)});
  return sizes;
}

// The index of the largest number; the first of several.
int32_t largest(const float *row, int64_t count) {
  return int32_t(std::max_element(row, row + count) - row);
}

// One batch on its way: what is said so far, and how to say the next token.
class Decoding {
public:
  Decoding(Session &session, const axl_function &step, const GreedyOptions &options,
           const Tensor &mask)
      : session(session), step(step), options(options), mask(mask), sentences(mask.extent(0)),
        token(AXL_I32, {sentences}), next(AXL_I32, {sentences}) {
    const axl_value &result = step.results[0];
    speaksLogits = result.rank == 2;
    if (speaksLogits)
      logits.resize(AXL_F32, {sentences, result.extents[1].factor});
    std::fill_n(token.view<int32_t>().data(), sentences, options.begin);
  }

  // Hears `token` at `position` and replaces it by what comes next.
  void advance(int32_t position) {
    AnyView answer = speaksLogits ? AnyView(logits) : AnyView(next);
    const Named result{step.results[0].name, answer};
    session.call(
        step.name,
        declared(step,
                 {{"token", token}, {"position", View<int32_t>(position)}, {"source_mask", mask}}),
        std::span(&result, 1));
    for (int64_t row = 0; row < sentences; ++row)
      token.view<int32_t>()[row] =
          speaksLogits
              ? largest(logits.view<float>().data() + row * logits.extent(1), logits.extent(1))
              : next.view<int32_t>()[row];
  }

  int32_t said(int64_t row) { return token.view<int32_t>()[row]; }
  // A sentence that has ended hears padding until the others end, too.
  void silence(int64_t row) { token.view<int32_t>()[row] = options.padding; }

private:
  Session &session;
  const axl_function &step;
  const GreedyOptions &options;
  const Tensor &mask;
  int64_t sentences;
  Tensor token, next, logits;
  bool speaksLogits = false;
};

} // namespace

Greedy::Greedy(Model &model, const GreedyOptions &options) : model(model), options(options) {
  const axl_function &step = model.description().functions[model.function(options.step)];
  const axl_function &encode = model.description().functions[model.function(options.encode)];
  for (const SessionSize &size : sessionSizes(model.description(), encode))
    if (size.sourceAxis < 0 && size.symbol->maximum < options.maximumLength)
      throw Error(AXL_ERROR_SIZE, concat("answers of up to ", options.maximumLength,
                                         " tokens were asked for, but "
                                         "model '",
                                         model.description().name, "' was compiled for at most ",
                                         size.symbol->maximum, " (size ", size.symbol->name, ")"));
  bool speaksLogits = step.result_count == 1 && step.results[0].rank == 2 &&
                      step.results[0].type == AXL_F32 && step.results[0].extents[1].symbols[0] < 0;
  bool speaksTokens =
      step.result_count == 1 && step.results[0].rank == 1 && step.results[0].type == AXL_I32;
  if (!speaksLogits && !speaksTokens)
    throw Error(AXL_ERROR_ARGUMENT, concat("greedy decoding needs '", options.step, "' of model '",
                                           model.description().name,
                                           "' to have one result: the next token, i32 "
                                           "[batch], or logits, f32 [batch, vocabulary]"));
}

std::vector<std::vector<int32_t>> Greedy::decode(std::span<const std::vector<int32_t>> sources) {
  std::vector<int32_t> order(sources.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return sources[size_t(a)].size() < sources[size_t(b)].size();
  });
  std::vector<std::vector<int32_t>> answers(sources.size());
  for (size_t start = 0; start < order.size(); start += size_t(options.sentences)) {
    size_t count = std::min(size_t(options.sentences), order.size() - start);
    decodeBatch(sources, std::span(order).subspan(start, count), answers);
  }
  return answers;
}

void Greedy::decodeBatch(std::span<const std::vector<int32_t>> sources,
                         std::span<const int32_t> batch,
                         std::vector<std::vector<int32_t>> &answers) {
  int64_t sentences = int64_t(batch.size());
  int64_t longest = int64_t(sources[size_t(batch.back())].size()) + 1;
  Tensor source(AXL_I32, {sentences, longest}), mask(AXL_I1, {sentences, longest});
  std::fill_n(source.view<int32_t>().data(), source.size(), options.padding);
  for (int64_t row = 0; row < sentences; ++row) {
    const auto &text = sources[size_t(batch[size_t(row)])];
    int32_t *to = source.view<int32_t>().data() + row * longest;
    *std::copy(text.begin(), text.end(), to) = options.end;
    std::fill_n(mask.view<bool>().data() + row * longest, text.size() + 1, true);
  }

  const axl_model &description = model.description();
  const axl_function &encode = description.functions[model.function(options.encode)];
  std::vector<NamedSize> sizes;
  for (const SessionSize &size : sessionSizes(description, encode))
    sizes.push_back({size.symbol->name,
                     size.sourceAxis < 0 ? options.maximumLength : source.extent(size.sourceAxis)});
  if (session)
    session->reset(sizes);
  else
    session = std::make_unique<Session>(model, sizes);
  session->call(encode.name, declared(encode, {{"source", source}, {"source_mask", mask}}),
                std::span<const Named>());

  const axl_function &step = description.functions[model.function(options.step)];
  Decoding decoding(*session, step, options, mask);
  std::vector<bool> ended(batch.size(), false);
  int64_t speaking = sentences;
  for (int32_t position = 0; speaking > 0 && position < options.maximumLength; ++position) {
    decoding.advance(position);
    for (int64_t row = 0; row < sentences; ++row) {
      if (!ended[size_t(row)] && decoding.said(row) == options.end) {
        ended[size_t(row)] = true;
        --speaking;
      }
      if (ended[size_t(row)])
        decoding.silence(row);
      else
        answers[size_t(batch[size_t(row)])].push_back(decoding.said(row));
    }
  }
}
