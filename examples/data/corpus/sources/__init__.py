"""One module a source of sentence pairs.

Each has `WANTED` (or `wanted`), which files of a package it reads, and `pairs(...)`, a generator of
raw (English, German) pairs.  To add a source, add a module, and a line to `../build.py`.
"""
