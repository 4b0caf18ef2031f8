//===- SharedBundle.h - A bundle loaded into the test -----------*- C++ -*-===//
//
// Links the very archive that a program would link into a shared library and loads it. The library
// leaves the runtime's functions undefined: the test exports them (-rdynamic in
// tests/support/CMakeLists.txt), so that there is one runtime.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/bundle/Bundle.h"
#include "runtime/abi/axloom.h"
#include "tests/support/TemporaryFolder.h"

#include <string>

namespace axloom::test {
class SharedBundle {
public:
  /// Aborts with a message where the linker or the loader refuses.
  explicit SharedBundle(const codegen::Bundle &bundle);
  ~SharedBundle();
  SharedBundle(const SharedBundle &) = delete;
  SharedBundle &operator=(const SharedBundle &) = delete;

  const axl_model &model() const { return *tables; }
  std::string folder() const { return files.path(); }

private:
  TemporaryFolder files;
  void *library = nullptr;
  const axl_model *tables = nullptr;
};
} // namespace axloom::test
