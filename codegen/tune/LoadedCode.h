//===- LoadedCode.h - Objects of kernels, in this process -------*- C++ -*-===//
//
// Links object files into the running process. What they need of Halide's runtime they find there.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "runtime/abi/axloom.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm::orc {
class LLJIT;
}

namespace axloom::codegen {
class LoadedCode {
public:
  static llvm::Expected<LoadedCode> load(llvm::ArrayRef<std::string> objects);
  LoadedCode(LoadedCode &&) noexcept;
  ~LoadedCode();

  /// The function of that name, as long as this object lives.
  llvm::Expected<axl_pipeline> find(const std::string &symbol) const;

private:
  explicit LoadedCode(std::unique_ptr<llvm::orc::LLJIT> linker);

  std::unique_ptr<llvm::orc::LLJIT> linker;
};
} // namespace axloom::codegen
