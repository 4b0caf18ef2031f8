"""Checks that each folder includes only what the design lets it know (the table below)."""

import pathlib
import re
import sys

MAY_INCLUDE = {
    "runtime": {"runtime"},
    "ir": {"ir", "runtime/Random.h"},
    "frontend": {"frontend", "ir"},
    "passes": {"passes", "ir"},
    "codegen": {"codegen", "passes", "ir", "frontend", "runtime/abi", "runtime/device",
                "runtime/profile", "runtime/Random.h"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def folder_of(include):
    """'runtime/abi/axloom.h' -> 'runtime/abi' where the table tells that folder apart."""
    parts = pathlib.PurePosixPath(include).parts
    two = "/".join(parts[:2])
    named = set(MAY_INCLUDE) | set().union(*MAY_INCLUDE.values())
    return two if two in named else parts[0]


def violations(root):
    folders = set(MAY_INCLUDE) | {"examples", "tests"}
    for folder, allowed in MAY_INCLUDE.items():
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in {".h", ".cpp", ".inc"}:
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                target = folder_of(match.group(1)) if match else folder
                known = target.split("/")[0] in folders
                if known and target not in allowed and target.split("/")[0] not in allowed:
                    where = f"{file.relative_to(root)}:{number}"
                    yield f"{where}: {folder}/ may not include {match.group(1)}"


def main():
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    if found:
        print("What each folder may include is the table at the top of tests/lint/layers.py.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
