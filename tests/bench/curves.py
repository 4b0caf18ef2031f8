"""Trains the translation model of the build with factors of each type, on the same batches, and
compares the losses."""

import json
import math
import tempfile
from pathlib import Path
from statistics import fmean

import quality
import sizes
import training
from models import say, say_without_bf16
from svg import COLORS, Svg, grid
from table import number, show

LAST = 50  # losses at the end, whose mean counts
ASKED = 0.01  # relative difference from f32
SMOOTHED = 25  # losses, for the picture
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 960, 400, 60, 40, 50  # pixels
LEGEND = 100  # from one name to the next


def settings(build, size):
    """Those that the build compiles the translation model with."""
    if size is sizes.TINY:
        return quality.settings(size)
    file = build / "examples" / "translate" / "model.options"
    return dict(line.split("=") for line in file.read_text(encoding="utf8").split())


def losses(models, model, data, steps):
    """Of each step."""
    models.need(model)
    folder = models.folder / model.name / "run"
    say(f"training for {steps} steps in {model.precision}")
    with training.trainer(models, model.name, data, folder, "--steps", steps, "--history-steps", 1,
                          "--seed", 1) as program:
        program.output()
    history = (folder / "history.jsonl").read_text(encoding="utf8").splitlines()
    return [entry["loss"] for entry in map(json.loads, history) if "loss" in entry]


def moving_average(values):
    return [fmean(values[max(0, i + 1 - SMOOTHED):i + 1]) for i in range(len(values))]


def draw_axes(svg, place, steps, losses):
    for loss in losses:
        svg.line(place(0, loss), place(steps, loss))
        svg.text(LEFT - 8, place(0, loss)[1] + 4, f"{loss:g}", "end")
    for step in grid(steps):
        svg.text(place(step, losses[0])[0], HEIGHT - BOTTOM + 16, f"{step:g}", "middle")
    svg.text(place(steps / 2, losses[0])[0], HEIGHT - 12, "optimizer steps", "middle")


def draw(curves, file):
    """The losses, pale, and their averages: the first curve is wide, for the second to lie on."""
    steps = max(map(len, curves.values()))
    everything = [loss for values in curves.values() for loss in values]
    losses = range(math.floor(min(everything)), math.ceil(max(everything)) + 1)

    def place(step, loss):
        share = (loss - losses[0]) / (losses[-1] - losses[0])
        return (LEFT + step / steps * (WIDTH - LEFT - 20),
                HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP))

    svg = Svg()
    draw_axes(svg, place, steps, losses)
    for drawn, opacity in ((list, 0.25), (moving_average, 1)):
        for values, color, width in zip(curves.values(), COLORS, (7, 2)):
            svg.lines([place(step, loss) for step, loss in enumerate(drawn(values), 1)], color,
                      width * opacity ** 0.5, opacity)
    for i, name in enumerate(curves):
        svg.box(LEFT + LEGEND * i, 12, 12, 12, COLORS[i])
        svg.text(LEFT + 16 + LEGEND * i, 22, name)
    svg.text(LEFT + LEGEND * len(curves), 22,
             f"training loss in nats a token, and its average over {SMOOTHED} steps")
    svg.write(file, WIDTH, HEIGHT)


def run(models, size, machine, options):
    kinds = machine.precisions()
    if "bf16" not in kinds:
        say_without_bf16("there is only the curve of f32")
    with tempfile.TemporaryDirectory(dir=models.folder) as temporary:
        data = training.with_small_test(training.corpus(options.data), Path(temporary), 1)
        curves = {kind: losses(models, training.model("curves", settings(options.build, size), kind),
                               data, options.curves) for kind in kinds}
    means = {kind: fmean(values[-LAST:]) for kind, values in curves.items()}
    lines = [[kind, number(mean, 4)] for kind, mean in means.items()]
    if "bf16" in means:
        difference = abs(means["bf16"] / means["f32"] - 1)
        lines += [["relative difference", number(100 * difference, 3, " %")],
                  ["asked for: at most", number(100 * ASKED, 3, " %")]]
    show([f"{options.curves} steps", f"mean of the last {LAST} losses"], lines)
    if options.chart:
        draw(curves, options.chart)
