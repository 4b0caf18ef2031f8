"""From raw text to aligned sentence pairs.

A *pair* is a tuple (English, German).  Everything here is a pure function of its arguments.
"""
import re

# Spaces that do not break, and the soft hyphen, which only a typesetter wants to see.
_INVISIBLE = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u00ad": None})

# The gap between two sentences: an end mark, closing quotes or brackets, white space, and then
# something that can open a sentence.
_GAP = re.compile(r"""(?<=[.!?:])["')\]]*\s+(?=["'(\[]?[A-ZÀ-Ý0-9<])""")

# An end mark after one of these, or after a lone capital letter, ends an abbreviation.
_ABBREVIATIONS = """
    e.g i.e z.B d.h u.a etc bzw usw ca vs Nr No Dr Mr Mrs St Fig Abb evtl ggf inkl vgl s.o s.u cf
""".split()
_ABBREVIATED = re.compile(r"\b(?:%s|[A-Z])\.$" % "|".join(map(re.escape, _ABBREVIATIONS)))


def squeeze(text):
    """`text` with every run of white space replaced by one space, and none at its ends."""
    return " ".join(text.translate(_INVISIBLE).split())


def sentences(text):
    """The sentences of a squeezed paragraph."""
    found = []
    for piece in _GAP.split(text):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += " " + piece
        else:
            found.append(piece)
    return [sentence for sentence in map(str.strip, found) if sentence]


def _similar_length(english, german):
    # The constant keeps very short sentences, whose ratio says little, from being refused.
    return 0.55 < (len(english) + 8) / (len(german) + 8) < 1.8


def align(english, german):
    """The sentence pairs of two paragraphs that translate each other.

    If both sides have the same number of sentences, of similar lengths, they pair up one by one;
    otherwise the two paragraphs are one long pair.
    """
    english, german = squeeze(english), squeeze(german)
    pairs = list(zip(sentences(english), sentences(german)))
    same_count = len(sentences(english)) == len(sentences(german)) > 1
    if same_count and all(_similar_length(*pair) for pair in pairs):
        return pairs
    return [(english, german)]
