// Where the time goes: with the environment variable AXLOOM_PROFILE set, a model measures each
// kernel and prints a table to standard error when it is closed.
#pragma once

#include "runtime/abi/axloom.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace axloom::runtime {

class Profile {
public:
  // Null unless AXLOOM_PROFILE is set.
  static std::unique_ptr<Profile> fromEnvironment(const axl_model &model);

  explicit Profile(const axl_model &model);

  void add(int32_t kernel, double seconds);

  // Kernels by the time they took, the slowest first:
  //   profile of model 'fake': 3 launches, 0.120 s in kernels
  //     share   total s  launches  ms each  kernel
  //    75.0 %     0.090         1   90.000  descend (model.cpp:30)
  std::string table() const;

private:
  struct Entry {
    double seconds = 0;
    int64_t launches = 0;
  };

  const axl_model &model;
  mutable std::mutex mutex; // sessions may run at the same time
  std::vector<Entry> entries;
};

} // namespace axloom::runtime
