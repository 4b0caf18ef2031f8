"""What each optimization gains: Transformer-base with all of them against all but one, taking turns.
Rewrites the table in passes/README.md."""

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


def compare(models, size, optimization, repetitions):
    """The line of an optimization."""
    models.compile(rows.translation(size), variant=optimization, disable=optimization)
    if models.equal("translate", optimization):
        return "changes nothing here | | | | |"
    forward, step = rows.forward_row(size), rows.step_row(size)
    with models.runner("translate") as on, models.runner(optimization) as off:
        step_cells = measured(step, (on, off), repetitions)
        bytes_on, bytes_off = (float(child.ask("bytes")) for child in (on, off))
        forward_cells = measured(forward, (on, off), repetitions)
    return (f"{step_cells} | {forward_cells} | "
            f"{bytes_on * 1e-6:,.0f} → {bytes_off * 1e-6:,.0f} MB | {bytes_off / bytes_on:.2f} ×")


def run(models, size, repetitions, machine):
    """The table of all optimizations that the compiler knows, as Markdown."""
    models.need(rows.translation(size))
    lines = []
    for optimization in models.optimizations():
        line = f"| `{optimization}` | {compare(models, size, optimization, repetitions)} |"
        say(line)
        lines.append(line + "\n")
    return (f"The translation model with {size.layers} layers, width {size.width}, vocabulary "
            f"{size.vocabulary:,}, batch {size.batch}, {size.length} + {size.length}\ntokens, f32, "
            f"{models.threads} threads, peak {machine.f32:.0f} GFLOP/s: with all optimizations → "
            f"without this one.\n\n{HEADER}{''.join(lines)}")


def around_table():
    """The text before and after the table."""
    text = README.read_text(encoding="utf8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise Failure(f"{README} has not one line {BEGIN.strip()} and one {END.strip()} after it: "
                      "put them where the table belongs")
    return text[:text.index(BEGIN)], text[text.index(END) + len(END):]


def rewrite(table):
    """Replaces what stands between the marks."""
    before, after = around_table()
    README.write_text(before + BEGIN + table + END + after, encoding="utf8")
    say(f"wrote the table in {README}")
