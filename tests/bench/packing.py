"""Trains the model of --quality on the same corpus as batches of three kinds, taking turns: packed
without padding, padded and sorted by length, padded in random order."""

import contextlib
import statistics

import quality
import training
from child import Child
from models import say
from table import number, show

STEPS = 12  # of one turn
# Name: whether packed, order, and how many times as fast as it packed batches have to be.
KINDS = {"packed": (True, "as_they_come", None),
         "padded, sorted by length": (False, "by_length", 0.98),
         "padded, in random order": (False, "as_they_come", 1.3)}


def start(models, model, data, order):
    models.need(model)
    library = models.libraries[model.name]
    return Child(list(map(str, [models.binaries / "bench-batches", models.threads, library,
                                library.stem, data, models.folder / "packing.model", order])))


def run(models, size, machine, options):
    precision = options.precision or machine.precisions()[-1]
    data = training.corpus(options.data)
    with contextlib.ExitStack() as stack:
        children = {}
        for name, (packed, order, _) in KINDS.items():
            use, settings = "quality", quality.settings(size)
            if packed:
                use, settings = "packed", settings | {"packed": "true"}
            child = start(models, training.model(use, settings, precision), data, order)
            children[name] = stack.enter_context(child)
            child.ask(f"steps {STEPS}")  # with the longest sentences, or nearly, for the arenas
        speeds = {name: [] for name in children}
        for repetition in range(options.repetitions):
            say(f"measuring, {repetition + 1} of {options.repetitions}")
            for name, child in children.items():
                speeds[name].append(child.measure(f"steps {STEPS}"))
        filled = {name: float(child.ask("filled")) for name, child in children.items()}
    medians = {name: statistics.median(found) for name, found in speeds.items()}
    show([f"batches, {precision}", "real target tokens/s", "of positions", "packed is", "asked for"],
         [[name, number(medians[name], 0), number(100 * filled[name], 1, " %"),
           number(medians["packed"] / medians[name], 2, " x"), number(asked, 2, " x")]
          for name, (_, _, asked) in KINDS.items()])
