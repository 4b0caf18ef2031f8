"""What has a limit of its own instead of a peer: compile time, size of programs, memory. Each
function gives lines of a table: what, measured, limit."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import rows
from models import say
from step_memory import step_memory
from table import number


def compile_time(models, size):
    """The model from an empty kernel cache, then the unchanged model again."""
    cache = models.folder / "cold"
    shutil.rmtree(cache, ignore_errors=True)
    lines = []
    for what, limit in {"no kernel cached": 60, "unchanged": 2}.items():
        seconds = models.compile(rows.translation(size), cache=cache)
        lines.append([f"compile, {what}", number(seconds, unit=" s"), number(limit, 0, " s")])
    return lines


def programs(models, _):
    """Trainer and translator without symbols, at the size that the build has."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        stripped = Path(folder) / "stripped"
        for name in ("trainer", "translate"):
            subprocess.run(["strip", "-o", stripped, models.binaries / name], check=True)
            size = stripped.stat().st_size * 1e-6
            lines.append([f"program {name}, stripped", number(size, unit=" MB"), "10 MB"])
    return lines


def memory(models, size):
    """Arena and scratch of a training step on one sentence, and how they grow when its length
    doubles."""
    models.need(rows.translation(size))
    lines, before = [], None
    with models.runner("translate") as runner:
        for length in (size.longest // 4, size.longest // 2, size.longest):
            say(f"measuring the memory of a step at length {length}")
            runner.ask(f"call train_step 1 B=1 S={length} T={length} seed=1")
            bytes_needed = float(runner.ask("bytes"))
            growth = before and bytes_needed / before
            lines.append([f"memory of a step, length {length}",
                          number(bytes_needed * 1e-6, unit=" MB"), ""])
            if growth:
                lines.append(["  growth", number(growth, 2, " x"), "2.1 x"])
            before = bytes_needed
    return lines


ALL = {"compile": compile_time, "programs": programs, "memory": memory, "step_memory": step_memory}
