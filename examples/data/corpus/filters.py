"""Which sentence pairs are worth learning from."""
import re

SHORTEST, LONGEST = 3, 100  # tokens (words and punctuation marks) of either side
LENGTH_RATIO = 2.0  # how many times longer one side may be, give or take LENGTH_SLACK tokens
LENGTH_SLACK = 3
LETTER_SHARE = 0.7  # of the characters, letters or spaces
SHARED_WORDS = 0.5  # of the shorter side's words; more means that nobody translated the text

_TOKEN = re.compile(r"\w+|[^\w\s]")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w{3,}")
_LOWER_CASE = re.compile(r"[a-zà-ÿ]{2}")
_CODE = re.compile(
    r"""https?://          # an address
      | [{}\\=|]           # braces, escapes, assignments, pipes
      | <[a-z/]            # a tag
      | %[\d$]*[sdiu]\b    # a printf directive
      | \$\w               # a variable
      | --\w               # an option of a command
    """,
    re.VERBOSE,
)


def _fitting_lengths(english, german):
    lengths = [len(_TOKEN.findall(side)) for side in (english, german)]
    short, long = min(lengths), max(lengths)
    in_bounds = SHORTEST <= short and long <= LONGEST
    return in_bounds and long <= LENGTH_RATIO * short + LENGTH_SLACK


def _is_prose(side):
    letters = sum(c.isalpha() or c == " " for c in side)
    mostly_letters = letters >= LETTER_SHARE * len(side)
    return mostly_letters and bool(_LOWER_CASE.search(side)) and not _CODE.search(side)


def _same_numbers(english, german):
    return sorted(_NUMBER.findall(english)) == sorted(_NUMBER.findall(german))


def _is_translated(english, german):
    words = [{word.lower() for word in _WORD.findall(side)} for side in (english, german)]
    return len(words[0] & words[1]) <= SHARED_WORDS * min(map(len, words))


def keep(english, german):
    """Whether a pair of squeezed sentences looks like prose and its translation."""
    return (
        english != german
        and "\ufffd" not in english + german  # the sign of broken encoding
        and _fitting_lengths(english, german)
        and _is_prose(english)
        and _is_prose(german)
        and _same_numbers(english, german)
        and _is_translated(english, german)
    )
