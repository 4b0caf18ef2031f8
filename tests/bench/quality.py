"""Trains one translation model here and in PyTorch, in turns and for the same time, and compares
what they have learned."""

import contextlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import sizes
import training
from child import Failure
from environments import environment, python_with
from models import say, say_without_bf16
from table import number, show
from turns import Program, run_in_turns

SIZE = sizes.Size(layers=3, width=256, heads=4, hidden=1024, vocabulary=8000, batch=512, source=128,
                  target=128, longest=128)
PACKAGES = ("torch", "numpy", "sentencepiece", "sacrebleu")
# At twice this rate neither side gets beyond a perplexity of 90 in 20 minutes.
SCHEDULE = {"warmup": 1000, "rate_factor": 1}
TURN_SECONDS = 20
TESTED = 500  # pairs of the test set
ASKED = {"tokens": 2.5, "bleu": 3}  # times as many, more


def settings(size):
    chosen = SIZE if size is sizes.BASE else replace(size, batch=SIZE.batch)
    return chosen.settings() | SCHEDULE


def our_trainer(models, model, data, folder, minutes):
    # PyTorch's side validates after its time is over, so does ours.
    return training.trainer(models, model.name, data, folder, "--minutes", minutes,
                            "--validation-minutes", minutes)


def our_result(output):
    return {"name": "Axloom", "steps": training.found(r"trained after step ([\d,]+)", output),
            "tokens": training.found(r"([\d,]+) tokens, [\d,]+/s", output),
            "perplexity": training.found(r"validation perplexity ([\d.]+)", output),
            "bleu": training.found(r"BLEU ([\d.]+)", output)}


def their_trainer(python, models, model, data, vocabulary, minutes):
    return Program([python, Path(__file__).parent / "train.py", data, vocabulary, minutes * 60,
                    models.threads, model.precision,
                    *(f"{name}={value}" for name, value in model.settings.items())],
                   environment(models.threads))


def python_of_peer(models):
    """An interpreter that has PyTorch; None where that is left out."""
    if not models.with_peer:
        return None
    try:
        return python_with(PACKAGES, models.environments / "pytorch", models.installs)
    except Failure as failure:
        say(f"PyTorch is left out: {failure}")
        return None


def train(models, model, data, folder, minutes, python):
    """Results of our side and of PyTorch, if there is an interpreter that has it."""
    models.need(model)
    say(f"training for {minutes:g} minutes" + (" on each side, in turns" if python else ""))
    with contextlib.ExitStack() as running:
        mine = running.enter_context(our_trainer(models, model, data, folder, minutes))
        if not python:
            return [our_result(mine.output())]
        mine.wait_for(r"^training: ")  # PyTorch uses the vocabulary that our run has learned
        other = running.enter_context(
            their_trainer(python, models, model, data, folder / "vocabulary.model", minutes))
        run_in_turns([mine, other], TURN_SECONDS)
        results = [our_result(mine.output())]
        try:
            results.append(json.loads(other.output()))
        except Failure as failure:
            say(f"PyTorch is left out: {failure}")
        return results


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
    precision = options.precision or machine.precisions()[-1]
    if precision == "f32" and not options.precision:
        say_without_bf16("both sides train in f32")
    model = training.model("quality", settings(size), precision)
    folder = models.folder / "quality"
    with tempfile.TemporaryDirectory(dir=models.folder) as temporary:
        data = training.with_small_test(training.corpus(options.data), Path(temporary), TESTED)
        results = train(models, model, data, folder, options.quality,
                        python_of_peer(models))
    lines = [line(result) for result in results]
    if len(results) == 2:
        lines += comparison(*results)
    show([f"{options.quality:g} minutes of training in {precision}", "validation perplexity",
          f"BLEU of {TESTED} pairs", "steps", "target tokens"], lines)
