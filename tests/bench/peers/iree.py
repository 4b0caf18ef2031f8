"""IREE: the forward of examples/translate, from the file that onnx_export.py writes.

Settings as its guides for CPUs advise: the highest level of optimization, code for this machine,
and the device that works on several threads."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import iree.runtime
import numpy

COMPILE = ["--iree-opt-level=O3", "--iree-hal-target-device=local",
           "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host"]


def name(_):
    return f"IREE {version('iree-base-compiler')}"


def array(result):
    return numpy.asarray(result)


def compiled(onnx):
    """Compiles an ONNX file. Gives the file of the program."""
    tools = Path(sys.executable).parent
    graph, program = onnx.with_suffix(".mlir"), onnx.with_suffix(".vmfb")
    subprocess.run([tools / "iree-import-onnx", onnx, "-o", graph], check=True)
    subprocess.run([tools / "iree-compile", graph, *COMPILE, "-o", program], check=True)
    return program


class Functions:
    def __init__(self, job):
        self.job = job
        iree.runtime.flags.parse_flags(f"--task_topology_group_count={job.threads}")
        config = iree.runtime.Config("local-task")
        module = iree.runtime.VmModule.mmap(config.vm_instance, str(compiled(job.onnx_file())))
        self.device = config.device
        self.module = iree.runtime.load_vm_module(module, config)

    def forward(self, **values):
        example = self.job.example("forward", **values)
        arguments = [iree.runtime.asdevicearray(self.device, example[name].astype(numpy.int64))
                     for name in ("source", "target_in")]
        return lambda: {"logits": self.module.main_graph(*arguments)}


def functions(job):
    return Functions(job)
