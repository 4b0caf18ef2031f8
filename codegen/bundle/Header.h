//===- Header.h - The header of a bundle ------------------------*- C++ -*-===//
//
// C++: `extern "C" const axl_model <name>_model` and, in namespace <name>, one struct a function
// with the typed views of its arguments and results and a `call`. With --kernel, as
// axloom_add_kernel has it, a model without variables gets plain C functions instead. The header
// includes nothing but runtime/ headers. Test: tests/codegen/bundle/HeaderTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/host/Description.h"

namespace axloom::codegen {
/// The header in C++, with typed entry points.
std::string modelHeader(const Description &model);

/// The header in C and C++ of a model without variables: `int <function>(sizes, arguments,
/// results)`. A function that bears the model's own name is called just so, others
/// `<model>_<function>`.
std::string kernelHeader(const Description &model);

/// `name` as an identifier of C++ and C outside of any namespace.
std::string identifier(llvm::StringRef name);
} // namespace axloom::codegen
