"""GNOME's guides in Mallard (XML): pages whose blocks correspond one to one."""
import os
import re
import xml.etree.ElementTree as ElementTree

from ..text import align

WANTED = re.compile(r"/share/help/(C|de)/.*\.page$")

_BLOCK_TAGS = {"p", "title", "desc", "td"}


def _tag(node):
    """The tag without its namespace, or "" for a comment or a processing instruction."""
    return node.tag.rsplit("}", 1)[-1] if isinstance(node.tag, str) else ""


def _innermost_blocks(node):
    """(tag, text) of each block element that holds no other block element, in page order."""
    if _tag(node) in _BLOCK_TAGS:
        if not any(_tag(inner) in _BLOCK_TAGS for inner in node.iter() if inner is not node):
            return [(_tag(node), "".join(node.itertext()))]
    return [block for child in node for block in _innermost_blocks(child)]


def _blocks(path):
    """The blocks of a page, or None if it is not well-formed XML."""
    try:
        return _innermost_blocks(ElementTree.parse(path).getroot())
    except ElementTree.ParseError:
        return None


def pairs(english_root, german_root):
    """Pairs out of two folders of pages, .../share/help/C and .../share/help/de."""
    for folder, subfolders, names in os.walk(english_root):
        subfolders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            translation = os.path.join(german_root, os.path.relpath(path, english_root))
            if not name.endswith(".page") or not os.path.exists(translation):
                continue
            english, german = _blocks(path), _blocks(translation)
            if not english or not german or [t for t, _ in english] != [t for t, _ in german]:
                continue
            for (_, text), (_, translated) in zip(english, german):
                yield from align(text, translated)
