"""What the process of a peer is told, and the files in which our side leaves parameters, arguments
and results, so that a peer computes the same."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

BYTES_OF_LENGTH = 8  # at the head of a safetensors file


def read_tensors(path):
    """The arrays of a safetensors file, by name. They stay on the disk until they are used, but for
    those of bf16, which become f32."""
    import numpy  # only peers need it, and have it

    types = {"F32": "<f4", "I32": "<i4", "BF16": "<u2"}
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(BYTES_OF_LENGTH), "little")
        header = json.loads(file.read(length))
    header.pop("__metadata__", None)
    data = numpy.memmap(path, mode="r", offset=BYTES_OF_LENGTH + length)
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        array = data[begin:end].view(types[entry["dtype"]]).reshape(entry["shape"])
        if entry["dtype"] == "BF16":
            array = (array.astype("<u4") << 16).view("<f4")
        arrays[name] = array
    return arrays


@dataclass(frozen=True)
class Job:
    peer: str  # a module of peers/
    model: str  # of those that the peer knows
    sizes: dict  # of the model
    folder: str  # of the files
    threads: int
    type: str = "f32"  # or bf16: of products
    compiled: bool = False  # for a peer that can run programs as they are, too

    def text(self):
        return json.dumps(asdict(self))

    @staticmethod
    def parse(text):
        return Job(**json.loads(text))

    def parameters_file(self):
        return Path(self.folder) / "parameters.safetensors"

    def example_file(self, function, values):
        words = [function, *(f"{name}{value}" for name, value in sorted(values.items()))]
        return Path(self.folder) / ("-".join(words) + ".safetensors")

    def onnx_file(self):
        """`forward` with its parameters, for the arguments of its example."""
        return Path(self.folder) / "forward.onnx"

    def parameters(self):
        return read_tensors(self.parameters_file())

    def example(self, function, **values):
        """Arguments and results of a call."""
        return read_tensors(self.example_file(function, values))
