#include "ir/reference/Space.h"

#include "llvm/ADT/STLExtras.h"

using namespace axloom::ir;
using namespace axloom::ir::reference;

int64_t Sizes::extent(SizeAttr size) const {
  return size.evaluate([&](mlir::StringAttr symbol) { return symbols.at(symbol.str()); });
}

Space::Space(llvm::ArrayRef<Axis> axes, const Sizes &sizes) : allAxes(axes) {
  for (const Axis &axis : axes)
    allExtents.push_back(sizes.extent(axis.size()));
  for (const Axis &axis : axes)
    if (mlir::StringAttr partner = axis.size().getRaggedOver())
      ragged.push_back(
          {position(axis.name), position(partner), sizes.lengths.at(axis.size().padded().str())});
}

int64_t Space::volume() const {
  int64_t volume = 1;
  for (int64_t extent : allExtents)
    volume *= extent;
  return volume;
}

int64_t Space::position(llvm::StringRef name) const {
  const auto *found = llvm::find_if(allAxes, [&](const Axis &axis) { return axis.name == name; });
  return found == allAxes.end() ? -1 : found - allAxes.begin();
}

bool Space::contains(Point point) const {
  return llvm::all_of(
      ragged, [&](const Raggedness &r) { return point[r.axis] < r.lengths[point[r.partner]]; });
}

void Space::forEach(llvm::function_ref<void(Point)> visit) const {
  llvm::SmallVector<int64_t> point(allAxes.size(), 0);
  for (int64_t left = volume(); left > 0; --left) {
    if (contains(point))
      visit(point);
    for (int64_t axis = point.size() - 1; axis >= 0; --axis) {
      if (++point[axis] < allExtents[axis])
        break;
      point[axis] = 0;
    }
  }
}
