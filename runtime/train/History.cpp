#include "runtime/train/History.h"

#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/checkpoint/WholeFile.h"
#include "runtime/core/Error.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unistd.h>

using namespace axloom::runtime;

namespace {

// Calls `use` with each line's text and object. A last line that was cut off is left out.
template <class Use> void forEachLine(const std::string &path, Use &&use) {
  std::string contents = readWhole(path);
  int64_t number = 0;
  for (std::string_view rest = contents; !rest.empty();) {
    ++number;
    std::string line(takeLine(rest));
    auto object = nlohmann::json::parse(line, nullptr, false);
    auto fail = [&](const char *problem) {
      throw Error(AXL_ERROR_FORMAT, concat(path, ":", number, ": ", problem));
    };
    if (object.is_object() && object.contains("step") && !object["step"].is_number())
      fail("'step' is no number");
    if (object.is_object())
      use(line, object);
    else if (!rest.empty() || contents.ends_with('\n'))
      fail("no JSON object");
  }
}

// JSON has no infinity and no NaN; they become null.
bool isWhole(double value) {
  constexpr double exact = 1LL << 53;
  return std::abs(value) <= exact && std::trunc(value) == value;
}

[[noreturn]] void failToWrite(const std::string &path, int reason) {
  throw Error(AXL_ERROR_FILE, concat("cannot write '", path, "': ", std::strerror(reason)));
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
  file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0)
    failToWrite(path, errno);
}

History::~History() {
  if (file >= 0)
    ::close(file);
}

void History::add(const Fields &fields) {
  if (file < 0)
    return;
  nlohmann::ordered_json object;
  for (const auto &[name, value] : fields)
    if (isWhole(value))
      object.emplace(name, int64_t(value));
    else
      object.emplace(name, value);
  std::string line = object.dump() + "\n";
  off_t end = ::lseek(file, 0, SEEK_END);
  ssize_t written = ::write(file, line.data(), line.size());
  if (written == ssize_t(line.size()))
    return;
  int reason = written < 0 ? errno : ENOSPC;
  if (written > 0) // or the next line would go on in this one
    std::ignore = ::ftruncate(file, end);
  failToWrite(path, reason);
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
