// Slots for tenants of an arena.
//
// 1. The largest tenant first, at the sample sizes: it takes the lowest offset at which it meets no
//    tenant that lives at the same time.
// 2. Tenants of one size at one offset share a slot; slots stand in the order of their offsets.
// 3. Of two slots with tenants that live at the same time, the lower one is below the other, at all
//    sizes. What another slot below it already lies above needs no mention.

#include "passes/PackArena.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

/// Step 1: the offset of each tenant.
static SmallVector<int64_t> placeTenants(ArrayRef<ArenaTenant> tenants, ArrayRef<int64_t> bytes) {
  auto order = llvm::to_vector(llvm::seq<size_t>(0, tenants.size()));
  llvm::stable_sort(order, [&](size_t a, size_t b) { return bytes[a] > bytes[b]; });
  SmallVector<int64_t> offsets(tenants.size(), 0);
  SmallVector<size_t> placed; // by offset
  for (size_t tenant : order) {
    int64_t &offset = offsets[tenant];
    for (size_t other : placed)
      if (tenants[tenant].overlaps(tenants[other]) && offset < offsets[other] + bytes[other]) {
        if (offset + bytes[tenant] <= offsets[other])
          break;
        offset = offsets[other] + bytes[other];
      }
    placed.insert(llvm::upper_bound(placed, tenant,
                                    [&](size_t a, size_t b) { return offsets[a] < offsets[b]; }),
                  tenant);
  }
  return offsets;
}

/// Step 3, for one slot: what lies directly below it.
static SmallVector<int64_t> lowest(const llvm::BitVector &conflicts,
                                   ArrayRef<llvm::BitVector> all) {
  SmallVector<int64_t> below;
  llvm::BitVector covered(conflicts.size());
  for (int slot = conflicts.find_last(); slot >= 0; slot = conflicts.find_prev(slot))
    if (!covered[slot]) { // or all below it is covered, too
      below.push_back(slot);
      covered |= all[slot];
    }
  std::reverse(below.begin(), below.end());
  return below;
}

ArenaPacking passes::packArena(ArrayRef<ArenaTenant> tenants, SizeValue sample) {
  auto bytes = llvm::map_to_vector(tenants, [&](const ArenaTenant &tenant) {
    return int64_t(llvm::alignTo(sample(tenant.bytes), slotAlignment));
  });
  SmallVector<int64_t> offsets = placeTenants(tenants, bytes);
  auto order = llvm::to_vector(llvm::seq<size_t>(0, tenants.size()));
  llvm::stable_sort(order, [&](size_t a, size_t b) { return offsets[a] < offsets[b]; });

  ArenaPacking packing;
  packing.slotOf.resize(tenants.size());
  DenseMap<std::pair<int64_t, Attribute>, int64_t> known;
  SmallVector<SmallVector<size_t>> tenantsOf;
  for (size_t tenant : order) { // step 2
    auto [slot, isNew] =
        known.try_emplace({offsets[tenant], tenants[tenant].bytes}, tenantsOf.size());
    if (isNew) {
      tenantsOf.emplace_back();
      packing.slots.push_back({tenants[tenant].bytes, {}});
    }
    tenantsOf[slot->second].push_back(tenant);
    packing.slotOf[tenant] = slot->second;
  }
  SmallVector<llvm::BitVector> above; // for each slot, those that it lies above
  for (size_t slot = 0; slot < tenantsOf.size(); ++slot) {
    llvm::BitVector conflicts(tenantsOf.size());
    for (size_t other = 0; other < slot; ++other)
      if (llvm::any_of(tenantsOf[slot], [&](size_t a) {
            return llvm::any_of(tenantsOf[other],
                                [&](size_t b) { return tenants[a].overlaps(tenants[b]); });
          }))
        conflicts.set(other);
    packing.slots[slot].below = lowest(conflicts, above);
    for (int64_t other : packing.slots[slot].below)
      conflicts |= above[other];
    above.push_back(conflicts);
  }
  return packing;
}

SmallVector<double> passes::slotOffsets(ArrayRef<ArenaSlot> slots,
                                        llvm::function_ref<double(SizeAttr)> valueOf) {
  SmallVector<double> offsets, ends;
  for (const ArenaSlot &slot : slots) {
    double offset = 0;
    for (int64_t other : slot.below)
      offset = std::max(offset, ends[other]);
    offsets.push_back(offset);
    ends.push_back(offset + std::ceil(valueOf(slot.bytes) / slotAlignment) * slotAlignment);
  }
  offsets.push_back(ends.empty() ? 0 : *llvm::max_element(ends));
  return offsets;
}

void passes::setSlots(func::FuncOp function, ArrayRef<ArenaSlot> slots) {
  Builder builder(function.getContext());
  SmallVector<Attribute> bytes, below;
  for (const ArenaSlot &slot : slots) {
    bytes.push_back(slot.bytes);
    below.push_back(builder.getDenseI64ArrayAttr(slot.below));
  }
  function->setAttr("axloom.slots", builder.getArrayAttr(bytes));
  function->setAttr("axloom.below", builder.getArrayAttr(below));
}

SmallVector<ArenaSlot> passes::slotsOf(func::FuncOp function) {
  auto bytes = function->getAttrOfType<ArrayAttr>("axloom.slots");
  auto below = function->getAttrOfType<ArrayAttr>("axloom.below");
  SmallVector<ArenaSlot> slots;
  if (bytes && below)
    for (auto [size, others] :
         llvm::zip_equal(bytes.getAsRange<SizeAttr>(), below.getAsRange<DenseI64ArrayAttr>()))
      slots.push_back({size, llvm::to_vector(others.asArrayRef())});
  return slots;
}
