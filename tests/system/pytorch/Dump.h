//===- Dump.h - What PyTorch computed ---------------------------*- C++ -*-===//
//
// Reads the files that transformer.py wrote, as arrays of the reference interpreter.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"
#include "ir/reference/Interpreter.h"
#include "runtime/checkpoint/Safetensors.h"

namespace axloom::test {
class Dump {
public:
  explicit Dump(const std::string &path);

  /// The tensor `name`, whose axes stand in `order` in the file.
  ir::reference::Array array(const std::string &name, ir::NamedTensorType type,
                             mlir::ArrayAttr order, const ir::reference::Sizes &sizes) const;
  /// A tensor of one axis.
  std::vector<double> list(const std::string &name) const;
  int64_t extent(const std::string &name, int axis) const;

private:
  const runtime::SafetensorsFile::Entry &entry(const std::string &name) const;

  runtime::SafetensorsFile file;
};
} // namespace axloom::test
