//===- Workers.h - Jobs in processes of their own ---------------*- C++ -*-===//
//
// Halide's name counters are global, so what a process compiled before changes what it compiles
// next. Each job runs in a fresh fork of this process, which itself compiles nothing: of Halide it
// uses only expressions, for the bodies of custom ops. Jobs run on all cores and give the same
// bytes each time. Test: tests/codegen/halide/BackendTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <functional>
#include <string>
#include <system_error>
#include <vector>

namespace axloom::codegen {
struct JobResult {
  bool succeeded = false;
  std::string output; // what the job wrote to standard error
};

/// Runs jobs, at most `limit` at a time (0: as many as there are cores), and waits for all.
std::vector<JobResult> runInProcesses(const std::vector<std::function<bool()>> &jobs,
                                      unsigned limit);

/// "; ask for fewer processes with --jobs" where that helps against what the system said.
std::string adviceOn(std::error_code error);
} // namespace axloom::codegen
