#include "runtime/decode/Steps.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace axloom::runtime;

namespace {

const axl_value *findArgument(const axl_function &function, std::string_view name) {
  for (const axl_value &value : std::span(function.arguments, size_t(function.argument_count)))
    if (name == value.name)
      return &value;
  return nullptr;
}

// The axis whose extent is this symbol; -1 if none is.
int32_t axisOf(const axl_value *value, int32_t symbol) {
  for (int32_t axis = 0; value && axis < value->rank; ++axis)
    if (value->extents[axis].symbols[0] == symbol)
      return axis;
  return -1;
}

// A batch of texts, as the step function hears and answers it.
class Steps {
public:
  Steps(Session &session, const axl_function &function, std::span<Speech> texts,
        const SpeakOptions &options)
      : step(session, function, texts.size(), options.offered), texts(texts), options(options),
        ended(texts.size()) {
    for (size_t row = 0; row < texts.size(); ++row)
      ended[row] = texts[row].limit <= 0;
  }

  void run() {
    while (hear()) {
      step.call(common);
      say();
    }
  }

private:
  // False if every text has ended.
  bool hear() {
    bool speaking = false;
    for (size_t row = 0; row < texts.size(); ++row) {
      step.hear(row, ended[row] ? options.padding : texts[row].token, texts[row].position);
      if (!ended[row])
        common = texts[row].position;
      speaking |= !ended[row];
    }
    return speaking;
  }

  void say() {
    for (size_t row = 0; row < texts.size(); ++row) {
      if (ended[row])
        continue;
      Speech &text = texts[row];
      text.token = options.choose ? options.choose(row, step.logits(row)) : step.next(row);
      ended[row] = text.token == options.end;
      if (!ended[row])
        text.said.push_back(text.token);
      if (--text.limit == 0)
        ended[row] = true;
      else
        ++text.position;
    }
  }

  Step step;
  std::span<Speech> texts;
  const SpeakOptions &options;
  std::vector<bool> ended;
  int32_t common = 0; // position of the texts that have not ended
};

} // namespace

std::vector<SessionSize> axloom::runtime::sessionSizes(const axl_model &model,
                                                       const axl_function &function,
                                                       std::string_view argument) {
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
  const axl_value *seen = findArgument(function, argument);
  for (int32_t symbol : symbols)
    sizes.push_back({&model.symbols[symbol], axisOf(seen, symbol)});
  return sizes;
}

std::vector<Named> axloom::runtime::declared(const axl_function &function,
                                             std::span<const Named> offered) {
  std::vector<Named> chosen;
  for (const Named &candidate : offered)
    if (findArgument(function, candidate.name))
      chosen.push_back(candidate);
  return chosen;
}

bool axloom::runtime::speaksLogits(const axl_function &step) {
  return step.result_count == 1 && step.results[0].rank == 2 && step.results[0].type == AXL_F32 &&
         step.results[0].extents[1].symbols[0] < 0;
}

std::vector<std::vector<int32_t>> axloom::runtime::batchesByLength(std::span<const int64_t> lengths,
                                                                   int64_t size) {
  std::vector<int32_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return lengths[size_t(a)] < lengths[size_t(b)]; });
  std::vector<std::vector<int32_t>> batches;
  for (size_t start = 0; start < order.size(); start += size_t(size)) {
    size_t end = std::min(start + size_t(size), order.size());
    batches.emplace_back(order.begin() + int64_t(start), order.begin() + int64_t(end));
  }
  return batches;
}

Step::Step(Session &session, const axl_function &function, size_t rows, std::vector<Named> offered)
    : session(session), function(function), offered(std::move(offered)),
      token(AXL_I32, {int64_t(rows)}), position(AXL_I32, {int64_t(rows)}) {
  if (speaksLogits(function))
    answer.resize(AXL_F32, {int64_t(rows), function.results[0].extents[1].factor});
  else
    answer.resize(AXL_I32, {int64_t(rows)});
  const axl_value *declaredPosition = findArgument(function, "position");
  onePosition = declaredPosition && declaredPosition->rank == 0;
}

void Step::hear(size_t row, int32_t heard, int32_t place) {
  token.view<int32_t>()[int64_t(row)] = heard;
  position.view<int32_t>()[int64_t(row)] = place;
}

void Step::call(int32_t common) {
  std::vector<Named> all = offered;
  all.push_back({"token", token});
  all.push_back({"position", onePosition ? AnyView(View<int32_t>(common)) : position});
  const Named result{function.results[0].name, answer};
  session.call(function.name, declared(function, all), std::span(&result, 1));
}

std::span<const float> Step::logits(size_t row) const {
  size_t vocabulary = size_t(answer.extent(1));
  return {answer.view<float>().data() + row * vocabulary, vocabulary};
}

int32_t Step::next(size_t row) const { return answer.view<int32_t>()[int64_t(row)]; }

void axloom::runtime::speak(Session &session, const axl_function &step, std::span<Speech> texts,
                            const SpeakOptions &options) {
  Steps(session, step, texts, options).run();
}
