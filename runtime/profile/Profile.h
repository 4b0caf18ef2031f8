// Where the time goes: with the environment variable AXLOOM_PROFILE set, a model measures each
// kernel, and the machine, and prints a table to standard error when it is closed.
#pragma once

#include "runtime/abi/axloom.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace axloom::runtime {

// What a launch has to do at least.
struct Work {
  double operations = 0;     // of its products: two for each multiply-add
  double bytes = 0;          // of its operands, each read or written once
  double bf16Operations = 0; // those of `operations` whose factors are bf16

  Work &operator+=(const Work &other) {
    operations += other.operations;
    bytes += other.bytes;
    bf16Operations += other.bf16Operations;
    return *this;
  }
};

// That of a launch on these tensors; `sizes` are the values of the model's symbols.
Work workOf(const axl_kernel &kernel, std::span<const int64_t> sizes, const axl_tensor *tensors);

// What the machine can do at most: Machine.h.
struct Limits {
  double gflops, bandwidth; // GFLOP/s in f32; GB/s from memory
  double bf16Gflops = 0;    // 0: no faster than f32
};

class Profile {
public:
  // Null unless AXLOOM_PROFILE is set.
  static std::unique_ptr<Profile> fromEnvironment(const axl_model &model);

  explicit Profile(const axl_model &model);

  // A launch of a kernel, together with others that have the same code: `count` kernels. The first
  // one counts only while it is the only one: the memory that it writes may be new to the process,
  // and the system then takes its time.
  void add(int32_t kernel, double seconds, const Work &work, int64_t count = 1);

  // Kernels by the time that they took beyond what the machine's limits allow, the most first. The
  // limit of a kernel (Williams et al. 2009) is what would take longest: its products, or moving
  // its operands from and to memory. Operands that lie in a cache can take it above 100 %, as can
  // attention that leaves out keys which a mask hides.
  //   profile of model 'fake': 3 launches, 0.120 s in kernels; the machine would need 0.060 s
  //   the machine: 240 GFLOP/s, 480 of bf16, 30.1 GB/s
  //     share   total s  launches  ms each  GFLOP/s   GB/s   of its limit   lost s  kernel
  //    75.0 %     0.090         1   90.000    120.0    1.2  products  50 %   0.045  descend
  //    (model.cpp:30)
  std::string table(const Limits &machine) const;

private:
  struct Sum {
    double seconds = 0;
    int64_t launches = 0;
    Work work;
  };
  struct Entry {
    Sum first, later;
    int64_t kernels = 0;

    const Sum &counted() const { return later.launches > 0 ? later : first; }
  };
  std::string name(size_t index) const; // of a kernel, with those that run together with it
  static std::string line(const Sum &sum, double allSeconds, const Limits &machine);

  const axl_model &model;
  mutable std::mutex mutex; // sessions may run at the same time
  std::vector<Entry> entries;
};

} // namespace axloom::runtime
