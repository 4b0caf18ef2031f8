"""Reads files in the format GGUF: metadata, and tensors as 32-bit floats.

https://github.com/ggml-org/ggml/blob/master/docs/gguf.md describes the format. Of the types that
a tensor can have, these are the ones of SmolLM2-135M-Instruct.Q4_1.gguf.
"""
import array
import dataclasses
import math
import struct

MAGIC, VERSION = b"GGUF", 3
STRING, ARRAY = 8, 9
SCALARS = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"
}


class GgufError(Exception):
    """A file that is not as expected; the text says where."""


def f32(data):
    return array.array("f", data)


def q4_1(data):
    """Blocks of 32 numbers: a step, the least number, and 4 bits for each: of the first 16 the
    lower half of a byte, of the others the upper one."""
    numbers = array.array("f")
    for step, least, levels in struct.iter_unpack("<ee16s", data):
        numbers.fromlist([step * (byte & 15) + least for byte in levels])
        numbers.fromlist([step * (byte >> 4) + least for byte in levels])
    return numbers


def q8_0(data):
    """Blocks of 32 numbers: a step, and 8 bits for each."""
    numbers = array.array("f")
    for step, *levels in struct.iter_unpack("<e32b", data):
        numbers.fromlist([step * level for level in levels])
    return numbers


# Of each type: the numbers and the bytes of a block, and what makes numbers of bytes.
TYPES = {0: (1, 4, f32), 3: (32, 20, q4_1), 8: (32, 34, q8_0)}


@dataclasses.dataclass
class Tensor:
    shape: tuple  # the outermost axis first
    kind: int  # one of TYPES
    data: memoryview

    def rows(self):
        """The bytes of each step along the first axis."""
        size = len(self.data) // self.shape[0]
        return [self.data[i:i + size] for i in range(0, len(self.data), size)]

    def numbers(self, rows):
        _, _, decode = TYPES[self.kind]
        return decode(b"".join(rows))


class Gguf:
    """metadata: values by key; tensors: Tensor by name."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._data = memoryview(file.read())
        self._path, self._place = path, len(MAGIC)
        if self._data[:4] != MAGIC:
            raise GgufError(f"'{path}' is no GGUF file: it does not begin with {MAGIC.decode()}")
        version, tensors, keys = self._scalars("IQQ")
        if version != VERSION:
            raise GgufError(f"'{path}' has GGUF's version {version}, expected {VERSION}")
        self.metadata = dict(self._entry() for _ in range(keys))
        infos = [self._tensor_info() for _ in range(tensors)]
        alignment = self.metadata.get("general.alignment", 32)
        start = -(-self._place // alignment) * alignment
        self.tensors = {name: self._tensor(name, start, *info) for name, *info in infos}

    def _bytes(self, size):
        begin, self._place = self._place, self._place + size
        if self._place > len(self._data):
            raise GgufError(f"'{self._path}' is cut off after {len(self._data)} bytes")
        return self._data[begin:self._place]

    def _scalars(self, letters):
        return struct.unpack("<" + letters, self._bytes(struct.calcsize("<" + letters)))

    def _string(self):
        size, = self._scalars("Q")
        return str(self._bytes(size), "utf-8")

    def _value(self, kind):
        if kind == STRING:
            return self._string()
        if kind == ARRAY:
            inner, count = self._scalars("IQ")
            return [self._value(inner) for _ in range(count)]
        if kind not in SCALARS:
            raise GgufError(f"'{self._path}' has metadata of type {kind}, which is unknown")
        value, = self._scalars(SCALARS[kind])
        return value

    def _entry(self):
        key = self._string()
        kind, = self._scalars("I")
        return key, self._value(kind)

    def _tensor_info(self):
        """Name, shape, type and offset."""
        name = self._string()
        axes, = self._scalars("I")
        shape = self._scalars(f"{axes}Q")[::-1]
        return name, shape, *self._scalars("IQ")

    def _tensor(self, name, start, shape, kind, offset):
        if kind not in TYPES:
            raise GgufError(f"'{self._path}': tensor '{name}' has type {kind}; those known are "
                            f"{', '.join(map(str, TYPES))}")
        numbers, size, _ = TYPES[kind]
        self._place = start + offset
        return Tensor(shape, kind, self._bytes(math.prod(shape) // numbers * size))
