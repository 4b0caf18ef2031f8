"""Corpora out of Debian's packages and the Python package index (see ../README.md)."""
