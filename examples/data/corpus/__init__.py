"""An English-German sentence-pair corpus out of Debian packages (see ../README.md)."""
