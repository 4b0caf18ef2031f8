"""Short texts with the mood that people found in them, out of a package of the Python index.

vaderSentiment (Hutto & Gilbert 2014, MIT license) comes with the texts that it was judged by: tweets
and sentences of film reviews, product reviews and newspaper articles, each with the mean of twenty
ratings from -4 to 4.
"""
import html
import io
import os
import subprocess
import tarfile
import zipfile
import zlib

from . import folder, splits
from .errors import CorpusError
from .text import squeeze

PACKAGE = "vaderSentiment==0.5"
CLEAR = 0.5  # ratings nearer to zero say nothing
SHORTEST, LONGEST = 3, 100  # words

SPACE_NEEDED = 30 << 20  # bytes

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
_PYTHON = os.path.join(os.path.abspath(_ROOT), ".venv", "bin", "python")


def _archives(sources):
    return [os.path.join(sources, name) for name in os.listdir(sources) if name.endswith(".zip")]


def _fetch(sources):
    """The path of the package's archive below `sources`."""
    for archive in _archives(sources):
        return archive
    if not os.path.exists(_PYTHON):
        raise CorpusError(f"there is no {_PYTHON}, which fetches {PACKAGE}: run ./setup first")
    print(f"fetching {PACKAGE}", flush=True)
    command = [_PYTHON, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--no-binary", ":all:", "--dest", sources, PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CorpusError(
            f"cannot fetch {PACKAGE}. Is the network reachable? pip said:\n{done.stderr.strip()}"
        )
    for archive in _archives(sources):
        return archive
    raise CorpusError(
        f"pip fetched no .zip file of {PACKAGE}, only {os.listdir(sources)}: does its index offer "
        "the package's sources?"
    )


def _tables(archive):
    """(name, lines) of each table of ratings."""
    with zipfile.ZipFile(archive) as package:
        inner = next(n for n in package.namelist() if n.endswith("hutto_ICWSM_2014.tar.gz"))
        with tarfile.open(fileobj=io.BytesIO(package.read(inner))) as tables:
            for member in sorted(tables.getmembers(), key=lambda member: member.name):
                name = os.path.basename(member.name)
                if name.endswith("_GroundTruth.txt") and not name.startswith("._"):
                    text = tables.extractfile(member).read().decode("utf-8", "replace")
                    yield name, text.splitlines()


def _whole_tables(archive):
    try:
        return list(_tables(archive))
    except (zipfile.BadZipFile, zlib.error, tarfile.TarError, EOFError, StopIteration) as error:
        raise CorpusError(
            f"{archive} is damaged ({error}): delete it, and it is fetched again"
        ) from error


def texts(archive):
    """(what it is part of, mood, text) of each text with a clear mood."""
    for name, lines in _whole_tables(archive):
        for line in lines:
            columns = line.split("\t")
            if len(columns) != 3:
                continue
            rating, text = float(columns[1]), squeeze(html.unescape(columns[2]))
            if abs(rating) >= CLEAR and SHORTEST <= len(text.split()) <= LONGEST:
                # 17_3 is the third sentence of review 17.
                yield name[:4] + columns[0].split("_")[0], _mood(rating), text


def _mood(rating):
    return "positive" if rating > 0 else "negative"


def _make(sources):
    return splits.by_key(splits.distinct(texts(_fetch(sources))), held_out=10, parts=100)


def build(target):
    """Write {train,valid,test}.tsv, `mood<TAB>text` a line, unless they are there."""
    folder.build(target, SPACE_NEEDED, _make, splits.TABLES)
