// Where the elements of a parameter lie in a tensor of another program's file: its axes in another
// order, several as one, and perhaps beside other parameters, each of which is a part of the
// tensor.
//
// Test: tests/runtime/ImportTest.cpp.
#pragma once

#include "runtime/checkpoint/NameTable.h"
#include "runtime/core/Tensor.h"

namespace axloom::runtime {

class Placement {
public:
  Placement(const axl_value &parameter, const NameTable::Place &place);

  // The extents of the tensor. One that would have more than 63 bits is -1, as no tensor has it.
  const std::vector<int64_t> &fileExtents() const { return inFile; }

  // "1/3", or nothing if the parameter is all of the tensor. The same only of the same elements,
  // where tensors are cut alike.
  std::string part() const;

  // Whether both are of tensors with the same extents that are cut into the same parts.
  bool isCutLike(const Placement &other) const;

  // Between the parameter and the tensor, which has the extents above. What is gathered lies in the
  // tensor where it is one piece of it, and else in `copy`.
  AnyView gather(const Tensor &whole, Tensor &copy) const;
  void scatter(const Tensor &parameter, Tensor &whole) const;

  // The first parts of a tensor, at most `most`, that none of these is; they are cut alike.
  static std::vector<std::string> missingParts(const std::vector<const Placement *> &present,
                                               size_t most);

private:
  // `stride`: elements of the tensor between this part and the next one.
  struct Part {
    int64_t index, count, stride;
  };

  int64_t start() const; // of the parameter in the tensor, in elements
  bool isOnePiece() const;
  template <class Visit> void forEach(const Visit &visit) const;

  std::vector<int64_t> extents, strides; // of the parameter's axes; the strides are the tensor's
  std::vector<int64_t> inFile;
  std::vector<Part> parts; // in the order of the row
};

} // namespace axloom::runtime
