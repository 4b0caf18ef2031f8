#include "codegen/halide/Coordinates.h"

using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;

const AxisList *AxisSpace::groupOf(const std::string &axis) const {
  for (const AxisList &group : groups)
    if (llvm::is_contained(group, axis))
      return &group;
  return nullptr;
}

Expr AxisSpace::origin(const AxisList &dimension) const {
  auto found = origins.find(dimension.front());
  return found == origins.end() ? Expr(0) : found->second;
}

/// The index along axis `k` of a group, from the index along the whole group.
static Expr partOf(const AxisList &group, size_t k, Expr index, const AxisSpace &space) {
  Expr inner = 1;
  for (size_t i = k + 1; i < group.size(); ++i)
    inner = inner * space.extent(group[i]);
  index = Halide::Internal::simplify(inner).same_as(Expr(1)) ? index : index / inner;
  return k == 0 ? index : index % space.extent(group[k]);
}

Expr Coordinates::operator[](const AxisList &dimension) const {
  if (auto found = indices.find(dimension); found != indices.end())
    return found->second;
  if (dimension.size() == 1) {
    const AxisList *group = space->groupOf(dimension.front());
    assert(group && indices.count(*group) && "no index along this axis");
    size_t k = llvm::find(*group, dimension.front()) - group->begin();
    return partOf(*group, k, indices.at(*group) + space->origin(*group), *space);
  }
  Expr index = 0;
  for (const std::string &axis : dimension)
    index = index * space->extent(axis) + (*this)[AxisList{axis}];
  return index - space->origin(dimension);
}

Expr Coordinates::logical(llvm::StringRef axis) const {
  // An axis within a group is counted from the start already.
  if (space->groupOf(axis.str()))
    return (*this)[axis];
  return (*this)[axis] + space->origin({axis.str()});
}

void Coordinates::set(const AxisList &dimension, Expr index) {
  if (dimension.size() == 1)
    if (const AxisList *group = space->groupOf(dimension.front()))
      if (auto found = indices.find(*group); found != indices.end()) {
        Expr whole = found->second + space->origin(*group);
        for (size_t k = 0; k < group->size(); ++k)
          indices[{(*group)[k]}] = partOf(*group, k, whole, *space);
        indices.erase(*group);
      }
  indices[dimension] = index;
}

Coordinates Coordinates::with(const AxisList &dimension, Expr index) const {
  Coordinates result = *this;
  result.set(dimension, index);
  return result;
}

Coordinates Coordinates::withLogical(llvm::StringRef axis, Expr index) const {
  // An axis within a group is counted from the start already.
  return with(axis, space->groupOf(axis.str()) ? index : index - space->origin({axis.str()}));
}

Expr Coordinates::merged(llvm::StringRef outer, llvm::StringRef inner, Expr innerSize) const {
  AxisList pair = {outer.str(), inner.str()};
  if (auto found = indices.find(pair); found != indices.end())
    return found->second;
  return (*this)[outer] * innerSize + (*this)[inner];
}

Coordinates Coordinates::withMerged(llvm::StringRef outer, llvm::StringRef inner, Expr innerSize,
                                    Expr index) const {
  AxisList pair = {outer.str(), inner.str()};
  const AxisList *group = space->groupOf(outer.str());
  if (group && *group == pair)
    return with(pair, index);
  return with(outer, index / innerSize).with(inner, index % innerSize);
}
