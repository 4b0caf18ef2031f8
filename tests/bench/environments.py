"""Where the peers run: finds their packages, or installs them for the benchmark alone."""

import os
import subprocess
import sys

from child import Failure
from models import say

# What is imported, if that is not what pip calls it.
DISTRIBUTIONS = {"iree.compiler": "iree-base-compiler[onnx]", "iree.runtime": "iree-base-runtime"}


def _missing(python, packages):
    """Those of the packages that an interpreter cannot import."""
    return [package for package in packages
            if subprocess.run([python, "-c", f"import {package}"],
                              stderr=subprocess.DEVNULL).returncode != 0]


def _run(command):
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        raise Failure(f"'{' '.join(map(str, command))}' failed")


def python_with(packages, folder, install=True):
    """An interpreter that can import the packages: this one, or that of the virtual environment
    `folder`, where what is missing is installed."""
    if not _missing(sys.executable, packages):
        return sys.executable
    python = folder / "bin" / "python"
    missing = _missing(python, packages) if python.exists() else packages
    if missing and not install:
        raise Failure(f"{', '.join(missing)} is not installed")
    if not python.exists():
        _run([sys.executable, "-m", "venv", folder])
        missing = _missing(python, packages)
    if missing:
        say(f"installing {', '.join(missing)} into {folder}"
            + (" (several GB)" if "torch" in missing else ""))
        _run([python, "-m", "pip", "install", "--quiet",
              *(DISTRIBUTIONS.get(package, package) for package in missing)])
    return str(python)


def environment(threads):
    """PyTorch's threads stop spinning soon after its work is done, or they would take the other
    side's time. NPROC is where XLA looks for its number of threads."""
    return os.environ | {"OMP_NUM_THREADS": str(threads), "KMP_BLOCKTIME": "1",
                         "NPROC": str(threads)}
