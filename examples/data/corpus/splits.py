"""Deduplicate the pairs, split them into train, valid and test, and write the three files.

Everything depends on the pairs alone, not on their order: reruns give the same bytes.
"""
import hashlib
import os
import re

from .errors import CorpusError

NAMES = ("train", "valid", "test")
VALID_PER_MILLE = 20
TEST_PER_MILLE = 20

_NOT_LETTERS = re.compile(r"[\W\d_]+")


def _key(english):
    """Equal for sources that differ in case, digits or punctuation only."""
    return _NOT_LETTERS.sub(" ", english).lower().strip()


def one_target_per_source(pairs):
    """{key of the source: pair}; near-duplicates of a source add noise, not knowledge."""
    chosen = {}
    for english, german in sorted(pairs):
        chosen.setdefault(_key(english), (english, german))
    return chosen


def _split_of(key):
    digest = hashlib.sha256(key.encode()).digest()
    bucket = int.from_bytes(digest[:4], "big") % 1000
    if bucket < TEST_PER_MILLE:
        return "test"
    if bucket < TEST_PER_MILLE + VALID_PER_MILLE:
        return "valid"
    return "train"


def split(pairs):
    """{"train": sorted pairs, "valid": ..., "test": ...}; a source is in one of them only."""
    splits = {name: [] for name in NAMES}
    for key, pair in one_target_per_source(pairs).items():
        splits[_split_of(key)].append(pair)
    return {name: sorted(rows) for name, rows in splits.items()}


def paths(folder):
    return [os.path.join(folder, name + ".tsv") for name in NAMES]


def write(folder, splits):
    """Write NAME.tsv for each split; a file that exists under its final name is complete."""
    try:
        for name, path in zip(NAMES, paths(folder)):
            with open(path + ".partial", "w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{english}\t{german}\n" for english, german in splits[name])
                file.flush()
                os.fsync(file.fileno())
        for path in paths(folder):
            os.replace(path + ".partial", path)
    except OSError as error:
        raise CorpusError(f"cannot write the corpus to '{folder}': {error.strerror}") from error
