// A host tensor that owns its memory (aligned to AXL_ALIGNMENT, zeros at first). Resizing to a
// shape that fits what was allocated before keeps the memory: loops over batches stop allocating.
#pragma once

#include "runtime/core/View.h"

#include <memory>
#include <vector>

namespace axloom::runtime {

class Tensor {
public:
  Tensor() = default;
  Tensor(Tensor &&other) noexcept { *this = std::move(other); } // which then has no memory
  Tensor &operator=(Tensor &&other) noexcept;
  ~Tensor() = default;
  Tensor(int32_t type, std::span<const int64_t> extents) { resize(type, extents); }
  Tensor(int32_t type, std::initializer_list<int64_t> extents)
      : Tensor(type, std::span<const int64_t>(extents.begin(), extents.size())) {}

  template <class T> static Tensor of(std::initializer_list<int64_t> extents) {
    return Tensor(elementTag<T>, extents);
  }

  // Changes type and shape; the contents are zeros afterwards.
  void resize(int32_t type, std::span<const int64_t> extents);
  void resize(int32_t type, std::initializer_list<int64_t> extents) {
    resize(type, std::span<const int64_t>(extents.begin(), extents.size()));
  }

  // T must be the element type (const or not); anything else throws AXL_ERROR_ARGUMENT.
  template <class T> View<T> view() {
    checkType(elementTag<std::remove_const_t<T>>);
    return View<T>(static_cast<T *>(any.data()), any.extents());
  }
  template <class T> View<const T> view() const {
    checkType(elementTag<std::remove_const_t<T>>);
    return View<const T>(static_cast<const T *>(any.data()), any.extents());
  }

  operator AnyView() { return any; }
  operator AnyView() const { return AnyView(any.host(), false); }

  int32_t type() const { return any.type(); }
  int32_t rank() const { return any.rank(); }
  int64_t extent(int32_t axis) const { return any.extent(axis); }
  std::span<const int64_t> extents() const { return any.extents(); }
  int64_t size() const { return any.size(); }
  int64_t bytes() const { return any.bytes(); }
  const void *data() const { return any.data(); }
  void *data() { return any.data(); }

private:
  struct Free {
    void operator()(std::byte *memory) const;
  };

  void checkType(int32_t wanted) const;

  std::unique_ptr<std::byte[], Free> memory;
  int64_t capacity = 0; // bytes
  AnyView any;
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

} // namespace axloom::runtime
