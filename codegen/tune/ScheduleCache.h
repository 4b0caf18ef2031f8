//===- ScheduleCache.h - What was found to be fastest -----------*- C++ -*-===//
//
// A readable file for each model of CPU, <cache>/schedules/<model>.json: for each kernel that was
// tuned, the values of its choices and how long it took with them and with the usual ones. The file
// appears by rename, and what others have added to it meanwhile is kept. Test:
// tests/codegen/tune/ScheduleCacheTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Choices.h"

#include <string>

namespace axloom::codegen {
struct TunedKernel {
  std::string kernel, family, target, sizes; // for readers; the key stands for them
  int64_t threads = 0;
  ChoiceValues choices;                              // that are not the usual ones
  int64_t usualNanoseconds = 0, bestNanoseconds = 0; // of a launch
};

class ScheduleCache {
public:
  /// That of this machine. `folder` is the one where the compiler keeps kernels.
  explicit ScheduleCache(const std::string &folder);

  /// Reads the file, if there is one; what was known beside it stays. Returns what is wrong with
  /// it, as a sentence for the user.
  std::string read();
  const TunedKernel *find(const std::string &key) const;
  /// Adds an entry, to the file as well. Returns what went wrong, or nothing.
  std::string add(const std::string &key, TunedKernel entry);

  const std::string &path() const { return file; }

private:
  std::string write() const;

  std::string file;
  std::map<std::string, TunedKernel> entries;
};
} // namespace axloom::codegen
