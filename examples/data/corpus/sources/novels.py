"""Jane Austen's novels: character vectors, a line of text each, in a database of the R language.

The database is a sequence of objects: their length in four bytes, then a compressed serialization,
of which we read what a vector of strings looks like.
"""
import re
import struct
import zlib

from ..files import matching
from ..prose import paragraphs

WANTED = re.compile(r"/janeaustenr/data/Rdata\.rdb$")

_STRING_VECTOR = struct.pack(">I", 16)
_CHAPTER = re.compile(r"(?mi)^(?:chapter|volume)\b.*$")


def _objects(data):
    """The serializations in a database."""
    position = 0
    while position + 4 < len(data):
        decompressor = zlib.decompressobj()
        yield decompressor.decompress(data[position + 4 :])
        position = len(data) - len(decompressor.unused_data)


def _strings(serialized):
    """The strings of the first vector of strings, if there is one."""
    header = 14
    position = serialized.find(_STRING_VECTOR, header)
    if position < 0:
        return
    (count,) = struct.unpack_from(">I", serialized, position + 4)
    position += 8
    for _ in range(count):
        (length,) = struct.unpack_from(">i", serialized, position + 4)  # behind flags
        position += 8
        yield serialized[position : position + length].decode("utf-8", "replace")
        position += length


def documents(root):
    """The chapters of every novel below `root`, as lists of paragraphs."""
    for path in matching(root, WANTED):
        with open(path, "rb") as file:
            data = file.read()
        for novel in _objects(data):
            for chapter in _CHAPTER.split("\n".join(_strings(novel))):
                yield paragraphs(chapter.replace("_", ""))  # marks of emphasis
