//===- Names.h - What both kinds of headers say -----------------*- C++ -*-===//

#pragma once

#include "codegen/host/Description.h"

#include "llvm/ADT/StringSet.h"

namespace axloom::codegen {
/// The names of one scope of generated code, each of which it has once. Characters that C++ does
/// not allow become '_'; a keyword, or what another name of the scope is already, gets '_' behind.
class Identifiers {
public:
  /// `taken`: what the scope uses for itself.
  explicit Identifiers(std::initializer_list<llvm::StringRef> taken = {});

  std::string add(llvm::StringRef name);
  std::vector<std::string> add(const std::vector<ValueInfo> &values);

private:
  llvm::StringSet<> used;
};

/// "[batch: B, model: 512]".
std::string shapeComment(const Description &model, const ValueInfo &value);

/// The C++ type of an element; `brainFloat` is what bf16 is called.
std::string elementTypeName(int32_t tag, const char *brainFloat);

/// A line that lists the size symbols and their maxima; empty without any.
std::string sizesComment(const Description &model);
} // namespace axloom::codegen
