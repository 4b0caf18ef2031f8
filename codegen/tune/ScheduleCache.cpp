#include "codegen/tune/ScheduleCache.h"

#include "codegen/WriteFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <fstream>

using namespace axloom;
using namespace axloom::codegen;
namespace json = llvm::json;

/// "AMD EPYC 9654 96-Core Processor (znver4)"
static std::string cpuModel() {
  std::string core = llvm::sys::getHostCPUName().str();
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);)
    if (auto [field, value] = llvm::StringRef(line).split(':'); field.trim() == "model name")
      return (value.trim() + " (" + core + ")").str();
  return core;
}

/// A name for a file: "amd-epyc-9654-96-core-processor-znver4".
static std::string fileName(llvm::StringRef model) {
  std::string name;
  for (char c : model)
    if (llvm::isAlnum(c))
      name += llvm::toLower(c);
    else if (!name.empty() && name.back() != '-')
      name += '-';
  return llvm::StringRef(name).rtrim('-').str();
}

ScheduleCache::ScheduleCache(const std::string &folder)
    : file(folder + "/schedules/" + fileName(cpuModel()) + ".json") {}

namespace axloom::codegen {
static json::Value toJSON(const TunedKernel &entry) {
  json::Object choices;
  for (const auto &[name, value] : entry.choices)
    choices[name] = value;
  return json::Object{{"kernel", entry.kernel},
                      {"family", entry.family},
                      {"target", entry.target},
                      {"sizes", entry.sizes},
                      {"threads", entry.threads},
                      {"choices", std::move(choices)},
                      {"usual ns", entry.usualNanoseconds},
                      {"best ns", entry.bestNanoseconds}};
}

static bool fromJSON(const json::Value &value, TunedKernel &entry, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("kernel", entry.kernel) && map.map("family", entry.family) &&
         map.map("target", entry.target) && map.map("sizes", entry.sizes) &&
         map.map("threads", entry.threads) && map.map("choices", entry.choices) &&
         map.map("usual ns", entry.usualNanoseconds) && map.map("best ns", entry.bestNanoseconds);
}
} // namespace axloom::codegen

std::string ScheduleCache::read() {
  auto text = llvm::MemoryBuffer::getFile(file);
  if (text.getError() == std::errc::no_such_file_or_directory)
    return "";
  if (!text)
    return "cannot read the schedule cache '" + file + "': " + text.getError().message();
  auto damaged = [&](llvm::Error error) {
    return "the schedule cache '" + file + "' is damaged: " + llvm::toString(std::move(error)) +
           "; repair it, or delete it to measure again";
  };
  llvm::Expected<json::Value> value = json::parse((*text)->getBuffer());
  if (!value)
    return damaged(value.takeError());
  json::Path::Root root("schedule cache");
  json::ObjectMapper map(*value, root);
  std::map<std::string, TunedKernel> found;
  if (!map || !map.map("schedules", found))
    return damaged(root.getError());
  found.merge(entries); // what the file has goes before what was known
  entries = std::move(found);
  return "";
}

const TunedKernel *ScheduleCache::find(const std::string &key) const {
  auto found = entries.find(key);
  return found == entries.end() ? nullptr : &found->second;
}

std::string ScheduleCache::write() const {
  json::Object schedules;
  for (const auto &[key, entry] : entries)
    schedules[key] = toJSON(entry);
  json::Value value = json::Object{{"cpu", cpuModel()}, {"schedules", std::move(schedules)}};
  if (std::error_code code = writeFile(file, llvm::formatv("{0:2}\n", value).str()))
    return "cannot write the schedule cache '" + file + "': " + code.message();
  return "";
}

std::string ScheduleCache::add(const std::string &key, TunedKernel entry) {
  std::string problem = "cannot lock the schedule cache '" + file + "': ";
  if (auto code = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file)))
    return problem + code.message();
  std::error_code code;
  llvm::raw_fd_ostream lock(file + ".lock", code, llvm::sys::fs::OF_None);
  if (code)
    return problem + code.message();
  auto locked = lock.lock();
  if (!locked)
    return problem + llvm::toString(locked.takeError());
  if (problem = read(); !problem.empty())
    return problem;
  entries[key] = std::move(entry);
  return write();
}
