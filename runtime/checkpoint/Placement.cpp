#include "runtime/checkpoint/Placement.h"

#include "runtime/core/Error.h"
#include "runtime/core/Packed.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ranges>
#include <set>

using namespace axloom::runtime;

namespace {

// The next index below `counts`, the last place first; false after the last one.
bool advance(std::vector<int64_t> &index, const std::vector<int64_t> &counts) {
  for (size_t place = index.size(); place-- > 0; index[place] = 0)
    if (++index[place] < counts[place])
      return true;
  return false;
}

// "1/3"; "1/3 0/2" of a part of a part.
std::string partText(const std::vector<int64_t> &index, const std::vector<int64_t> &counts) {
  std::string text;
  for (size_t i = 0; i < index.size(); ++i)
    text += concat(i ? " " : "", index[i], "/", counts[i]);
  return text;
}

// Calls use(word) with a word as long as an element, so that copies of one are single instructions.
template <class Use> void withWord(int32_t type, const Use &use) {
  switch (elementSize(type)) {
  case 1:
    return use(uint8_t());
  case 2:
    return use(uint16_t());
  case 4:
    return use(uint32_t());
  default:
    return use(uint64_t());
  }
}

} // namespace

Placement::Placement(const axl_value &parameter, const NameTable::Place &place)
    : strides(size_t(parameter.rank)) {
  for (int32_t axis = 0; axis < parameter.rank; ++axis)
    extents.push_back(parameter.extents[axis].factor);
  int64_t stride = 1;
  for (const auto &group : place.axes | std::views::reverse) {
    std::vector<int64_t> sizes;
    for (const NameTable::Factor &factor : group | std::views::reverse) {
      if (factor.axis < 0)
        parts.push_back({factor.index, factor.count, stride});
      else
        strides[size_t(factor.axis)] = stride;
      sizes.push_back(factor.axis < 0 ? factor.count : extents[size_t(factor.axis)]);
      (void)__builtin_mul_overflow(stride, sizes.back(), &stride); // no tensor has such extents
    }
    inFile.push_back(packedSize(sizes));
  }
  std::ranges::reverse(parts);
  std::ranges::reverse(inFile);
}

std::string Placement::part() const {
  std::vector<int64_t> index, counts;
  for (const Part &part : parts) {
    index.push_back(part.index);
    counts.push_back(part.count);
  }
  return partText(index, counts);
}

bool Placement::isCutLike(const Placement &other) const {
  return inFile == other.inFile &&
         std::ranges::equal(parts, other.parts, [](const Part &a, const Part &b) {
           return a.count == b.count && a.stride == b.stride;
         });
}

int64_t Placement::start() const {
  int64_t place = 0;
  for (const Part &part : parts)
    place += part.index * part.stride;
  return place;
}

// Whether the elements follow one another in the tensor as they do in the parameter.
bool Placement::isOnePiece() const {
  int64_t stride = 1;
  for (size_t axis = extents.size(); axis-- > 0;) {
    if (strides[axis] != stride && extents[axis] != 1)
      return false;
    (void)__builtin_mul_overflow(stride, extents[axis], &stride); // means nothing without elements
  }
  return true;
}

// Calls visit(place in the parameter, place in the tensor), in the order of the parameter.
template <class Visit> void Placement::forEach(const Visit &visit) const {
  std::array<int64_t, AXL_MAX_RANK> index{};
  int64_t whole = start();
  const int64_t size = packedSize(extents);
  for (int64_t place = 0; place < size; ++place) {
    visit(place, whole);
    for (size_t axis = extents.size(); axis-- > 0; index[axis] = 0) {
      whole += strides[axis];
      if (++index[axis] < extents[axis])
        break;
      whole -= strides[axis] * extents[axis];
    }
  }
}

AnyView Placement::gather(const Tensor &whole, Tensor &copy) const {
  if (isOnePiece()) {
    axl_host_tensor piece = AnyView(whole).host();
    piece.data = static_cast<std::byte *>(piece.data) + start() * elementSize(piece.type);
    piece.rank = int32_t(extents.size());
    std::ranges::copy(extents, piece.extent);
    return AnyView(piece, false);
  }
  copy.resize(whole.type(), extents);
  withWord(whole.type(), [&](auto word) {
    constexpr int64_t bytes = sizeof(word);
    const auto *source = static_cast<const std::byte *>(whole.data());
    auto *target = static_cast<std::byte *>(copy.data());
    forEach([=](int64_t place, int64_t inWhole) {
      std::memcpy(target + place * bytes, source + inWhole * bytes, bytes);
    });
  });
  return copy;
}

void Placement::scatter(const Tensor &parameter, Tensor &whole) const {
  withWord(whole.type(), [&](auto word) {
    constexpr int64_t bytes = sizeof(word);
    const auto *source = static_cast<const std::byte *>(parameter.data());
    auto *target = static_cast<std::byte *>(whole.data());
    forEach([=](int64_t place, int64_t inWhole) {
      std::memcpy(target + inWhole * bytes, source + place * bytes, bytes);
    });
  });
}

std::vector<std::string> Placement::missingParts(const std::vector<const Placement *> &present,
                                                 size_t most) {
  std::set<std::string> found;
  for (const Placement *placement : present)
    found.insert(placement->part());
  std::vector<int64_t> counts;
  for (const Part &part : present.front()->parts)
    counts.push_back(part.count);
  std::vector<int64_t> index(counts.size());
  std::vector<std::string> missing;
  do {
    std::string part = partText(index, counts);
    if (!found.contains(part))
      missing.push_back(part);
  } while (missing.size() < most && advance(index, counts));
  return missing;
}
