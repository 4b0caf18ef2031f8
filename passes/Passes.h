//===- Passes.h - All passes of the compiler by name ------------*- C++ -*-===//
//
// What axloom-opt and the pipeline know of the passes: each is registered under the flag that is
// its file's name in kebab-case. Test: the files of tests/passes/, one a pass.
//
//===----------------------------------------------------------------------===//

#pragma once

namespace axloom::passes {
/// Makes every pass known to MLIR's pass pipelines.
void registerPasses();
} // namespace axloom::passes
