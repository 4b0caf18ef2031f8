// Tensors of the caller, seen through a pointer and extents: packed, row-major in the order that
// the model declares. View<T> knows its element type (View<const T> is read only), AnyView does
// not.
#pragma once

#include "runtime/core/Error.h"
#include "runtime/core/Packed.h"
#include "runtime/core/Types.h"

#include <array>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

namespace axloom::runtime {

template <class T> class View {
public:
  using value_type = std::remove_const_t<T>;
  using iterator = T *;
  using const_iterator = T *;

  View() = default;
  // A tensor without axes: one number.
  explicit View(T &scalar) : elements(&scalar) {}
  View(T *data, std::initializer_list<int64_t> extents)
      : View(data, std::span<const int64_t>(extents.begin(), extents.size())) {}
  View(T *data, std::span<const int64_t> extents) : elements(data), axes(int32_t(extents.size())) {
    if (extents.size() > AXL_MAX_RANK)
      throw Error(AXL_ERROR_ARGUMENT, concat("a view of ", extents.size(),
                                             " axes; a tensor has at most ", AXL_MAX_RANK));
    for (size_t axis = 0; axis < extents.size(); ++axis)
      sizes[axis] = extents[axis];
  }
  // A view to read from, of one to write to.
  template <class U>
    requires std::is_same_v<const U, T>
  View(const View<U> &other) : View(other.data(), other.extents()) {}

  T *data() const { return elements; }
  int32_t rank() const { return axes; }
  int64_t extent(int32_t axis) const { return sizes[axis]; }
  std::span<const int64_t> extents() const { return {sizes.data(), size_t(axes)}; }
  // The number of elements; -1: more than any memory has.
  int64_t size() const { return packedSize(extents()); }
  T &operator[](int64_t index) const { return elements[index]; }
  T *begin() const { return elements; }
  T *end() const { return elements + size(); }

private:
  T *elements = nullptr;
  int32_t axes = 0;
  std::array<int64_t, AXL_MAX_RANK> sizes{};
};

class AnyView {
public:
  AnyView() = default;
  template <class T> AnyView(const View<T> &view) : isWritable(!std::is_const_v<T>) {
    using Element = std::remove_const_t<T>;
    tensor.data = const_cast<Element *>(view.data());
    tensor.type = elementTag<Element>;
    tensor.rank = view.rank();
    for (int32_t axis = 0; axis < view.rank(); ++axis)
      tensor.extent[axis] = view.extent(axis);
  }
  AnyView(const axl_host_tensor &tensor, bool writable) : tensor(tensor), isWritable(writable) {}

  const axl_host_tensor &host() const { return tensor; }
  void *data() const { return tensor.data; }
  int32_t type() const { return tensor.type; }
  int32_t rank() const { return tensor.rank; }
  int64_t extent(int32_t axis) const { return tensor.extent[axis]; }
  std::span<const int64_t> extents() const { return {tensor.extent, size_t(tensor.rank)}; }
  bool writable() const { return isWritable; }
  int64_t size() const { return packedSize(extents()); } // as View's
  int64_t bytes() const { return packedBytes(type(), extents()); }

private:
  axl_host_tensor tensor{};
  bool isWritable = false;
};

// A tensor under the name that a function's argument or result has.
struct Named {
  std::string_view name;
  AnyView view;
};

} // namespace axloom::runtime
