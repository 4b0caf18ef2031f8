"""Rated texts, and `fetch sentiment` with a stand-in for the Python package index."""
import io
import os
import shlex
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

from corpus import sentiment
from corpus.errors import CorpusError

DATA = os.environ["PYTHONPATH"].split(os.pathsep)[0]

TABLES = {
    "hutto_ICWSM_2014/tweets_GroundTruth.txt": (
        "1\t2.5\tWhat a lovely &amp; sunny day\n"
        "2\t-1.5\tRain   again and again\n"
        "3\t0.4\tIt is a day of some kind\n"  # neither good nor bad
        "4\t3\tGood day\n"  # too short
        "5\t1\n"
    ),
    "hutto_ICWSM_2014/._tweets_GroundTruth.txt": "6\t2\twhat a Mac leaves behind\n",
    "hutto_ICWSM_2014/movieReviews_GroundTruth.txt": (
        "1_1\t-3\tThe worst film ever\n1_2\t-2\tThe WORST film, ever!\n1_3\t1\tI liked the end\n"
    ),
    "hutto_ICWSM_2014/README.txt": "7\t2\tnot a table at all\n",
}

_PIP = """#!/bin/sh
# python -m pip download ... --dest FOLDER PACKAGE
echo "$@" >> {log}
[ -z "$FAIL" ] || {{ echo "ERROR: no route to the index" >&2; exit 1; }}
while [ $# -gt 2 ]; do shift; done
[ -z "$OTHER" ] || {{ touch "$1/vaderSentiment-0.5.tar.gz"; exit; }}
cp {package} "$1"
"""


def write_package(path):
    tables = io.BytesIO()
    with tarfile.open(fileobj=tables, mode="w:gz") as archive:
        for name, text in TABLES.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("vaderSentiment-0.5/additional/hutto_ICWSM_2014.tar.gz",
                         tables.getvalue())


class SentimentTest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="a folder "))
        self.package = os.path.join(self.folder, "vaderSentiment-0.5.zip")
        write_package(self.package)

    def test_texts_are_those_with_a_clear_mood(self):
        self.assertEqual(list(sentiment.texts(self.package)), [
            ("movi1", "negative", "The worst film ever"),
            ("movi1", "negative", "The WORST film, ever!"),
            ("movi1", "positive", "I liked the end"),
            ("twee1", "positive", "What a lovely & sunny day"),
            ("twee2", "negative", "Rain again and again"),
        ])

    def test_a_damaged_package(self):
        with open(self.package, "rb") as file:
            whole = file.read()
        changed = whole[:120] + bytes([whole[120] ^ 1]) + whole[121:]  # a byte of the tables
        for damaged in (whole[:100], changed):
            with open(self.package, "wb") as file:
                file.write(damaged)
            with self.assertRaisesRegex(CorpusError, "is damaged .*: delete it"):
                list(sentiment.texts(self.package))

    def fetch(self, with_python=True, **environment):
        root = os.path.join(self.folder, "root")
        if not os.path.exists(root):
            shutil.copytree(DATA, os.path.join(root, "examples", "data"))
        python = os.path.join(root, ".venv", "bin", "python")
        if with_python:
            os.makedirs(os.path.dirname(python), exist_ok=True)
            with open(python, "w", encoding="utf-8") as file:
                file.write(_PIP.format(log=shlex.quote(os.path.join(self.folder, "pip.log")),
                                       package=shlex.quote(self.package)))
            os.chmod(python, 0o755)
        command = [os.path.join(root, "examples", "data", "fetch"), "sentiment",
                   os.path.join(self.folder, "out")]
        return subprocess.run(command, env={**os.environ, "PYTHONPATH": "", **environment},
                              capture_output=True, text=True, check=False)

    def test_builds_the_corpus_once(self):
        done = self.fetch()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = []
        for name in ("train", "valid", "test"):
            with open(os.path.join(self.folder, "out", name + ".tsv"), encoding="utf-8") as file:
                rows += file.read().splitlines()
        self.assertEqual(sorted(rows), [
            "negative\tRain again and again",
            "negative\tThe worst film ever",
            "positive\tI liked the end",
            "positive\tWhat a lovely & sunny day",
        ])
        self.assertIn("nothing to fetch", self.fetch().stdout)
        with open(os.path.join(self.folder, "pip.log"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 1)

    def test_without_an_index(self):
        done = self.fetch(FAIL="index")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot fetch vaderSentiment==0.5. Is the network reachable?", done.stderr)
        self.assertIn("ERROR: no route to the index", done.stderr)

    def test_another_kind_of_archive(self):
        done = self.fetch(OTHER="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("pip fetched no .zip file of vaderSentiment==0.5, only "
                      "['vaderSentiment-0.5.tar.gz']", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_before_setup(self):
        done = self.fetch(with_python=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("run ./setup first", done.stderr)
        self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
