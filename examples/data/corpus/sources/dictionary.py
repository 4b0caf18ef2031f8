"""The Free On-line Dictionary of Computing, as a dictionary server stores it."""
import gzip
import re

from ..files import matching
from ..prose import paragraphs

WANTED = re.compile(r"/dictd/foldoc\.dict\.dz$")

_ENTRY = re.compile(r"\n(?=\S)")  # an entry's first line is not indented
_MARKUP = re.compile(r"[{}]|\(\d{4}-\d\d-\d\d\)|<[^>]*>")  # links, dates of editing, subjects


def documents(root):
    """The entries without their headwords, as lists of paragraphs."""
    for path in matching(root, WANTED):
        with gzip.open(path) as file:
            text = file.read().decode("utf-8", "replace")
        for entry in _ENTRY.split(text):
            yield paragraphs(_MARKUP.sub("", entry.partition("\n")[2]))
