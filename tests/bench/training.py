"""Runs the trainer of examples/translate around models that the benchmark compiles."""

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

from child import Failure
from models import Model
from turns import Program

ROOT = Path(__file__).resolve().parents[2]


def corpus(folder):
    """The folder of {train,valid,test}.tsv; without one, the corpus of examples/translate."""
    if folder:
        return Path(folder).resolve()
    folder = ROOT / "build" / "translate" / "corpus"
    subprocess.run([ROOT / "examples/data/fetch", "translation", folder], check=True,
                   stdout=sys.stderr)
    return folder


def with_small_test(data, folder, count):
    """A corpus in `folder` with only the first pairs of the test set."""
    for split in ("train.tsv", "valid.tsv"):
        (folder / split).symlink_to(data / split)
    with open(data / "test.tsv", encoding="utf8") as pairs:
        (folder / "test.tsv").write_text("".join(islice(pairs, count)), encoding="utf8")
    return folder


def model(use, settings, precision):
    """The translation model with these settings, under a name of its own for each use."""
    return Model(f"{use}_{precision}", "translate", settings, "translate", settings, precision)


def trainer(models, compiled, data, folder, *limit):
    """Starts to train a compiled model anew."""
    return Program([*models.trainer(compiled), "--data", data, "--checkpoint", folder,
                    "--threads", models.threads, *limit])


def found(pattern, text):
    """The number that a trainer has printed."""
    match = re.search(pattern, text)
    if not match:
        raise Failure(f"the trainer printed nothing like '{pattern}'")
    return float(match[1].replace(",", ""))
