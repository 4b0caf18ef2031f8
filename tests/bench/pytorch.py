"""Finds PyTorch, or installs it for the benchmark alone."""

import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from child import Child, Failure
from models import say

HERE = Path(__file__).resolve().parent
QUALITY_PACKAGES = ("torch", "numpy", "sentencepiece", "sacrebleu")


def _has(python, packages):
    command = [python, "-c", "import " + ", ".join(packages)]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def python_with(packages, folder):
    """An interpreter that can import the packages: this one, or that of a virtual environment."""
    if _has(sys.executable, packages):
        return sys.executable
    python = folder / "bin" / "python"
    if python.exists() and _has(python, packages):
        return str(python)
    say(f"installing {', '.join(packages)} into {folder} (several GB)")
    for command in ([sys.executable, "-m", "venv", folder],
                    [python, "-m", "pip", "install", "--quiet", *packages]):
        if subprocess.run(command, stdout=sys.stderr).returncode != 0:
            raise Failure(f"{packages[0]} cannot be installed; see above. --no-peer does without")
    return str(python)


def environment(threads):
    """PyTorch's threads stop spinning soon after its work is done, or they would take the other
    side's time."""
    return os.environ | {"OMP_NUM_THREADS": str(threads), "KMP_BLOCKTIME": "1"}


def peer(folder, size, threads):
    """The process that answers as bench-runner does."""
    python = python_with(("torch", "numpy"), folder)
    settings = [f"{name}={value}" for name, value in asdict(size).items()]
    return Child([python, str(HERE / "peer.py"), str(threads), *settings], environment(threads))
