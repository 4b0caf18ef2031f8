//===- Family.h - Ways to schedule kernels ----------------------*- C++ -*-===//
//
// A family says whether it can take a kernel, plans it, and schedules the Halide functions that the
// region was lowered to. Families are asked in order; the generic one takes everything. Test:
// tests/codegen/halide/ has one file for each family, and OpsTest.cpp for the generic one.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/Region.h"

#include <optional>

namespace axloom::codegen {
class Family {
public:
  virtual ~Family() = default;
  virtual llvm::StringRef name() const = 0;
  /// How the family divides this kernel, or nothing if it is not for it.
  virtual std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &target) const = 0;
  /// Fills in the numbers that the plan leaves open.
  virtual void choose(KernelPlan &plan, ir::KernelOp kernel, const TargetTraits &traits,
                      Choices &choices) const {}
  /// Schedules the functions that one block of the plan computes.
  virtual void schedule(LoweredRegion &region, const PlannedBlock &block) const = 0;
};

const Family &genericFamily();
const Family &feedForwardFamily();
const Family &contractionFamily();
const Family &attentionFamily();
const Family &attentionGradientFamily();
const Family &singleQueryFamily();
const Family &blocksFamily();

/// The family that takes a kernel, with its plan.
std::pair<const Family *, KernelPlan> chooseFamily(ir::KernelOp kernel, const Target &target,
                                                   bool genericOnly, Choices &choices);

/// One block that computes all results.
PlannedBlock wholeKernel(ir::KernelOp kernel);
} // namespace axloom::codegen
