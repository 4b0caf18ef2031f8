"""Splits a corpus into train, valid and test, and writes the three files.

Everything depends on the texts alone, not on their order: reruns give the same bytes.
"""
import hashlib
import os
import re

from .errors import CorpusError

NAMES = ("train", "valid", "test")
TABLES = {name: name + ".tsv" for name in NAMES}

_NOT_LETTERS = re.compile(r"[\W\d_]+")
_WORD = re.compile(r"\w+")


def split_of(key, held_out, parts):
    """The name of the split of all texts with this key: `held_out` of `parts` keys are in test, as
    many in valid, and the others in train."""
    digest = hashlib.sha256(key.encode()).digest()
    part = int.from_bytes(digest[:4], "big") % parts
    return "test" if part < held_out else "valid" if part < 2 * held_out else "train"


def _letters(english):
    """Equal for sources that differ in case, digits or punctuation only."""
    return _NOT_LETTERS.sub(" ", english).lower().strip()


def one_target_per_source(pairs):
    """{key of the source: pair}; near-duplicates of a source add noise, not knowledge."""
    chosen = {}
    for english, german in sorted(pairs):
        chosen.setdefault(_letters(english), (english, german))
    return chosen


def split(pairs):
    """{"train": sorted pairs, "valid": ..., "test": ...}; a source is in one of them only."""
    keyed = one_target_per_source(pairs).items()
    return by_key(((key, *pair) for key, pair in keyed), held_out=20, parts=1000)


def distinct(keyed):
    """The first row of each text out of (key, label, text); case and punctuation do not count."""
    seen = set()
    for row in keyed:
        words = " ".join(_WORD.findall(row[-1].lower()))
        if words not in seen:
            seen.add(words)
            yield row


def by_key(keyed, held_out, parts):
    """{"train": sorted rows, ...} out of (key, *row); rows of one key are in one split."""
    splits = {name: [] for name in NAMES}
    for key, *row in keyed:
        splits[split_of(key, held_out, parts)].append(tuple(row))
    return {name: sorted(rows) for name, rows in splits.items()}


def paths(folder, files):
    return [os.path.join(folder, file) for file in files.values()]


def write(folder, splits, files):
    """Write the file of each split, a row a line; one that has its final name is complete."""
    try:
        for name, path in zip(files, paths(folder, files)):
            with open(path + ".partial", "w", encoding="utf-8", newline="\n") as file:
                file.writelines("\t".join(row) + "\n" for row in splits[name])
                file.flush()
                os.fsync(file.fileno())
        for path in paths(folder, files):
            os.replace(path + ".partial", path)
    except OSError as error:
        raise CorpusError(f"cannot write the corpus to '{folder}': {error.strerror}") from error
