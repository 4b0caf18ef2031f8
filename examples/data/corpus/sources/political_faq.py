"""The package `anarchism`, a long book of political questions and answers, in Markdown."""
import gzip
import re

from ..files import matching
from ..prose import paragraphs

WANTED = re.compile(r"/anarchism/markdown/[^/]+\.md(\.gz)?$")

_HEADING = re.compile(r"(?m)^#.*$")
_QUOTATION = re.compile(r"(?m)^[ \t]*[>*]+ ?")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"[*_\\]+")


def _plain(markdown):
    """Markdown without its marks, headings excepted."""
    return _EMPHASIS.sub("", _LINK.sub(r"\1", _QUOTATION.sub("", markdown)))


def documents(root):
    """What stands below each heading, as lists of paragraphs."""
    for path in matching(root, WANTED):
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            text = file.read().decode("utf-8", "replace")
        for section in _HEADING.split(_plain(text)):
            yield paragraphs(section)
