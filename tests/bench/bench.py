"""Measures Axloom beside others; tests/bench/README.md says what. The script `run` starts this."""

import argparse
import json
import secrets
import sys
from pathlib import Path

import budgets
import chart
import curves
import frameworks
import fusions
import packing
import quality
import records
import report
import rows
import sizes
import workloads
from child import Failure
from compare import Comparison
from models import Models
from table import show


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
    parser.add_argument("--chart", metavar="FILE", help="draw the rows as an SVG picture, too")
    parser.add_argument("--peers", action="store_true",
                        help="instead, the translation model and attention beside all peers, in "
                             "f32 and bf16")
    parser.add_argument("--no-peer", action="store_true", help="leave all peers out")
    parser.add_argument("--no-install", action="store_true",
                        help="install nothing: with --peers and --quality, what is missing is left "
                             "out; otherwise PyTorch has to be there, or --no-peer said")
    parser.add_argument("--shapes", metavar="NAMES",
                        help="instead, the translation model at other shapes: names, separated by "
                             "commas, or 'all'")
    parser.add_argument("--seed", type=int, default=secrets.randbits(31),
                        help="of the shapes that are drawn [another one each time]")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--fusions", action="store_true",
                         help="instead, measure what each optimization gains, and rewrite the tables "
                              "in passes/README.md")
    instead.add_argument("--quality", type=positive(float), metavar="MINUTES",
                         help="instead, train a translation model here and in PyTorch for so long "
                              "each, and compare perplexity and BLEU")
    parser.add_argument("--precision", choices=rows.TYPES,
                        help="of --quality on both sides, and of --packing [bf16 if the machine "
                             "has instructions for it]")
    instead.add_argument("--curves", type=positive(int), metavar="STEPS",
                         help="instead, train the model of examples/translate in f32 and in bf16 and "
                              "compare the losses; --chart draws them")
    instead.add_argument("--packing", action="store_true",
                         help="instead, compare the speed of training on packed batches with that on "
                              "padded ones")
    parser.add_argument("--data", metavar="DIR",
                        help="folder of {train,valid,test}.tsv for --quality, --curves and --packing "
                             "[fetched]")
    parser.add_argument("--repetitions", type=positive(int), default=5, metavar="N",
                        help="of each row, whose median counts [%(default)s]")
    parser.add_argument("--threads", type=positive(int), default=2, metavar="N", help="[%(default)s]")
    parser.add_argument("--tiny", action="store_true",
                        help="a model so small that the figures mean nothing, to try the script")
    parser.add_argument("--build", default="build/release", help=argparse.SUPPRESS)
    return parser.parse_args()


def chosen(names, available, what):
    """Those of `available`, by name, that an option names; all if it is not given."""
    if not names:
        return available
    wanted = names.split(",")
    unknown = set(wanted) - set(available)
    if unknown:
        raise Failure(f"there is no {what} '{sorted(unknown)[0]}'; the {what}s are "
                      + ", ".join(available))
    return {name: value for name, value in available.items() if name in wanted}


def available_rows(size, shapes, options):
    """What can be measured, by name: rows of other shapes, or those for all peers, or else ordinary
    rows and limits."""
    if options.shapes:
        names = chosen(None if options.shapes == "all" else options.shapes, shapes, "shape")
        found = rows.shape_rows(names, rows.TYPES)
    else:
        ordinary = rows.all_rows(size) + workloads.rows(size)
        found = rows.peer_rows(size) if options.peers else ordinary
    limits = {} if options.shapes or options.peers else budgets.ALL
    return limits | {row.name: row for row in found}


def peers(options):
    if options.no_peer:
        return ()
    return frameworks.ALL if options.peers else (frameworks.PYTORCH,)


def write_files(results, machine, options):
    if options.json:
        with open(options.json, "w", encoding="utf8") as file:
            json.dump([result.json() for result in results], file, indent=1)
    if options.chart:
        chart.write(results, machine, options.chart)


def insist_on_agreement(results):
    for result in results:
        if not result.agrees():
            raise Failure(f"{result.peer} and we disagree on {result.row.name}: by "
                          f"{result.difference:.1e} of the largest number, tolerance "
                          f"{result.row.tolerance:.0e}")


def run_rows(models, size, options):
    shapes = sizes.shapes(size, options.seed)
    selected = chosen(options.rows, available_rows(size, shapes, options), "row")
    machine = models.machine()
    selected = rows.worth_measuring(selected, machine, named=options.rows)
    limits = [line for name, check in budgets.ALL.items() if name in selected
              for line in check(models, size)]
    comparison = Comparison(models, peers(options), options.repetitions,
                            required=not options.peers)
    results = comparison.results([row for row in selected.values() if isinstance(row, rows.Row)])
    machine = machine.at_best(models.machine())
    print(f"machine, {options.threads} threads: {machine}\n")
    if options.shapes:
        report.show_shapes(shapes, options.seed)
    if results:
        (report.show_peers if options.peers else report.show_results)(results)
    if options.peers and options.threads == records.THREADS and not (options.shapes or options.tiny):
        records.show_records(results)
    if limits:
        show(["limits", "measured", "limit"], limits)
    write_files(results, machine, options)
    insist_on_agreement(results)


def run_fusions(models, size, options):
    fusions.around_tables()  # fails now rather than after the measurement
    tables = fusions.run(models, size, options.repetitions)
    print(tables)
    if not options.tiny:
        fusions.rewrite(tables)


def main():
    options = arguments()
    size = sizes.TINY if options.tiny else sizes.BASE
    options.build = Path(options.build).resolve()
    models = Models(options.build, "bench-tiny" if options.tiny else "bench", options.threads,
                    not options.no_peer, not options.no_install)
    if options.fusions:
        run_fusions(models, size, options)
    elif options.quality is not None:
        quality.run(models, size, models.machine(), options)
    elif options.curves is not None:
        curves.run(models, size, models.machine(), options)
    elif options.packing:
        packing.run(models, size, models.machine(), options)
    else:
        run_rows(models, size, options)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"bench: error: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
