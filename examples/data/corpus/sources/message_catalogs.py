"""The messages of programs: compiled gettext catalogs (.mo files)."""
import re
import struct

from ..files import matching
from ..text import align

WANTED = re.compile(r"/de/LC_MESSAGES/[^/]+\.mo$")

_MAGIC = {b"\xde\x12\x04\x95": "<", b"\x95\x04\x12\xde": ">"}  # byte order

# Marks of an accelerator key inside a word, and simple tags: neither is language.
_MARKUP = re.compile(r"(?<!\w)[~_&](?=\w)|(?<=\w)[~_&](?=\w)|</?[a-z]+>")


def _strings(data, order, table, count):
    """The `count` byte strings that a table of (length, offset) entries points to."""
    for index in range(count):
        length, offset = struct.unpack_from(order + "2I", data, table + 8 * index)
        yield data[offset : offset + length]


def _clean(message):
    return _MARKUP.sub("", message.decode("utf-8", "replace"))


def _messages(data):
    """(original, translation) of each entry: its singular form, without its context."""
    order = _MAGIC.get(data[:4])
    if order is None:
        return
    count, originals, translations = struct.unpack_from(order + "3I", data, 8)
    for original, translation in zip(
        _strings(data, order, originals, count), _strings(data, order, translations, count)
    ):
        original = original.split(b"\0")[0].split(b"\4")[-1]
        translation = translation.split(b"\0")[0]
        if original and translation:  # the entry of the empty original is the file's header
            yield _clean(original), _clean(translation)


def pairs(root):
    """Pairs out of every German catalog below `root`."""
    for path in matching(root, WANTED):
        with open(path, "rb") as file:
            for message, translation in _messages(file.read()):
                yield from align(message, translation)
