#include "runtime/train/History.h"

#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/core/Error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace axloom::runtime;

namespace {

// Calls `use` with each line's text and object. A last line that was cut off is left out.
template <class Use> void forEachLine(const std::string &path, Use &&use) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(AXL_ERROR_FILE, concat("cannot read '", path, "': ", std::strerror(errno)));
  int64_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    auto object = nlohmann::json::parse(line, nullptr, false);
    if (object.is_object())
      use(line, object);
    else if (!file.eof())
      throw Error(AXL_ERROR_FORMAT, concat(path, ":", number, ": no JSON object"));
  }
}

} // namespace

History::History(const std::string &path, int64_t step) : path(path) {
  if (path.empty())
    return;
  std::string kept;
  if (step > 0 && ::access(path.c_str(), F_OK) == 0)
    forEachLine(path, [&](const std::string &line, const nlohmann::json &object) {
      if (object.value("step", int64_t(0)) <= step)
        kept += line + "\n";
    });
  AtomicFile start(path);
  start.write(kept.data(), kept.size());
  start.commit();
  file.reset(std::fopen(path.c_str(), "ae"));
  if (!file)
    throw Error(AXL_ERROR_FILE, concat("cannot write '", path, "': ", std::strerror(errno)));
}

void History::add(const Fields &fields) {
  if (!file)
    return;
  nlohmann::ordered_json object;
  for (const auto &[name, value] : fields)
    if (value == double(int64_t(value)))
      object[name] = int64_t(value);
    else
      object[name] = value;
  std::string line = object.dump() + "\n";
  bool written = std::fwrite(line.data(), 1, line.size(), file.get()) == line.size();
  if (!written || std::fflush(file.get()) != 0)
    throw Error(AXL_ERROR_FILE, concat("cannot write '", path, "': ", std::strerror(errno)));
}

std::pair<std::vector<double>, std::vector<double>>
axloom::runtime::readHistory(const std::string &path, const std::string &name) {
  std::pair<std::vector<double>, std::vector<double>> found;
  forEachLine(path, [&](const std::string &, const nlohmann::json &object) {
    auto value = object.find(name), step = object.find("step");
    if (value == object.end() || !value->is_number() || step == object.end())
      return;
    found.first.push_back(step->get<double>());
    found.second.push_back(value->get<double>());
  });
  return found;
}
