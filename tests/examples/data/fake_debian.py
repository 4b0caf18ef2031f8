"""A stand-in for the Debian archive: real .deb files, made of the stored inputs, and an `apt-get`
that serves them."""
import gzip
import json
import os
import shlex
import shutil
import stat
import struct
import subprocess
import zlib

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputs")

_APT_GET = """#!/bin/sh
# update: offer the lists; download NAME: offer the package; FAIL names what shall fail.
echo "$@" >> {log}
for last; do :; done
for option; do
  case $option in Dir::State::lists=*) lists=/${{option#*=}} ;; esac  # as apt: never relative
done
case "$FAIL" in
  "$last") echo "E: the archive burned down" >&2; exit 100 ;;
esac
case $last in
  update) [ "$FAIL" = lists ] && echo "W: no route to the mirror" >&2 || cp {lists}/* "$lists" ;;
  *) cp {debs}/"$last"_*.deb . ;;
esac
"""


def catalog(messages, order="<"):
    """The bytes of a compiled gettext catalog."""
    entries = [text.encode() for pair in sorted(messages.items()) for text in pair]
    originals, translations = entries[0::2], entries[1::2]
    table = 28
    offset = table + 16 * len(originals)
    tables, strings = b"", b""
    for text in originals + translations:
        tables += struct.pack(order + "2I", len(text), offset + len(strings))
        strings += text + b"\0"
    head = struct.pack(
        order + "7I", 0x950412DE, 0, len(originals), table, table + 8 * len(originals), 0, offset
    )
    return head + tables + strings


def stored_catalog():
    with open(os.path.join(INPUTS, "catalog.json"), encoding="utf-8") as file:
        return json.load(file)


def novels():
    """The bytes of a database of two novels, as R stores them."""
    database = b""
    for lines in (
        ["CHAPTER I", "", "It was a _very_ long walk.", "Nobody came.", "", "\"Why?\" She left."],
        ["Volume Two", "", "They sat down.", "", "Chapter 2", "", "They rose."],
    ):
        strings = struct.pack(">2I", 16, len(lines))  # a vector of strings
        for line in lines:
            strings += struct.pack(">Ii", 0x40009, len(line)) + line.encode()
        serialized = b"X\n" + struct.pack(">3I", 2, 0x40203, 0x20300) + strings
        packed = zlib.compress(serialized)
        database += struct.pack(">I", len(packed)) + packed
    return database


DICTIONARY = """00-database-info
   This is {no} entry.

apple
   <food> A round {fruit} of a tree.  It falls down.

   People eat it raw.

   (1995-03-01)
"""

# What is no text, and is made here: {package: {path: its bytes}}.
_MADE = {
    "dict-foldoc": {"usr/share/dictd/foldoc.dict.dz": lambda: gzip.compress(DICTIONARY.encode())},
    "libreoffice-l10n-de": {
        "usr/share/locale/de/LC_MESSAGES/app.mo": lambda: catalog(stored_catalog())
    },
    "r-cran-janeaustenr": {"usr/lib/R/site-library/janeaustenr/data/Rdata.rdb": novels},
}


def make(name, tree):
    """Write what a package has beside its stored inputs below the folder `tree`."""
    for path, contents in _MADE.get(name, {}).items():
        os.makedirs(os.path.dirname(os.path.join(tree, path)))
        with open(os.path.join(tree, path), "wb") as file:
            file.write(contents())


def _build_package(name, folder):
    tree = os.path.join(folder, "trees", name)
    shutil.copytree(os.path.join(INPUTS, "packages", name), tree)
    make(name, tree)
    os.makedirs(os.path.join(tree, "DEBIAN"))
    with open(os.path.join(tree, "DEBIAN", "control"), "w", encoding="utf-8") as file:
        file.write(f"Package: {name}\nVersion: 1\nArchitecture: all\n")
        file.write("Maintainer: Nobody <nobody@example.org>\nDescription: a test\n")
    os.makedirs(os.path.join(folder, "debs"), exist_ok=True)
    package = os.path.join(folder, "debs", f"{name}_1_all.deb")
    command = ["dpkg-deb", "-Znone", "--build", tree, package]
    subprocess.run(command, check=True, capture_output=True)


def install(folder):
    """Build all packages below `folder`; gives the folder to put first in PATH."""
    for name in os.listdir(os.path.join(INPUTS, "packages")):
        _build_package(name, folder)
    tools = os.path.join(folder, "bin")
    os.makedirs(tools)
    apt_get = os.path.join(tools, "apt-get")
    with open(apt_get, "w", encoding="utf-8") as file:
        paths = {
            "log": os.path.join(folder, "apt-get.log"),
            "lists": os.path.join(INPUTS, "lists"),
            "debs": os.path.join(folder, "debs"),
        }
        file.write(_APT_GET.format(**{name: shlex.quote(path) for name, path in paths.items()}))
    os.chmod(apt_get, os.stat(apt_get).st_mode | stat.S_IEXEC)
    return tools


