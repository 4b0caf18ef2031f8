#include "runtime/decode/Sources.h"

#include "runtime/core/Error.h"
#include "runtime/decode/Steps.h"

#include <algorithm>
#include <limits>

using namespace axloom::runtime;

std::vector<std::vector<int32_t>>
axloom::runtime::decodeByLength(std::span<const std::vector<int32_t>> sources, int64_t size,
                                const DecodeBatch &decode) {
  std::vector<int64_t> lengths;
  for (const std::vector<int32_t> &source : sources)
    lengths.push_back(int64_t(source.size()));
  std::vector<std::vector<int32_t>> answers(sources.size());
  for (const std::vector<int32_t> &numbers : batchesByLength(lengths, size)) {
    std::vector<std::span<const int32_t>> batch;
    for (int32_t number : numbers)
      batch.push_back(sources[size_t(number)]);
    std::vector<std::vector<int32_t>> said = decode(batch);
    for (size_t row = 0; row < said.size(); ++row)
      answers[size_t(numbers[row])] = std::move(said[row]);
  }
  return answers;
}

Sources::Sources(Model &model, const SourceOptions &options) : model(model), options(options) {
  (void)function(); // known, or an error
}

const axl_function &Sources::function() const {
  return model.description().functions[model.function(options.encode)];
}

int64_t Sources::mostRows() const {
  int64_t most = std::numeric_limits<int64_t>::max();
  for (const SessionSize &size : sessionSizes(model.description(), function(), "source"))
    if (size.axis == 0)
      most = std::min(most, size.symbol->maximum);
  return most;
}

void Sources::checkLength(int64_t answer) const {
  for (const SessionSize &size : sessionSizes(model.description(), function(), "source"))
    if (size.axis < 0 && size.symbol->maximum < answer)
      throw Error(AXL_ERROR_SIZE,
                  concat("answers of up to ", answer, " tokens were asked for, but model '",
                         model.description().name, "' was compiled for at most ",
                         size.symbol->maximum, " (size ", size.symbol->name, ")"));
}

Session &Sources::encode(std::span<const std::span<const int32_t>> rows, int64_t answer) {
  size_t longest = 0;
  for (std::span<const int32_t> row : rows)
    longest = std::max(longest, row.size() + 1);
  Tensor source(AXL_I32, {int64_t(rows.size()), int64_t(longest)});
  real.resize(AXL_I1, source.extents());
  std::fill_n(source.view<int32_t>().data(), source.size(), options.padding);
  for (size_t row = 0; row < rows.size(); ++row) {
    int32_t *to = source.view<int32_t>().data() + row * longest;
    *std::copy(rows[row].begin(), rows[row].end(), to) = options.end;
    std::fill_n(real.view<bool>().data() + row * longest, rows[row].size() + 1, true);
  }

  std::vector<NamedSize> sizes;
  for (const SessionSize &size : sessionSizes(model.description(), function(), "source"))
    sizes.push_back({size.symbol->name, size.axis < 0 ? answer : source.extent(size.axis)});
  if (session)
    session->reset(sizes);
  else
    session = std::make_unique<Session>(model, sizes);
  const Named heard[] = {{"source", source}, {"source_mask", real}};
  session->call(options.encode, declared(function(), heard), std::span<const Named>());
  return *session;
}
