"""From raw text to documents: lists of sentences.  Everything here is a pure function."""
import re

from .text import squeeze

SHORTEST, LONGEST = 3, 120  # words of a sentence
LETTER_SHARE = 0.7  # of the characters, letters or spaces
FEWEST = 3  # sentences of a document

# The gap between two sentences: behind an end mark, and perhaps a closing quote or bracket, and
# before something that can open a sentence.
_GAP = re.compile(r"""(?:(?<=[.!?])|(?<=[.!?]["')\]]))\s+(?=["'(\[]?[A-Z0-9])""")

# An end mark after one of these, or after a lone capital letter, ends an abbreviation.
_ABBREVIATIONS = """
    e.g i.e etc vs cf p pp vol Mr Mrs Ms Dr St No Jr Sr Fig Inc Ltd
""".split()
_ABBREVIATED = re.compile(r"\b(?:%s|[A-Z])\.$" % "|".join(map(re.escape, _ABBREVIATIONS)))


def sentences(paragraph):
    """The sentences of a paragraph, with their quotes and brackets."""
    found = []
    for piece in _GAP.split(squeeze(paragraph)):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += " " + piece
        elif piece:
            found.append(piece)
    return found


def paragraphs(text):
    """The paragraphs of a plain text: blank lines lie between them."""
    return [paragraph for paragraph in re.split(r"\n\s*\n", text) if paragraph.strip()]


def is_prose(sentence):
    """Whether a squeezed sentence is worth learning from."""
    letters = sum(c.isalpha() or c == " " for c in sentence)
    in_bounds = SHORTEST <= len(sentence.split()) <= LONGEST
    return in_bounds and letters >= LETTER_SHARE * len(sentence) and "\ufffd" not in sentence


def documents(streams):
    """The documents of streams of lists of paragraphs.

    Of sentences that are there twice, which are notices and templates, the first is kept; what is
    no prose and documents of which less than FEWEST sentences are left go.
    """
    seen = set()
    for stream in streams:
        for raw in stream:
            kept = []
            for sentence in (s for paragraph in raw for s in sentences(paragraph)):
                if is_prose(sentence) and sentence.lower() not in seen:
                    seen.add(sentence.lower())
                    kept.append(sentence)
            if len(kept) >= FEWEST:
                yield kept
