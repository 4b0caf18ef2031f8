"""What each optimization gains: Transformer-base with all of them against all but one, taking turns.
Rewrites the tables in passes/README.md."""

from pathlib import Path

import rows
from child import Failure
from models import say

README = Path(__file__).resolve().parents[2] / "passes" / "README.md"
BEGIN = "<!-- begin of what tests/bench/run --fusions writes -->\n"
END = "<!-- end of what tests/bench/run --fusions writes -->\n"
HEADER = """\
| without | step | | forward | | memory of a step | |
|---|---|---|---|---|---|---|
"""


def measured(row, children, repetitions):
    """Milliseconds with and without the optimization, and their quotient, as cells."""
    say(f"measuring {row.name}")
    on, off = rows.medians([rows.warm_up(row, child) for child in children], repetitions)
    return f"{on:,.0f} → {off:,.0f} ms | {off / on:.2f} ×"


def compare(models, size, kind, optimization, repetitions):
    """The line of an optimization."""
    model = rows.translation(size, kind=kind)
    variant = f"{model.name}_without_{optimization}"
    models.compile(model, variant=variant, disable=optimization)
    if models.equal(model.name, variant):
        return "changes nothing here | | | | |"
    forward, step = rows.forward_row(size, kind), rows.step_row(size, kind)
    with models.runner(model.name) as on, models.runner(variant) as off:
        step_cells = measured(step, (on, off), repetitions)
        bytes_on, bytes_off = (float(child.ask("bytes")) for child in (on, off))
        forward_cells = measured(forward, (on, off), repetitions)
    return (f"{step_cells} | {forward_cells} | "
            f"{bytes_on * 1e-6:,.0f} → {bytes_off * 1e-6:,.0f} MB | {bytes_off / bytes_on:.2f} ×")


def lines(models, size, kind, repetitions):
    """All optimizations that the compiler knows, a line of the table each."""
    models.need(rows.translation(size, kind=kind))
    found = []
    for optimization in models.optimizations():
        found.append(f"| `{optimization}` | {compare(models, size, kind, optimization, repetitions)} |")
        say(found[-1])
    return found


def table(size, kind, threads, peak, lines_of_table):
    return (f"The translation model with {size.layers} layers, width {size.width}, vocabulary "
            f"{size.vocabulary:,}, batch {size.batch}, {size.source} + {size.target}\ntokens, {kind}, "
            f"{threads} threads, peak {peak:.0f} GFLOP/s: with all optimizations → without this "
            f"one.\n\n{HEADER}" + "".join(line + "\n" for line in lines_of_table))


def run(models, size, repetitions):
    """A table, as Markdown, for each type of products that the machine has instructions for."""
    machine = models.machine()
    found = {kind: lines(models, size, kind, repetitions) for kind in machine.precisions()}
    machine = machine.at_best(models.machine())
    return "\n".join(table(size, kind, models.threads, machine.peak(kind), of_kind)
                     for kind, of_kind in found.items())


def around_tables():
    """The text before and after the tables."""
    text = README.read_text(encoding="utf8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise Failure(f"{README} has not one line {BEGIN.strip()} and one {END.strip()} after it: "
                      "put them where the tables belong")
    return text[:text.index(BEGIN)], text[text.index(END) + len(END):]


def rewrite(tables):
    """Replaces what stands between the marks."""
    before, after = around_tables()
    README.write_text(before + BEGIN + tables + END + after, encoding="utf8")
    say(f"wrote the tables in {README}")
