"""Package descriptions with the section of the archive that each package is in."""
from . import control, debian, folder, splits
from .text import squeeze

SECTIONS = frozenset(
    """electronics fonts games golang graphics hamradio haskell java javascript lisp mail math perl
    php python ruby rust science sound video""".split()
)
SHORTEST = 8  # words of a description

SPACE_NEEDED = 300 << 20  # bytes; package lists and the texts


def _descriptions(path):
    """{md5: description} in English."""
    return {
        fields["Description-md5"]: squeeze(" ".join(control.lines(fields["Description-en"])))
        for fields in control.stanzas(path)
        if "Description-md5" in fields and "Description-en" in fields
    }


def texts(packages, translations):
    """(source package, section, description) of each package, in the list's order."""
    described = _descriptions(translations)
    for fields in control.stanzas(packages):
        section = fields.get("Section", "").split("/")[-1]
        description = described.get(fields.get("Description-md5"), "")
        if section in SECTIONS and len(description.split()) >= SHORTEST:
            source = fields.get("Source", fields["Package"]).split()[0]
            yield source, section, description


def _make(sources):
    debian.check_tools()
    archive = debian.Archive(sources)
    print("fetching from the Debian archive", flush=True)
    packages, translations = archive.packages(), archive.translations("en")
    print("extracting descriptions", flush=True)
    # What is built from one source shares text: it goes into one split.
    return splits.by_key(splits.distinct(texts(packages, translations)), held_out=8, parts=100)


def build(target):
    """Write {train,valid,test}.tsv, `section<TAB>description` a line, unless they are there."""
    folder.build(target, SPACE_NEEDED, _make, splits.TABLES)
