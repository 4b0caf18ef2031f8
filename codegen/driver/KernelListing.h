//===- KernelListing.h - How the kernels of a model are compiled -*- C++ -*-===//

#pragma once

#include "codegen/host/Description.h"

namespace axloom::codegen {
/// For each distinct kernel: its schedule, operands, loops, blocks, and where it is launched, as
/// comments.
std::string listKernels(const Description &model);
} // namespace axloom::codegen
