#include "runtime/checkpoint/Checkpoint.h"

#include "runtime/checkpoint/Safetensors.h"
#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"
#include "runtime/core/ModelState.h"

#include <charconv>

using namespace axloom::runtime;

namespace {

constexpr const char *format = "axloom checkpoint 1";

bool isSaved(const axl_variable_info &variable) { return variable.kind != AXL_SESSION; }

std::span<const axl_variable_info> variablesOf(const Model &model) {
  return {model.description().variables, size_t(model.description().variable_count)};
}

// Text from which the same number is read again.
std::string exact(double value) {
  char text[32];
  auto end = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end.ptr);
}

template <class T> T number(const SafetensorsFile &file, const char *key, const std::string &path) {
  T value{};
  auto found = file.metadata().find(key);
  if (found != file.metadata().end()) {
    const char *begin = found->second.data(), *end = begin + found->second.size();
    if (auto result = std::from_chars(begin, end, value);
        result.ec == std::errc() && result.ptr == end)
      return value;
  }
  throw Error(AXL_ERROR_FORMAT, concat("'", path, "' does not say where training stands: '", key,
                                       "' is missing or no number"));
}

void checkFormat(const SafetensorsFile &file, const std::string &path) {
  if (auto found = file.metadata().find("format");
      found == file.metadata().end() || found->second != format)
    throw Error(AXL_ERROR_FORMAT, concat("'", path,
                                         "' is no checkpoint of this version: its format "
                                         "should be '",
                                         format, "'"));
}

TrainingPosition positionOf(const SafetensorsFile &file, const std::string &path) {
  checkFormat(file, path);
  TrainingPosition position;
  position.data.epoch = number<int64_t>(file, "epoch", path);
  position.data.batch = number<int64_t>(file, "batch", path);
  position.step = number<int64_t>(file, "step", path);
  position.seed = number<uint32_t>(file, "seed", path);
  position.tokens = number<int64_t>(file, "tokens", path);
  if (file.metadata().contains("validation")) // older checkpoints say 0 for none
    position.validation = number<double>(file, "validation", path);
  if (file.metadata().contains("last_checksum"))
    position.last = {
        {number<int64_t>(file, "last_epoch", path), number<int64_t>(file, "last_batch", path)},
        number<uint32_t>(file, "last_checksum", path)};
  return position;
}

std::string describe(const SafetensorsFile::Entry &entry) {
  axl_host_tensor shape{nullptr, entry.type, int32_t(entry.extents.size()), {}};
  std::copy(entry.extents.begin(), entry.extents.end(), shape.extent);
  return axloom::runtime::describe(AnyView(shape, false));
}

bool fits(const SafetensorsFile::Entry &entry, const axl_tensor &tensor) {
  return entry.type == tensor.type && std::equal(entry.extents.begin(), entry.extents.end(),
                                                 tensor.extent, tensor.extent + tensor.rank);
}

// What of a model a file does not have as it should be, tensor by tensor.
std::vector<std::string> mismatches(const Model &model, const SafetensorsFile &file) {
  std::vector<std::string> found;
  for (size_t i = 0; i < variablesOf(model).size(); ++i) {
    const axl_value &value = variablesOf(model)[i].value;
    if (!isSaved(variablesOf(model)[i]))
      continue;
    std::string expected = axloom::runtime::describe(model.description(), value);
    const SafetensorsFile::Entry *entry = file.find(value.name);
    if (!entry)
      found.push_back(concat("missing in the file: '", value.name, "', ", expected));
    else if (!fits(*entry, model.internals().variables.tensors[i]))
      found.push_back(concat("different: '", value.name, "' is ", describe(*entry),
                             " in the file, ", expected, " in the model"));
  }
  return found;
}

// Adds what a file has beside the tensors of a model.
void addSurplus(const Model &model, const SafetensorsFile &file, std::vector<std::string> &found) {
  for (const auto &entry : file.entries())
    if (model.findVariable(entry.name) < 0)
      found.push_back(concat("unknown to the model: '", entry.name, "', ", describe(entry)));
}

std::string valueOf(const Metadata &metadata, const char *key) {
  auto found = metadata.find(key);
  return found == metadata.end() ? "?" : found->second;
}

// Sets all variables of a model that are saved, unless there are reasons why they cannot be. All
// are read and checked before the first one changes.
void readVariables(Model &model, const SafetensorsFile &file, const std::string &path,
                   const std::vector<std::string> &reasons) {
  if (!reasons.empty())
    throw Error(AXL_ERROR_CHECKPOINT,
                concat("checkpoint '", path, "' of model '", valueOf(file.metadata(), "model"),
                       "' does not fit model '", model.description().name, "':", linesOf(reasons)));
  std::vector<std::pair<int32_t, Tensor>> values;
  for (size_t i = 0; i < variablesOf(model).size(); ++i)
    if (isSaved(variablesOf(model)[i]))
      values.emplace_back(int32_t(i), file.read(*file.find(variablesOf(model)[i].value.name)));
  for (const auto &[variable, value] : values)
    model.writeVariable(variable, value);
}

} // namespace

void axloom::runtime::saveCheckpoint(const Model &model, const TrainingPosition &position,
                                     const std::string &path, FileLayer &files) {
  Metadata metadata{{"format", format},
                    {"model", model.description().name},
                    {"fingerprint", model.description().fingerprint},
                    {"epoch", std::to_string(position.data.epoch)},
                    {"batch", std::to_string(position.data.batch)},
                    {"step", std::to_string(position.step)},
                    {"seed", std::to_string(position.seed)},
                    {"tokens", std::to_string(position.tokens)}};
  if (position.validation)
    metadata["validation"] = exact(*position.validation);
  if (position.last) {
    metadata["last_epoch"] = std::to_string(position.last->position.epoch);
    metadata["last_batch"] = std::to_string(position.last->position.batch);
    metadata["last_checksum"] = std::to_string(position.last->checksum);
  }
  std::vector<Tensor> copies;
  std::vector<Named> tensors;
  copies.reserve(variablesOf(model).size());
  for (const axl_variable_info &variable : variablesOf(model)) {
    if (!isSaved(variable))
      continue;
    copies.push_back(model.variable(variable.value.name));
    tensors.push_back({variable.value.name, copies.back()});
  }
  writeSafetensors(path, tensors, metadata, files);
}

LoadedCheckpoint axloom::runtime::loadCheckpoint(Model &model, const std::string &path) {
  SafetensorsFile file(path);
  LoadedCheckpoint loaded;
  loaded.position = positionOf(file, path);
  std::vector<std::string> reasons = mismatches(model, file);
  bool isPart = reasons.empty();
  addSurplus(model, file, reasons);
  if (isPart && !reasons.empty())
    reasons.insert(reasons.begin(), "all that the model has is there: loadParameters, in C "
                                    "axl_load_parameters, takes it without the rest");
  readVariables(model, file, path, reasons);
  loaded.sameGraph = valueOf(file.metadata(), "fingerprint") == model.description().fingerprint;
  return loaded;
}

void axloom::runtime::loadParameters(Model &model, const std::string &path) {
  SafetensorsFile file(path);
  checkFormat(file, path);
  readVariables(model, file, path, mismatches(model, file));
}

TrainingPosition axloom::runtime::readPosition(const std::string &path) {
  return positionOf(SafetensorsFile(path), path);
}
