"""Activations and workspace of a training step, beside PyTorch's: what its process takes at most,
less the bare process, parameters, gradients and the optimizer's state. Gradients are in our arena,
so ours are arena and scratch. Of both sides' peaks as much as the parameters take goes off, though
neither has all gradients there at that moment. Once without a budget, once with a share of arena
and scratch as the budget of results."""

import json
import subprocess
import tempfile

import frameworks
import rows
from compare import Comparison
from environments import python_with
from models import say
from table import number

ASKED = 0.5  # of PyTorch's
BUDGET = 0.47  # of arena and scratch without one

# Prints the bytes that a process with PyTorch takes at most while it does nothing.
BARE = "import resource, torch; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)"
COPIES = 4  # of parameters: themselves, gradients, two moments


def parameter_bytes(models):
    """Of the translation model that was compiled."""
    with open(models.folder / "translate" / "translate.json", encoding="utf8") as file:
        variables = json.load(file)["variables"]
    total = 0
    for variable in variables:
        if variable["kind"] == "parameter":
            size = 4  # bytes of f32
            for extent in variable["extents"]:
                size *= extent
            total += size
    return total


def peak_resident(process):
    """The most bytes that a process has taken so far."""
    with open(f"/proc/{process.pid}/status", encoding="utf8") as file:
        line = next(line for line in file if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def ours(models, variant, row):
    """Arena and scratch of a step."""
    say(f"measuring the memory of a step ({variant})")
    with models.runner(variant) as runner:
        runner.ask(row.line())
        return float(runner.ask("bytes"))


def theirs(models, row):
    """Activations and workspace of PyTorch's step."""
    say("measuring the memory of PyTorch's step")
    python = python_with(frameworks.PYTORCH.packages, models.environments / "pytorch",
                         models.installs)
    bare = int(subprocess.run([python, "-c", BARE], capture_output=True, check=True).stdout)
    comparison = Comparison(models, [frameworks.PYTORCH], repetitions=1)
    with tempfile.TemporaryDirectory(dir=models.folder) as folder:
        comparison.write_examples([row], folder)
        with comparison.start(frameworks.PYTORCH, row, folder) as peer:
            peer.ask(row.line(2))  # the first one makes the optimizer's state
            return peak_resident(peer.process) - bare - COPIES * parameter_bytes(models)


def step_memory(models, size):
    """Lines of a table: what, measured, asked for."""
    row = rows.step_row(size)
    models.need(row.model)
    gradients = parameter_bytes(models)
    unlimited = ours(models, "translate", row)
    taken = {"no budget": unlimited - gradients}
    sizes = ",".join(f"{name}={value}" for name, value in size.values().items())
    budget = int(BUDGET * unlimited)
    models.compile(row.model, variant="budget",
                   more=["--memory-budget", f"{budget}@{sizes}"])
    limited = ours(models, "budget", row)
    taken[f"budget of {budget * 1e-6:,.0f} MB with gradients"] = limited - gradients
    peer = theirs(models, row) if models.with_peer else None
    lines = [] if peer is None else [["PyTorch's memory of a step", number(peer * 1e-6, unit=" MB"),
                                      ""]]
    for what, amount in taken.items():
        lines.append([f"memory of a step, {what}", number(amount * 1e-6, unit=" MB"),
                      number(peer and ASKED * peer * 1e-6, unit=" MB")])
    return lines
