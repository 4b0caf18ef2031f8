//===- PackArena.h - Where results lie beside each other --------*- C++ -*-===//
//
// An arena is cut into slots. Each slot says which others lie below it, so that offsets follow from
// the values of the size symbols: a slot begins where the last of those below it ends. One plan
// serves all shapes; it is as tight as the packing was at the sizes that it was made for. A planned
// function has it as the attributes `axloom.slots` (bytes of each slot) and `axloom.below` (indices
// of slots). Test: tests/passes/PackArenaTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace axloom::passes {
/// Slots begin at multiples of this.
inline constexpr int64_t slotAlignment = 64;

struct ArenaSlot {
  ir::SizeAttr bytes;
  /// Slots that must end before this one begins; each comes before it.
  llvm::SmallVector<int64_t> below;
};

/// What needs memory: bytes, from its first to its last kernel.
struct ArenaTenant {
  ir::SizeAttr bytes;
  unsigned from, to;
  bool overlaps(const ArenaTenant &other) const { return from <= other.to && other.from <= to; }
};

struct ArenaPacking {
  llvm::SmallVector<ArenaSlot> slots;
  llvm::SmallVector<int64_t> slotOf; // of each tenant
};

using SizeValue = llvm::function_ref<int64_t(ir::SizeAttr)>;

/// Large tenants choose first; each lies as low as it can at the values that `sample` gives.
ArenaPacking packArena(llvm::ArrayRef<ArenaTenant> tenants, SizeValue sample);

/// The offset of each slot, and at last the bytes of the whole arena. Real numbers, since sizes at
/// their maxima may exceed every integer.
llvm::SmallVector<double> slotOffsets(llvm::ArrayRef<ArenaSlot> slots,
                                      llvm::function_ref<double(ir::SizeAttr)> valueOf);

void setSlots(mlir::func::FuncOp function, llvm::ArrayRef<ArenaSlot> slots);
/// The slots of a planned function.
llvm::SmallVector<ArenaSlot> slotsOf(mlir::func::FuncOp function);
} // namespace axloom::passes
