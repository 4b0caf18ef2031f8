"""Trains the model of examples/translate here and in PyTorch, one after the other, for the same
time, and compares what they have learned."""

import json
import re
import subprocess
import sys
from pathlib import Path

from child import Failure
from environments import environment, python_with
from models import say
from table import number, show

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("torch", "numpy", "sentencepiece", "sacrebleu")


def settings(build):
    """Options that the build compiles the translation model with, as NAME=VALUE."""
    options = Path(build) / "examples" / "translate" / "model.options"
    return options.read_text(encoding="utf8").split()


def output_of(command, **options):
    """Standard output of a program; it goes to our standard error too, line by line."""
    lines = []
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True,
                          **options) as process:
        for line in process.stdout:
            print(line, end="", file=sys.stderr, flush=True)
            lines.append(line)
    if process.returncode != 0:
        raise Failure(f"{command[0]} ended with status {process.returncode}")
    return "".join(lines)


def found(pattern, text):
    """The number that a program has printed."""
    match = re.search(pattern, text)
    if not match:
        raise Failure(f"the trainer printed nothing like '{pattern}'")
    return float(match[1].replace(",", ""))


def ours(models, data, folder, minutes):
    output = output_of([models.binaries / "trainer", "--data", data, "--checkpoint", folder,
                        "--minutes", minutes, "--threads", models.threads])
    return {"name": "Axloom", "steps": found(r"trained after step ([\d,]+)", output),
            "tokens": found(r"([\d,]+) tokens, [\d,]+/s", output),
            "perplexity": found(r"validation perplexity ([\d.]+)", output),
            "bleu": found(r"BLEU ([\d.]+)", output)}


def theirs(models, data, folder, minutes, build):
    python = python_with(PACKAGES, models.environments / "pytorch")
    output = output_of([python, Path(__file__).parent / "train.py", data,
                        folder / "vocabulary.model", minutes * 60, models.threads,
                        *settings(build)], env=environment(models.threads))
    return json.loads(output)


def run(models, build, data, minutes, with_peer):
    """Prints both results. The peer uses the vocabulary that our run has learned."""
    if not data:
        data = ROOT / "build" / "translate" / "corpus"
        subprocess.run([ROOT / "examples/data/fetch", "translation", data], check=True,
                       stdout=sys.stderr)
    folder = models.folder / "quality"
    say(f"training for {minutes:g} minutes")
    results = [ours(models, data, folder, minutes)]
    if with_peer:
        say(f"training PyTorch for {minutes:g} minutes")
        results.append(theirs(models, data, folder, minutes, build))
    show([f"{minutes:g} minutes of training", "validation perplexity", "test BLEU", "steps",
          "target tokens"],
         [[result["name"], number(result["perplexity"], 3), number(result["bleu"], 2),
           number(result["steps"], 0), number(result["tokens"], 0)] for result in results])
