"""One module a source of text.

Each has `WANTED`, which files of a package it reads, and generators of raw text: `pairs(...)` of
(English, German), `documents(...)` of lists of paragraphs.  To add a source, add a module, and a
line to the corpus that shall have it.
"""
