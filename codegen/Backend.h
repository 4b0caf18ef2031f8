//===- Backend.h - What turns kernels into code -----------------*- C++ -*-===//
//
// A backend compiles `axloom.kernel` ops for one target. What comes back describes each kernel as
// runtime/abi/axloom.h does: operands (tensors, with their physical dimensions), scalars, a loop
// nest over chunks, and blocks of code that each chunk calls. The host program and the bundle are
// made from this description alone. Test: tests/codegen/halide/BackendTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Choices.h"
#include "codegen/Target.h"
#include "ir/Dialect.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace axloom::codegen {
/// A physical dimension of an operand: ceil(size / divisor) indices. Axes that a kernel treats as
/// one are one dimension.
struct Dimension {
  ir::SizeAttr size;
  int64_t divisor = 1;
};

/// None: a kernel leaves the operand alone, for it reads what preparations have made of it, or a
/// result that it changes a row of has the same memory.
enum class Access { None, Read, Write, ReadWrite };

inline bool reads(Access access) { return access == Access::Read || access == Access::ReadWrite; }
inline bool writes(Access access) { return access == Access::Write || access == Access::ReadWrite; }

/// A tensor that a kernel works on: an input that is not passed by value, a result, or scratch
/// memory, which host code takes from the arena and whose contents are undefined unless they are
/// prepared (see Preparation).
/// The runtime hands ragged tensors over entry by entry: see axl_ragged.
struct Operand {
  std::string name;
  Access access = Access::Read;
  bool isResult = false;
  bool isScratch = false;
  bool isZeroed = false; // filled with zeros before the first chunk
  bool inRows = false;   // only rows are touched, whose bytes another operand has as well
  /// The total (ir/Ragged.h) whose offsets it holds, one more than `dimensions` says; else empty.
  std::string offsetsOf;
  unsigned index = 0; // among the kernel's inputs or results; of scratch, the backend's own
  mlir::Type elementType;
  std::vector<Dimension> dimensions; // outermost first, packed
  /// For each loop, the dimension that it advances (or -1) and by how many indices; 0: the loop's
  /// chunk; -n: it ends where the chunk does, and begins n indices before the chunk, or with the
  /// dimension.
  static constexpr int64_t fromStart = std::numeric_limits<int32_t>::max(); // such an n
  std::vector<int> loopAxis;
  std::vector<int64_t> loopStep;
  mlir::Location location;
};

/// A 32-bit pattern passed beside the tensors: an input passed by value, or the value of a size.
struct Scalar {
  int input = -1;         // index among the kernel's inputs, or -1
  ir::SizeAttr size;      // where input is -1
  mlir::Type elementType; // of the input
};

/// A ragged operand of a kernel that tells entries apart.
struct RaggedOperand {
  int operand = 0;
  int offsets = 0;          // the operand with the offsets of its total
  std::vector<int> lengths; // of its ragged axes, in memory order: indices into RaggedLoop::offsets
};

/// How loop 0 goes through the entries of a ragged batch.
struct RaggedLoop {
  std::vector<int> offsets; // of each ragged size: the operand with the offsets of its total
  std::vector<int> scalars; // of each: the scalar that carries an entry's length, or -1
  std::vector<RaggedOperand> operands;
};

struct Loop {
  bool parallel = true;
  int64_t chunk = 1;
};

/// One function `int symbol_argv(void **)` in the object, on some of the operands.
struct Block {
  std::string symbol;
  std::vector<int> operands;
};

struct CompiledKernel;

/// A scratch operand that a kernel of its own makes from one input and nothing else, such as a
/// weight packed for a matrix product. As long as the input stays as it is, it need not be made
/// again.
struct Preparation {
  int operand = 0; // what is made
  int from = 0;    // the operand it is made from
  /// Takes the two operands in the order `from`, `operand`; no scalars, no loops.
  std::shared_ptr<const CompiledKernel> kernel;
  /// What it does with the input: of one input, preparations of one form are the same.
  std::string form;
};

struct CompiledKernel {
  std::string name;     // hash of what it computes: kernels of one name share their code
  std::string family;   // the schedule family that was used
  ChoiceValues choices; // that are not the usual ones
  std::vector<Operand> operands;
  std::vector<Scalar> scalars;
  std::vector<Loop> loops;
  std::optional<RaggedLoop> ragged;
  std::vector<Block> blocks;
  std::vector<Preparation> preparations; // to be launched before
  std::string object;                    // path of the object file
};

struct CompileOptions {
  /// Where objects are kept between runs; empty: $XDG_CACHE_HOME/axloom, or ~/.cache/axloom.
  std::string cacheFolder;
  /// Worker processes; 0: as many as there are cores.
  unsigned jobs = 0;
  /// Only the generic schedule: slow, and what others are compared with.
  bool genericOnly = false;
  /// For each kernel; empty: the usual values for all.
  std::vector<ChoiceValues> choices;
};

/// What can be chosen for a kernel.
struct Schedule {
  std::string family;
  std::string key; // a hash of the target, the family and what the kernel computes
  /// The symbols whose values decide what is best. Kernels of one key have them in one order.
  std::vector<std::string> symbols;
  std::vector<Choice> choices; // none: there is one way only
};

class Backend {
public:
  virtual ~Backend() = default;

  /// How kernels would be scheduled, in order. Compiles nothing.
  virtual mlir::FailureOr<std::vector<Schedule>> schedules(llvm::ArrayRef<ir::KernelOp> kernels,
                                                           const Target &target,
                                                           const CompileOptions &options) = 0;

  /// Compiles kernels, in order. Equal ones are compiled once. Failures are reported at the
  /// kernels' locations.
  virtual mlir::FailureOr<std::vector<CompiledKernel>> compile(llvm::ArrayRef<ir::KernelOp> kernels,
                                                               const Target &target,
                                                               const CompileOptions &options) = 0;
};
} // namespace axloom::codegen
