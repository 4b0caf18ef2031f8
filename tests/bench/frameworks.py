"""The programs that Axloom is compared with, and what each of them can run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Framework:
    name: str
    peer: str  # its module of peers/
    packages: tuple  # that it imports
    functions: tuple  # of the translation model; none: all functions of all models
    types: tuple = ("f32", "bf16")
    compiled: bool = False
    reads_onnx: bool = False  # and wants `forward` as an ONNX file

    def runs(self, row):
        known = row.model.peer == "translate" and row.function in self.functions
        return row.type in self.types and (known or not self.functions)


FORWARD, TRAINING = ("forward",), ("forward", "train_step")
EXPORT = ("torch", "numpy", "onnx", "onnxscript")  # what writing an ONNX file takes

PYTORCH = Framework("PyTorch eager", "pytorch", ("torch", "numpy"), functions=())
ALL = (
    PYTORCH,
    Framework("PyTorch compile", "pytorch", ("torch", "numpy"), TRAINING, compiled=True),
    Framework("JAX", "jax", ("jax", "numpy"), TRAINING),
    Framework("ONNX Runtime", "onnxruntime", ("onnxruntime", "numpy"), FORWARD, ("f32",),
              reads_onnx=True),
    Framework("OpenVINO", "openvino", ("openvino", "numpy"), FORWARD, reads_onnx=True),
    Framework("IREE", "iree", ("iree.compiler", "iree.runtime", "onnx", "numpy"), FORWARD, ("f32",),
              reads_onnx=True),
)
