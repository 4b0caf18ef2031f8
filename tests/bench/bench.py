"""Measures Axloom beside PyTorch; tests/bench/README.md says what. The script `run` starts this."""

import argparse
import contextlib
import json
import sys
from pathlib import Path
from typing import NamedTuple

import budgets
import fusions
import pytorch
import quality
import rows
import sizes
import workloads
from child import Failure
from models import Models, say
from table import number, show


def positive(kind):
    """A type of options: numbers above 0."""
    def positive_number(text):
        value = kind(text)
        if not value > 0:
            raise ValueError
        return value
    return positive_number


def arguments():
    parser = argparse.ArgumentParser(prog="tests/bench/run", description=__doc__)
    parser.add_argument("--rows", help="rows to measure, separated by commas [all of them]")
    parser.add_argument("--json", metavar="FILE", help="write the rows as a list of objects, too")
    parser.add_argument("--no-peer", action="store_true", help="leave PyTorch out")
    parser.add_argument("--fusions", action="store_true",
                        help="instead, measure what each optimization gains, and rewrite the table "
                             "in passes/README.md")
    parser.add_argument("--quality", type=positive(float), metavar="MINUTES",
                        help="instead, train the model of examples/translate here and in PyTorch "
                             "for so long each, and compare perplexity and BLEU")
    parser.add_argument("--data", metavar="DIR",
                        help="folder of {train,valid,test}.tsv for --quality [fetched]")
    parser.add_argument("--repetitions", type=positive(int), default=5, metavar="N",
                        help="of each row, whose median counts [%(default)s]")
    parser.add_argument("--threads", type=positive(int), default=2, metavar="N", help="[%(default)s]")
    parser.add_argument("--tiny", action="store_true",
                        help="a model so small that the figures mean nothing, to try the script")
    parser.add_argument("--build", default="build/release", help=argparse.SUPPRESS)
    return parser.parse_args()


def chosen(names, available):
    """Those of `available` that the option --rows names."""
    if not names:
        return available
    wanted = names.split(",")
    unknown = set(wanted) - set(available)
    if unknown:
        raise Failure(f"there is no row '{sorted(unknown)[0]}'; the rows are "
                      + ", ".join(available))
    return {name: row for name, row in available.items() if name in wanted}


class Machine(NamedTuple):
    peak: float  # GFLOP/s of f32 multiply-adds
    bandwidth: float  # GB/s read from memory


def measure_machine(models):
    say("measuring the machine")
    with models.runner() as machine:
        return Machine(machine.measure("peak"), machine.measure("bandwidth"))


def measure(selected, size, models, options):
    """The results of all selected rows."""
    if not selected:
        return []
    results = []
    for model in dict.fromkeys(row.model for row in selected):
        if not models.has(model):
            models.compile(model, workloads.settings(model, size))
        with contextlib.ExitStack() as stack:
            children = [stack.enter_context(models.runner(model))]
            if not options.no_peer:
                peer = pytorch.peer(models.pytorch, workloads.peer(model, size),
                                    workloads.peer_settings(model, size), options.threads)
                children.append(stack.enter_context(peer))
            peer_name = None if options.no_peer else peer.ask("name")
            for row in (row for row in selected if row.model == model):
                say(f"measuring {row.name}")
                times = rows.medians(row, children, options.repetitions)
                results.append(rows.Result(row, times[0], peer_name, (times + [None])[1]))
    return results


def show_results(results, peak):
    show(["row", "ms", "GFLOP/s", "of peak", "PyTorch ms", "GFLOP/s", "ratio", "asked for"],
         [[result.row.name, number(result.ours_ms, 2), number(result.gflops(result.ours_ms)),
           number(100 * result.gflops(result.ours_ms) / peak, unit=" %"),
           number(result.peer_ms, 2), number(result.gflops(result.peer_ms)),
           number(result.ratio(), 2), number(result.row.target or None)]
          for result in results])


def run_rows(models, size, options):
    compared = rows.all_rows(size) + workloads.rows(size)
    selected = chosen(options.rows, budgets.ALL | {row.name: row for row in compared})
    machine = measure_machine(models)
    limits = [line for name, check in budgets.ALL.items() if name in selected
              for line in check(models, size)]
    results = measure([row for row in selected.values() if isinstance(row, rows.Row)], size, models,
                      options)
    machine = Machine(*map(max, zip(machine, measure_machine(models))))
    print(f"machine, {options.threads} threads: {machine.peak:.0f} GFLOP/s in f32, "
          f"{machine.bandwidth:.1f} GB/s read from memory\n")
    if results:
        show_results(results, machine.peak)
    if limits:
        show(["limits", "measured", "limit"], limits)
    if options.json:
        with open(options.json, "w", encoding="utf8") as file:
            json.dump([result.json(machine.peak) for result in results], file, indent=1)


def run_fusions(models, size, options):
    fusions.around_table()  # fails now rather than after the measurement
    table = fusions.run(models, size, options.repetitions, measure_machine(models))
    print(table)
    if not options.tiny:
        fusions.rewrite(table)


def main():
    options = arguments()
    size = sizes.TINY if options.tiny else sizes.BASE
    build = Path(options.build).resolve()
    models = Models(build, "bench-tiny" if options.tiny else "bench", options.threads,
                    not options.no_peer)
    if options.fusions:
        run_fusions(models, size, options)
    elif options.quality is not None:
        quality.run(models, options.build, options.data, options.quality, not options.no_peer)
    else:
        run_rows(models, size, options)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"bench: error: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
