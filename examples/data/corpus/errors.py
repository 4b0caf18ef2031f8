"""The one kind of error that a user of `fetch` can see."""


class CorpusError(Exception):
    """Something outside this program is wrong; the text says what, and what to do about it."""
