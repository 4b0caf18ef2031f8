"""Checks what a compiler says about the cases of one file of misuse.

    check.py gcc|clang COMPILER ROOT FILE

The file holds `#if CASE == 1 // reason` with the wrong line below. Without a case the file must
compile. With one, the first line of output that contains `error:` must be at the wrong line; it must
contain the reason (gcc), or the note under it must (clang).
"""

import concurrent.futures
import re
import subprocess
import sys


def compile_case(case):
    return subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", "-w", f"-DCASE={case}", f"-I{root}", path],
        capture_output=True, text=True).stderr


def fault(case, line, reason):
    """What is wrong with the compiler's report about a case, or None."""
    report = compile_case(case).splitlines()
    first = next((i for i, text in enumerate(report) if "error:" in text), None)
    if first is None:
        return f"case {case}, line {line}: compiles, expected an error with {reason}"
    if not report[first].startswith(f"{path}:{line}:"):
        return f"case {case}: first error is not at line {line}: {report[first]}"
    shown = report[first] if kind == "gcc" else "\n".join(report[first:first + 8])
    if reason not in shown:
        return f"case {case}, line {line}: expected {reason}, found:\n{shown}"
    return None


kind, compiler, root, path = sys.argv[1:]
cases = []
for number, text in enumerate(open(path).read().splitlines(), start=1):
    if found := re.match(r"#(?:el)?if CASE == (\d+) // (.*)", text):
        cases.append((int(found[1]), number + 1, found[2]))
faults = [] if cases else [f"{path} has no cases"]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    valid = pool.submit(compile_case, 0)
    checks = [pool.submit(fault, *case) for case in cases]
    if report := valid.result():
        faults.append(f"without a case, the file must compile without a word:\n{report}")
    faults += [check.result() for check in checks if check.result()]
print("\n".join(faults) if faults else f"{len(cases)} cases are reported as expected")
sys.exit(1 if faults else 0)
