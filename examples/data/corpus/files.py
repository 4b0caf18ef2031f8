"""The files of an unpacked package."""
import os


def matching(root, wanted):
    """The paths below `root` in which the pattern `wanted` is found, the same order every time."""
    for folder, subfolders, names in os.walk(root):
        subfolders.sort()
        for path in (os.path.join(folder, name) for name in sorted(names)):
            if wanted.search(path):
                yield path
