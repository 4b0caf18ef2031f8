"""The program `fetch`, from an empty folder to the corpus, with a stand-in for the archive."""
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import fake_debian

DATA = os.environ["PYTHONPATH"].split(os.pathsep)[0]


class FetchTest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="a folder "))
        self.tools = fake_debian.install(self.folder)
        self.out = os.path.join(self.folder, "out")

    def fetch(self, out=None, corpus="translation", **environment):
        environment = {
            **os.environ, "PATH": self.tools + os.pathsep + os.environ["PATH"], **environment
        }
        return subprocess.run([os.path.join(DATA, "fetch"), corpus, out or self.out], env=environment,
                              capture_output=True, text=True, check=False, cwd=self.folder)

    def downloads(self):
        with open(os.path.join(self.folder, "apt-get.log"), encoding="utf-8") as file:
            return [line.split()[-1] for line in file]

    def corpus(self):
        rows = []
        for name in ("train", "valid", "test"):
            with open(os.path.join(self.out, name + ".tsv"), encoding="utf-8") as file:
                rows += [tuple(line.rstrip("\n").split("\t")) for line in file]
        return rows

    def assert_fails(self, done, *said):
        self.assertEqual(done.returncode, 1)
        for text in said:
            self.assertIn(text, done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_builds_the_corpus_once(self):
        done = self.fetch()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = self.corpus()
        for pair in [
            ("Choose a printer first.", "Wählen Sie zuerst einen Drucker."),
            ("Make the sound louder", "Die Lautstärke erhöhen"),
            ("friendly greeting for everyone", "freundlicher Gruß an alle"),
            ("Close the old window", "Das alte Fenster schließen"),
        ]:
            self.assertIn(pair, rows)
        self.assertIn("train 1", done.stdout)
        before = self.downloads()
        self.assertEqual(len(before), 6)
        self.assertIn("nothing to fetch", self.fetch().stdout)
        self.assertEqual(self.downloads(), before)

    def test_documents(self):
        done = self.fetch(corpus="documents")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        documents = []
        for name in ("train", "valid", "test"):
            with open(os.path.join(self.out, name + ".txt"), encoding="utf-8") as file:
                documents += file.read().split("\n\n")
        for document in [
            "Nobody reads the first page of a book.\nThey turn to the last one!\n"
            "Quoted words have a mark before each line.",
            "A round fruit of a tree.\nIt falls down.\nPeople eat it raw.",
        ]:
            self.assertIn(document, documents)
        self.assertEqual(len(self.downloads()), 5)
        self.assertIn("nothing to fetch", self.fetch(corpus="documents").stdout)

    def test_sections_of_descriptions(self):
        done = self.fetch(corpus="sections")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = self.corpus()
        self.assertEqual([section for section, _ in sorted(rows)], ["games", "games", "sound"])
        self.assertEqual(self.downloads(), ["update"])
        self.assertIn("nothing to fetch", self.fetch(corpus="sections").stdout)

    def test_a_corpus_in_place_needs_no_apt(self):
        self.assertEqual(self.fetch(corpus="sections").returncode, 0)
        again = self.fetch(corpus="sections", PATH=self.without_apt())
        self.assertEqual((again.returncode, again.stderr), (0, ""))

    def test_a_relative_folder(self):
        done = self.fetch(out="out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(("Choose a printer first.", "Wählen Sie zuerst einen Drucker."), self.corpus())

    def test_goes_on_where_it_stopped(self):
        failed = self.fetch(FAIL="gnome-user-docs")
        self.assert_fails(failed, "cannot download the package 'gnome-user-docs'",
                          "E: the archive burned down")
        self.assertFalse(os.path.exists(os.path.join(self.out, "train.tsv")))
        finished = self.downloads()
        self.assertEqual(self.fetch().returncode, 0)
        again = self.downloads()[len(finished):]
        self.assertNotIn("libreoffice-help-de", again)
        self.assertIn("gnome-user-docs", again)

    def test_a_damaged_package(self):
        package = os.path.join(self.folder, "debs", "gnome-user-docs_1_all.deb")
        whole = os.path.getsize(package)
        for size in (whole // 2, 100):
            os.truncate(package, size)
            self.assert_fails(self.fetch(), "dpkg-deb cannot unpack", "the file is damaged")

    def test_a_damaged_file(self):
        self.assertEqual(self.fetch(corpus="documents").returncode, 0)
        os.remove(os.path.join(self.out, "train.txt"))
        sources = os.path.join(self.out, "sources")
        page, = (os.path.join(folder, name) for folder, _, names in os.walk(sources)
                 for name in names if "/anarchism/markdown" in folder)
        os.remove(page)
        page = page.removesuffix(".gz") + ".gz"
        for damaged in (b"no archive", gzip.compress(b"a page " * 99)[:20]):
            with open(page, "wb") as file:
                file.write(damaged)
            self.assert_fails(self.fetch(corpus="documents"),
                              f"what was fetched to '{sources}' is damaged", "delete it")

    def test_no_network(self):
        self.assert_fails(self.fetch(FAIL="lists"), "cannot fetch package lists",
                          "Is the network reachable?", "W: no route to the mirror")

    def without_apt(self):
        empty = os.path.join(self.folder, "empty")
        os.makedirs(empty)
        os.symlink(shutil.which("env"), os.path.join(empty, "env"))
        os.symlink(sys.executable, os.path.join(empty, "python3"))
        return empty

    def test_no_apt(self):
        self.assert_fails(self.fetch(PATH=self.without_apt()), "'apt-get' is not on this machine", "--data DIR")

    def test_a_file_in_the_way(self):
        with open(self.out, "w", encoding="utf-8"):
            pass
        self.assert_fails(self.fetch(), f"cannot write to '{self.out}'")

    def test_too_little_space(self):
        with open(os.path.join(self.folder, "sitecustomize.py"), "w", encoding="utf-8") as file:
            file.write("import collections, shutil\n"
                       "Usage = collections.namedtuple('Usage', 'free')\n"
                       "shutil.disk_usage = lambda _: Usage(7 << 20)\n")
        done = self.fetch(PYTHONPATH=os.pathsep.join([DATA, self.folder]))
        self.assert_fails(done, "has 7 MiB of free disk space", "needs 500 MiB")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "apt-get.log")))


if __name__ == "__main__":
    unittest.main()
