"""Runs clang-tidy over the sources of one build and fails on any finding.

    tests/lint/tidy.py BUILD_FOLDER CLANG_TIDY [FILE...]

Without FILEs: all sources outside tests/, those that changed last first. A source takes 2 to 5 s,
all of them some minutes; so a file that was clean is not read again until it, a header of ours that
it includes, or .clang-tidy changes. The records lie in ~/.cache/axloom/tidy, so that they outlive
the build folder.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"), "axloom/tidy")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


@functools.cache
def includes(path):
    """Our own headers that a file includes, directly."""
    found = [folder / name for name in INCLUDE.findall(path.read_text())
             for folder in (path.parent, ROOT)]
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


def sources(build, compiled):
    """The compiled files of ours outside tests/, generated ones left out; last changed first."""
    found = [path for path in compiled
             if path.is_relative_to(ROOT) and not path.is_relative_to(build)
             and path.relative_to(ROOT).parts[0] != "tests"]
    return sorted(found, key=lambda path: (-path.stat().st_mtime, path))


def commands(build):
    """The compiler's arguments for each source of the build."""
    entries = json.loads((build / "compile_commands.json").read_text())
    return {pathlib.Path(entry["directory"], entry["file"]): shlex.split(entry["command"])
            for entry in entries}


def precompiled(tidy, compilations, folder):
    """The header that the build precompiles, precompiled by clang (gcc's means nothing to it):
    with it a source takes two thirds of the time. Returns the header and the file, or two Nones."""
    for arguments in compilations.values():
        header = next((a for a in arguments if a.endswith("/cmake_pch.hxx")), None)
        if not header or "-c" not in arguments:
            continue
        flags = [a for a in arguments[1:arguments.index("-include")] if a != "-Winvalid-pch"]
        flags = [a for a in flags if not a.startswith("-D") or a == "-DNDEBUG"]
        file = pathlib.Path(folder, "header.pch")
        run = subprocess.run([tidy.replace("clang-tidy", "clang++"), "-w", "-x", "c++-header",
                              *flags, header, "-o", file], capture_output=True)
        if run.returncode == 0:
            return header, file
    return None, None


def check(build, tidy, source, arguments, header, pch):
    """The findings in a source, "" if there are none."""
    record = RECORDS / fingerprint(source, tidy)
    if record.exists():
        return ""
    extra = ["--extra-arg=-ignore-pch"]
    if header and header in arguments:
        extra = ["--extra-arg-before=-include-pch", f"--extra-arg-before={pch}"]
    run = subprocess.run(
        [tidy, "-p", build, "--quiet", "--warnings-as-errors=*", "--use-color=false", *extra,
         source], capture_output=True, text=True)
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
    parser.add_argument("build", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("tidy")
    parser.add_argument("files", nargs="*", type=lambda name: pathlib.Path(name).resolve())
    arguments = parser.parse_args()

    compilations = commands(arguments.build)
    files = arguments.files or sources(arguments.build, compilations)
    RECORDS.mkdir(parents=True, exist_ok=True)
    with (tempfile.TemporaryDirectory() as folder,
          concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool):
        header, pch = None, None
        if any(not (RECORDS / fingerprint(file, arguments.tidy)).exists() for file in files):
            header, pch = precompiled(arguments.tidy, compilations, folder)
        texts = list(pool.map(
            lambda file: check(arguments.build, arguments.tidy, file, compilations.get(file, []),
                               header, pch), files))
    findings = findings_once([text for text in texts if text])
    print("\n\n".join(findings))
    print(f"clang-tidy: {len(files)} files, {len(findings)} findings")
    return 1 if findings or not files else 0


if __name__ == "__main__":
    sys.exit(main())
