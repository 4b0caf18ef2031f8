"""Finds PyTorch, or installs it for the benchmark alone."""

import os
import subprocess
import sys
from pathlib import Path

from child import Child, Failure
from models import say

HERE = Path(__file__).resolve().parent


def _missing(python, packages):
    """Those of the packages that an interpreter cannot import."""
    return [package for package in packages
            if subprocess.run([python, "-c", f"import {package}"],
                              stderr=subprocess.DEVNULL).returncode != 0]


def _run(command):
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        raise Failure(f"'{' '.join(map(str, command))}' failed; --no-peer does without PyTorch")


def python_with(packages, folder):
    """An interpreter that can import the packages: this one, or that of the virtual environment
    `folder`, where what is missing is installed."""
    if not _missing(sys.executable, packages):
        return sys.executable
    python = folder / "bin" / "python"
    if not python.exists():
        _run([sys.executable, "-m", "venv", folder])
    missing = _missing(python, packages)
    if missing:
        say(f"installing {', '.join(missing)} into {folder}"
            + (" (several GB)" if "torch" in missing else ""))
        _run([python, "-m", "pip", "install", "--quiet", *missing])
    return str(python)


def environment(threads):
    """PyTorch's threads stop spinning soon after its work is done, or they would take the other
    side's time."""
    return os.environ | {"OMP_NUM_THREADS": str(threads), "KMP_BLOCKTIME": "1"}


def peer(folder, module, sizes, threads):
    """The process that answers as bench-runner does, for a model of peers/."""
    python = python_with(("torch", "numpy"), folder)
    settings = [f"{name}={value}" for name, value in sizes.items()]
    return Child([python, str(HERE / "peer.py"), str(threads), module, *settings],
                 environment(threads))
