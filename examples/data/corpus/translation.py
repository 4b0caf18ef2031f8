"""From the Debian archive to {train,valid,test}.tsv."""
import os
import re

from . import debian, filters, folder, splits
from .sources import gnome_help, libreoffice_help, message_catalogs, package_descriptions
from .text import squeeze

ENGLISH_HELP, GERMAN_HELP = "libreoffice-help-en-us", "libreoffice-help-de"
GNOME_GUIDES = "gnome-user-docs"
CATALOGS = ("libreoffice-l10n-de", "gcc-12-locales", GNOME_GUIDES, GERMAN_HELP)

SPACE_NEEDED = 500 << 20  # bytes; package lists, one package at a time, and the texts


def _pattern(*wanted):
    return re.compile("|".join(pattern.pattern for pattern in wanted))


def fetch(target):
    """Fetch every source below `target`; gives the streams of raw pairs, in a fixed order."""
    archive = debian.Archive(target)
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


def _make(sources):
    debian.check_tools()
    print("fetching from the Debian archive", flush=True)
    streams = fetch(sources)
    print("extracting sentence pairs", flush=True)
    raw, kept = clean(streams)
    print(f"{raw:,} raw pairs, {len(kept):,} of them distinct and clean", flush=True)
    return splits.split(kept)


def build(target):
    """Write {train,valid,test}.tsv, `English<TAB>German` a line, unless they are there."""
    folder.build(target, SPACE_NEEDED, _make, splits.TABLES)
