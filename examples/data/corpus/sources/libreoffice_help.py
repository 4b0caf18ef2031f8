"""LibreOffice's help: one page a file, one `id` a paragraph, the same in every language."""
import html.parser
import os
import re

from ..text import align

WANTED = re.compile(r"/help/[^/]+/(text/.*\.html)$")

_PARAGRAPH_TAGS = {"p", "h1", "h2", "h3", "h4", "h5", "h6"}
_TEXT_ID = re.compile(r"(par|hd)_id")


class _Page(html.parser.HTMLParser):
    """Collects `paragraphs`, {id: [pieces of text]}, the first of each id."""

    def __init__(self):
        super().__init__()
        self.paragraphs = {}
        self._pieces = None  # of the paragraph that we are inside of
        self._closing_tag = None  # the tag that ends it
        self._mac_depth = 0  # of nested <span>s, within text that is shown on macOS only

    def handle_starttag(self, tag, attrs):
        ident = dict(attrs).get("id") or ""
        if tag in _PARAGRAPH_TAGS:
            self._pieces = None
            if _TEXT_ID.match(ident):
                self._closing_tag = tag
                if ident not in self.paragraphs:
                    self._pieces = self.paragraphs[ident] = []
        elif tag == "span" and (self._mac_depth or ident.startswith("MAC")):
            self._mac_depth += 1
        elif tag == "br":
            self.handle_break()

    def handle_break(self):
        if self._pieces is not None:
            self._pieces.append(" ")

    def handle_endtag(self, tag):
        if tag == self._closing_tag:
            self._pieces, self._mac_depth = None, 0
        elif tag == "span" and self._mac_depth:
            self._mac_depth -= 1

    def handle_data(self, data):
        if self._pieces is not None and not self._mac_depth:
            self._pieces.append(data)


def _paragraphs(path):
    """{id: text} of one help page."""
    page = _Page()
    with open(path, encoding="utf-8", errors="replace") as file:
        page.feed(file.read())
    return {ident: "".join(pieces) for ident, pieces in page.paragraphs.items()}


def _pages(root):
    """{path of a page relative to its language's folder: path of its file}"""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            match = WANTED.search(path)
            if match:
                found[match.group(1)] = path
    return found


def pairs(english_root, german_root):
    """Pairs out of two unpacked packages, libreoffice-help-en-us and libreoffice-help-de."""
    english, german = _pages(english_root), _pages(german_root)
    for page in sorted(english.keys() & german.keys()):
        translated = _paragraphs(german[page])
        for ident, text in _paragraphs(english[page]).items():
            if ident in translated:
                yield from align(text, translated[ident])


def documents(root):
    """The pages of an unpacked package, as lists of paragraphs without headings."""
    for _, path in sorted(_pages(root).items()):
        yield [text for ident, text in _paragraphs(path).items() if ident.startswith("par")]
