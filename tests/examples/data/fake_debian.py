"""A stand-in for the Debian archive: real .deb files, made of the stored inputs, and an `apt-get`
that serves them."""
import json
import os
import shutil
import stat
import struct
import subprocess

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputs")

_APT_GET = """#!/bin/sh
# update: offer the lists; download NAME: offer the package; FAIL names what shall fail.
echo "$@" >> {folder}/apt-get.log
for last; do :; done
for option; do
  case $option in Dir::State::lists=*) lists=/${{option#*=}} ;; esac  # as apt: never relative
done
case "$FAIL" in
  "$last") echo "E: the archive burned down" >&2; exit 100 ;;
esac
case $last in
  update) [ "$FAIL" = lists ] && echo "W: no route to the mirror" >&2 || cp {lists}/* "$lists" ;;
  *) cp {folder}/debs/"$last"_*.deb . ;;
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


def _build_package(name, folder):
    tree = os.path.join(folder, "trees", name)
    shutil.copytree(os.path.join(INPUTS, "packages", name), tree)
    if "l10n" in name:
        messages = os.path.join(tree, "usr/share/locale/de/LC_MESSAGES")
        os.makedirs(messages)
        with open(os.path.join(messages, "app.mo"), "wb") as file:
            file.write(catalog(stored_catalog()))
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
        file.write(_APT_GET.format(folder=folder, lists=os.path.join(INPUTS, "lists")))
    os.chmod(apt_get, os.stat(apt_get).st_mode | stat.S_IEXEC)
    return tools


