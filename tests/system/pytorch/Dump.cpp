#include "tests/system/pytorch/Dump.h"

#include <stdexcept>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using axloom::test::Dump;

Dump::Dump(const std::string &path) : file(path, runtime::Checksums::Optional) {}

const runtime::SafetensorsFile::Entry &Dump::entry(const std::string &name) const {
  if (const auto *found = file.find(name))
    return *found;
  throw std::runtime_error("the dump has no tensor '" + name + "'");
}

static double element(const runtime::Tensor &tensor, int64_t index) {
  if (tensor.type() == AXL_F32)
    return static_cast<const float *>(tensor.data())[index];
  return static_cast<const int32_t *>(tensor.data())[index];
}

Array Dump::array(const std::string &name, ir::NamedTensorType type, ArrayAttr order,
                  const Sizes &sizes) const {
  runtime::Tensor stored = file.read(entry(name));
  Array array(type.getAxes(), sizes);
  if (stored.size() != static_cast<int64_t>(array.values.size()))
    throw std::runtime_error("'" + name + "' has another size in the dump than in the model");
  array.space.forEach([&](Point point) {
    int64_t index = 0; // row-major in the file's order
    for (auto axis : order.getAsRange<StringAttr>()) {
      int64_t position = array.space.position(axis.getValue());
      index = index * array.space.extents()[position] + point[position];
    }
    array.values[View(array, array.space).offset(point)] = element(stored, index);
  });
  return array;
}

std::vector<double> Dump::list(const std::string &name) const {
  runtime::Tensor stored = file.read(entry(name));
  std::vector<double> values;
  for (int64_t i = 0; i < stored.size(); ++i)
    values.push_back(element(stored, i));
  return values;
}

int64_t Dump::extent(const std::string &name, int axis) const { return entry(name).extents[axis]; }
