//===- Canonical.h - One spelling for kernels that compute the same -*- C++ -*-===//
//
// Two layers of a model give kernels that differ in names only. The canonical form renames axes and
// size symbols by their alphabetical rank (`a00`, `a01` ..., `s00` ...; the rank and not first use,
// because random numbers and the order of scalars follow the alphabet), drops locations, placements
// and the axes that tensors have outside only, and keeps which results overwrite inputs. Its text,
// with the target, is what a kernel's name and its place in the cache are made from. Test:
// tests/codegen/CanonicalTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace axloom::codegen {
/// A kernel alone, in a function that hands its arguments to it.
struct IsolatedKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ir::KernelOp kernel;
};

/// A copy; what it knows of the memory of others becomes its attribute `overwrites`, and tensors
/// have the axes that they have within the kernel (AbsorbViews.h).
IsolatedKernel isolate(ir::KernelOp kernel);

/// Gives the function around an isolated kernel the types that the kernel has now.
void updateSignature(ir::KernelOp isolated);

struct CanonicalKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module; // a function that holds just the kernel
  ir::KernelOp kernel;
  std::string text;
};

CanonicalKernel canonicalize(ir::KernelOp kernel);

/// The name that the canonical form gives the size symbol of this rank.
std::string canonicalSymbol(size_t rank);

/// SHA-256 of the parts, in hexadecimal.
std::string contentHash(llvm::ArrayRef<llvm::StringRef> parts);
} // namespace axloom::codegen
