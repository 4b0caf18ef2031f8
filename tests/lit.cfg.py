"""lit's settings: every .mlir file in tests/ir, tests/passes and tests/codegen is a test that says how to run itself.

By hand, from the root of the repository, after a build of the release preset:
    .venv/bin/lit -v build/release/tests/lit/passes
"""

import os

import lit.formats

config.name = "axloom"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.join(config.axloom_source_root, "tests")
config.test_exec_root = os.path.join(config.axloom_build_root, "tests", "lit")
# axloom-opt and axloom from this build; FileCheck, not and count from LLVM.
config.environment["PATH"] = os.pathsep.join(
    [config.axloom_tools, config.llvm_tools, os.environ["PATH"]]
)
