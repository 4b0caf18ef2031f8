"""Descriptions of Debian's packages and their translations: the archive's Translation-* lists.

`Description-md5` names the English text in every language; how the lists read: ../control.py.
"""
import re

from .. import control
from ..text import align

_BULLET = re.compile(r"\s*[-*+o•]\s+")


def _descriptions(path, language):
    """(md5, paragraphs) of each described package."""
    for fields in control.stanzas(path):
        description = fields.get(f"Description-{language}")
        if description and "Description-md5" in fields:
            summary, *rest = control.lines(description)
            yield fields["Description-md5"], _paragraphs([summary, "", *rest])


def _paragraphs(lines):
    """Paragraphs end at an empty line, at a bullet, and at an indented line."""
    paragraphs = [[]]
    for line in lines:
        bullet = _BULLET.match(line)
        if not line or bullet or line.startswith(" "):
            paragraphs.append([])
        text = line[bullet.end() :] if bullet else line.strip()
        if text:
            paragraphs[-1].append(text)
    return [" ".join(paragraph) for paragraph in paragraphs if paragraph]


def pairs(english_path, german_path):
    """Pairs out of two files, Translation-en and Translation-de, uncompressed."""
    english = dict(_descriptions(english_path, "en"))
    for md5, german in _descriptions(german_path, "de"):
        source = english.get(md5)
        if not source or not german:
            continue
        yield source[0], german[0]  # the one-line summary is no sentence: it is never split
        if len(source) == len(german):
            for pair in zip(source[1:], german[1:]):
                yield from align(*pair)


def documents(path):
    """The English descriptions as lists of paragraphs, without the one-line summaries."""
    for _, paragraphs in _descriptions(path, "en"):
        yield paragraphs[1:]
