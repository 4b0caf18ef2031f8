"""The folder of a corpus: made once, out of what is fetched below it."""
import gzip
import os
import shutil
import zlib

from . import splits
from .errors import CorpusError


def _check_space(folder, needed):
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise CorpusError(
            f"'{folder}' has {free >> 20} MiB of free disk space; fetching the corpus needs "
            f"{needed >> 20} MiB"
        )


def build(folder, space, make, files):
    """Write `files`, {split: name of its file}, below `folder`, unless they are there.

    `make` fetches below the folder it is given and gives {split: rows}; `space` is how many bytes
    it needs there.
    """
    if all(map(os.path.exists, splits.paths(folder, files))):
        print(f"the corpus is in {folder}: nothing to fetch", flush=True)
        return
    sources = os.path.join(folder, "sources")
    try:
        os.makedirs(sources, exist_ok=True)
        _check_space(folder, space)
        found = make(sources)
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise CorpusError(
            f"what was fetched to '{sources}' is damaged ({error}): delete it, and it is fetched again"
        ) from error
    except OSError as error:
        raise CorpusError(f"cannot write to '{folder}': {error.strerror}") from error
    splits.write(folder, found, files)
    print(", ".join(f"{name} {len(found[name]):,}" for name in files), flush=True)
