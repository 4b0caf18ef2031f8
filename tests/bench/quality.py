"""Trains one translation model here and in PyTorch, one after the other, for the same time, and
compares what they have learned."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import sizes
import training
from child import Failure
from environments import environment, python_with
from models import say
from table import number, show

SIZE = sizes.Size(layers=3, width=256, heads=4, hidden=1024, vocabulary=8000, batch=512, length=128,
                  longest=128)
PACKAGES = ("torch", "numpy", "sentencepiece", "sacrebleu")
# At twice this rate neither side gets beyond a perplexity of 90 in 20 minutes.
SCHEDULE = {"warmup": 1000, "rate_factor": 1}
TESTED = 500  # pairs of the test set
ASKED = {"tokens": 2.5, "bleu": 3}  # times as many, more


def settings(size):
    chosen = SIZE if size is sizes.BASE else replace(size, batch=SIZE.batch)
    return chosen.settings() | SCHEDULE


def ours(models, model, data, folder, minutes):
    models.need(model)
    say(f"training for {minutes:g} minutes")
    # PyTorch's side validates after its time is over, so does ours.
    output = training.train(models, model.name, data, folder, "--minutes", minutes,
                            "--validation-minutes", minutes)
    return {"name": "Axloom", "steps": training.found(r"trained after step ([\d,]+)", output),
            "tokens": training.found(r"([\d,]+) tokens, [\d,]+/s", output),
            "perplexity": training.found(r"validation perplexity ([\d.]+)", output),
            "bleu": training.found(r"BLEU ([\d.]+)", output)}


def theirs(models, model, data, folder, minutes, install):
    """PyTorch uses the vocabulary that our run has learned."""
    python = python_with(PACKAGES, models.environments / "pytorch", install)
    say(f"training PyTorch for {minutes:g} minutes")
    output = training.output_of(
        [python, Path(__file__).parent / "train.py", data, folder / "vocabulary.model",
         minutes * 60, models.threads, model.precision,
         *(f"{name}={value}" for name, value in model.settings.items())],
        env=environment(models.threads))
    return json.loads(output)


def line(result):
    return [result["name"], number(result["perplexity"], 3), number(result["bleu"], 2),
            number(result["steps"], 0), number(result["tokens"], 0)]


def comparison(mine, other):
    """Two lines: our result beside PyTorch's, and what is asked for."""
    times = {name: mine[name] / other[name] for name in ("perplexity", "steps", "tokens")}
    return [["ours / theirs", number(times["perplexity"], 2, " x"),
             f"{mine['bleu'] - other['bleu']:+.2f}", number(times["steps"], 2, " x"),
             number(times["tokens"], 2, " x")],
            ["asked for", "", f"{ASKED['bleu']:+.2f}", "", number(ASKED["tokens"], 2, " x")]]


def run(models, size, machine, options):
    precision = options.precision or training.precisions(machine)[-1]
    if precision == "f32" and not options.precision:
        say("the machine has no instructions for bf16: both sides train in f32")
    model = training.model("quality", settings(size), precision)
    folder = models.folder / "quality"
    with tempfile.TemporaryDirectory(dir=models.folder) as temporary:
        data = training.with_small_test(training.corpus(options.data), Path(temporary), TESTED)
        results = [ours(models, model, data, folder, options.quality)]
        if not options.no_peer:
            try:
                results.append(theirs(models, model, data, folder, options.quality,
                                      not options.no_install))
            except Failure as failure:
                say(f"PyTorch is left out: {failure}")
    lines = [line(result) for result in results]
    if len(results) == 2:
        lines += comparison(*results)
    show([f"{options.quality:g} minutes of training in {precision}", "validation perplexity",
          f"BLEU of {TESTED} pairs", "steps", "target tokens"], lines)
