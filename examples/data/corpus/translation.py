"""From the Debian archive to {train,valid,test}.tsv."""
import os
import re
import shutil

from . import debian, filters, splits
from .errors import CorpusError
from .sources import gnome_help, libreoffice_help, message_catalogs, package_descriptions
from .text import squeeze

ENGLISH_HELP, GERMAN_HELP = "libreoffice-help-en-us", "libreoffice-help-de"
GNOME_GUIDES = "gnome-user-docs"
CATALOGS = ("libreoffice-l10n-de", "gcc-12-locales", GNOME_GUIDES, GERMAN_HELP)

SPACE_NEEDED = 500 << 20  # bytes; package lists, one package at a time, and the texts


def _check_space(folder):
    free = shutil.disk_usage(folder).free
    if free < SPACE_NEEDED:
        raise CorpusError(
            f"'{folder}' has {free >> 20} MiB of free disk space; fetching the corpus needs "
            f"{SPACE_NEEDED >> 20} MiB"
        )


def _pattern(*wanted):
    return re.compile("|".join(pattern.pattern for pattern in wanted))


def fetch(folder):
    """Fetch every source below `folder`; gives the streams of raw pairs, in a fixed order."""
    archive = debian.Archive(folder)
    english_help = archive.package(ENGLISH_HELP, libreoffice_help.WANTED)
    german_help = archive.package(
        GERMAN_HELP, _pattern(libreoffice_help.WANTED, message_catalogs.WANTED)
    )
    guides = archive.package(GNOME_GUIDES, _pattern(gnome_help.WANTED, message_catalogs.WANTED))
    pages = os.path.join(guides, "usr", "share", "help")
    streams = [
        libreoffice_help.pairs(english_help, german_help),
        package_descriptions.pairs(archive.translations("en"), archive.translations("de")),
        gnome_help.pairs(os.path.join(pages, "C"), os.path.join(pages, "de")),
    ]
    for name in CATALOGS:
        streams.append(message_catalogs.pairs(archive.package(name, message_catalogs.WANTED)))
    return streams


def clean(streams):
    """(number of raw pairs, set of the distinct pairs worth keeping)"""
    raw, kept = 0, set()
    for stream in streams:
        for pair in stream:
            raw += 1
            english, german = map(squeeze, pair)
            if filters.keep(english, german):
                kept.add((english, german))
    return raw, kept


def build(folder):
    """Write {train,valid,test}.tsv below `folder`, unless they are there."""
    if all(map(os.path.exists, splits.paths(folder))):
        print(f"the corpus is in {folder}: nothing to fetch", flush=True)
        return
    debian.check_tools()
    sources = os.path.join(folder, "sources")
    try:
        os.makedirs(sources, exist_ok=True)
        _check_space(folder)
        print("fetching from the Debian archive", flush=True)
        streams = fetch(sources)
        print("extracting sentence pairs", flush=True)
        raw, kept = clean(streams)
    except OSError as error:
        raise CorpusError(f"cannot write to '{folder}': {error.strerror}") from error
    found = splits.split(kept)
    splits.write(folder, found)
    counts = ", ".join(f"{name} {len(found[name]):,}" for name in splits.NAMES)
    print(f"{raw:,} raw pairs, {len(kept):,} of them distinct and clean: {counts}", flush=True)
