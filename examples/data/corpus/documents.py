"""From the Debian archive to {train,valid,test}.txt: a sentence a line, documents end with a blank
line."""
from . import debian, folder, prose, splits
from .sources import dictionary, libreoffice_help, novels, package_descriptions, political_faq

FILES = {name: name + ".txt" for name in splits.NAMES}
SPACE_NEEDED = 300 << 20  # bytes; package lists, one package at a time, and the texts


def fetch(target):
    """Fetch every source below `target`; gives the streams of raw documents, in a fixed order."""
    archive = debian.Archive(target)
    return [
        political_faq.documents(archive.package("anarchism", political_faq.WANTED)),
        novels.documents(archive.package("r-cran-janeaustenr", novels.WANTED)),
        dictionary.documents(archive.package("dict-foldoc", dictionary.WANTED)),
        libreoffice_help.documents(
            archive.package("libreoffice-help-en-us", libreoffice_help.WANTED)
        ),
        package_descriptions.documents(archive.translations("en")),
    ]


def _make(sources):
    debian.check_tools()
    print("fetching from the Debian archive", flush=True)
    streams = fetch(sources)
    print("extracting documents", flush=True)
    found = {name: [] for name in FILES}
    words = 0
    for sentences in prose.documents(streams):
        text = "".join(sentence + "\n" for sentence in sentences)
        found[splits.split_of(text, held_out=20, parts=1000)].append((text,))
        words += len(text.split())
    print(f"{words:,} words", flush=True)
    return found


def build(target):
    """Write {train,valid,test}.txt below `target`, unless they are there."""
    folder.build(target, SPACE_NEEDED, _make, FILES)
