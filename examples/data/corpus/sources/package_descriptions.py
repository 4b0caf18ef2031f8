"""Descriptions of Debian's packages and their translations: the archive's Translation-* lists.

A list is a sequence of stanzas; `Description-md5` names the English text in every language:

    Package: hello
    Description-md5: 3a2b...
    Description-en: one line
     the first paragraph, on lines
     that begin with a space
     .
     the next paragraph
"""
import re

from ..text import align

_BULLET = re.compile(r"\s*[-*+o•]\s+")


def _stanzas(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = []
        for line in file:
            if line.strip():
                lines.append(line.rstrip("\n"))
            elif lines:
                yield lines
                lines = []
        if lines:
            yield lines


def _description(stanza, language):
    """(md5, lines of the description) of one stanza; an empty line ends a paragraph."""
    md5, description, inside = None, [], False
    field = f"Description-{language}:"
    for line in stanza:
        if line.startswith(" "):
            if inside:
                description.append("" if line.strip() == "." else line[1:])
            continue
        inside = line.startswith(field)
        if inside:
            description = [line[len(field) :].strip(), ""]
        elif line.startswith("Description-md5:"):
            md5 = line.split(":", 1)[1].strip()
    return md5, description


def _descriptions(path, language):
    """(md5, paragraphs) of each described package."""
    for stanza in _stanzas(path):
        md5, lines = _description(stanza, language)
        if md5 and lines:
            yield md5, _paragraphs(lines)


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
