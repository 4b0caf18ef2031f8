"""Runs clang-tidy over the sources of one build and fails on any finding.

    tests/lint/tidy.py [--seconds N] BUILD_FOLDER CLANG_TIDY [FILE...]

Without FILEs: all sources outside tests/, those that changed last first; --seconds starts no file
after that time (ctest uses it: a source takes 2 to 5 s, all of them some minutes). A file that was clean is not read again until it, a header
of ours that it includes, or .clang-tidy changes; the records lie in ~/.cache/axloom/tidy, so that
they outlive the build folder and the next run goes on where this one stopped.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"), "axloom/tidy")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


@functools.cache
def includes(path):
    """Our own headers that a file includes, directly."""
    found = [ROOT / name for name in INCLUDE.findall(path.read_text())]
    return [header for header in found if header.is_file()]


def fingerprint(source, tidy):
    """A hash of everything of ours that the findings of a source depend on."""
    seen, pending = set(), [source]
    while pending:
        path = pending.pop()
        if path not in seen:
            seen.add(path)
            pending.extend(includes(path))
    digest = hashlib.sha256(tidy.encode() + (ROOT / ".clang-tidy").read_bytes())
    for path in sorted(seen):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sources(build):
    """The compiled files of ours outside tests/, generated ones left out; last changed first."""
    log = subprocess.run(["git", "log", "--format=", "--name-only", "-n", "500"],
                         cwd=ROOT, capture_output=True, text=True)
    age = {name: number for number, name in reversed(list(enumerate(log.stdout.split("\n"))))}
    found = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"])
        if path.is_relative_to(ROOT) and not path.is_relative_to(build):
            if path.relative_to(ROOT).parts[0] != "tests":
                found.add(path)
    return sorted(found, key=lambda path: (age.get(str(path.relative_to(ROOT)), len(age)), path))


def check(build, tidy, source, deadline):
    """The findings in a source, "" if there are none, None if there was no time to look."""
    record = RECORDS / fingerprint(source, tidy)
    if record.exists():
        return ""
    if time.monotonic() > deadline:
        return None
    # gcc's precompiled header means nothing to clang.
    run = subprocess.run(
        [tidy, "-p", build, "--quiet", "--warnings-as-errors=*", "--use-color=false",
         "--extra-arg=-ignore-pch", source],
        capture_output=True, text=True)
    if run.returncode == 0:
        record.touch()
        return ""
    return run.stdout or run.stderr


def findings_once(texts):
    """The findings of all sources; one in a header is told by every source that includes it."""
    seen = dict.fromkeys(
        finding.strip() for text in texts for finding in re.split(r"\n(?=/\S+:\d+:\d+: error)", text))
    return list(seen)


def main():
    parser = argparse.ArgumentParser(description="clang-tidy over the sources of one build")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("build", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("tidy")
    parser.add_argument("files", nargs="*", type=lambda name: pathlib.Path(name).resolve())
    arguments = parser.parse_args()

    files = arguments.files or sources(arguments.build)
    deadline = time.monotonic() + arguments.seconds
    RECORDS.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(
            lambda file: check(arguments.build, arguments.tidy, file, deadline), files))
    findings = findings_once([text for text in texts if text])
    print("\n\n".join(findings))
    checked = sum(text is not None for text in texts)
    print(f"clang-tidy: {checked} of {len(files)} files looked at, {len(findings)} findings")
    return 1 if findings or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
