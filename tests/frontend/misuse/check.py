"""Checks what a compiler says about the wrong calls of one file.

    check.py gcc|clang COMPILER ROOT FILE [FLAGS...]

Without MISUSE the file must compile without a word. With it, each line under `#ifdef MISUSE` is
wrong and has the reason as its comment. The compiler must report an error at each of these lines and
at no other, so that the first line that contains `error:` is always the user's; it must contain the
reason (gcc), or a note under it must (clang).
"""

import re
import subprocess
import sys


def report(*flags):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-w", f"-I{root}", path, *given, *flags]
    if kind == "clang":
        command.append("-ferror-limit=0")
    return subprocess.run(command, capture_output=True, text=True).stderr


def wrong_lines():
    """Line number -> reason."""
    lines = open(path).read().splitlines()
    begin, end = lines.index("#ifdef MISUSE") + 1, lines.index("#endif")
    return {n + 1: lines[n].split(" // ")[1] for n in range(begin, end)}


def faults():
    if text := report():
        yield f"without MISUSE the file must compile without a word:\n{text}"
    expected = wrong_lines()
    found = []
    for error in re.split(r"\n(?=[^\n]*error:)", "\n" + report("-DMISUSE")):
        first = error.splitlines()[0] if error.strip() else ""
        if "error:" not in first:
            continue
        at = re.match(re.escape(path) + r":(\d+):", first)
        line = int(at[1]) if at else None
        if line not in expected:
            yield f"this error is not at a wrong line: {first}"
            continue
        found.append(line)
        if expected[line] not in (first if kind == "gcc" else error):
            yield f"line {line}: expected {expected[line]}, found:\n{error}"
    for line in sorted(set(expected) - set(found)):
        yield f"line {line}: compiles, expected an error with {expected[line]}"
    if not expected:
        yield f"{path} has no wrong lines"


kind, compiler, root, path, *given = sys.argv[1:]
all_faults = list(faults())
print("\n".join(all_faults) if all_faults else "every wrong line is reported as expected")
sys.exit(1 if all_faults else 0)
