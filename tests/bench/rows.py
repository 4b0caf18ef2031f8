"""The rows of the comparison: what runs, and how it is measured. Both sides are asked with the same
line, `call FUNCTION COUNT NAME=VALUE...`, which runner and peer understand alike."""

import statistics
from dataclasses import dataclass

import sizes

SECONDS = 0.2  # of calls in one repetition, at least: short ones are repeated
ATTENTION_BACKWARD = 2.5  # times as many operations as forward: five products instead of two


@dataclass(frozen=True)
class Row:
    name: str
    model: str  # which compiled model has the function
    function: str
    values: dict
    flops: float
    before: str = ""  # a function that has to run once before
    target: float = 0  # the ratio that is asked for

    def line(self, count=1, function=None):
        values = " ".join(f"{name}={value}" for name, value in self.values.items())
        return f"call {function or self.function} {count} {values}"


def forward_row(size):
    return Row("forward_f32", "translate", "forward", size.values(), size.forward_flops(),
               target=1.8)


def step_row(size):
    """A training step, counted as three forwards."""
    return Row("step_f32", "translate", "train_step", size.values(seed=1),
               3 * size.forward_flops(), target=1.5)


def all_rows(size):
    """In the order in which they are run."""
    rows = [forward_row(size), step_row(size)]
    position = size.length // 2
    for batch in (1, 16):
        values = size.values(position=position) | {"B": batch}
        rows.append(Row(f"decode_{batch}_f32", "translate", "decode_step", values,
                        size.decode_flops(batch, position + 1), before="encode"))
    for length, causal in ((1, False), (1, True), (8, False), (8, True)):
        rows += attention_rows(size, length * size.length, size.batch // length, causal)
    return rows


def attention_rows(size, length, batch, causal):
    """Attention alone, forward, and forward and backward together."""
    function = "causal_attention" if causal else "attention"
    values = {"B": batch, "T": length}
    flops = 4 * batch * length * length * size.width
    name = f"{function}_{length}_f32"
    return [Row(name, "attention", function, values, flops),
            Row(name.replace("_f32", "_gradient_f32"), "attention", f"{function}_gradient", values,
                (1 + ATTENTION_BACKWARD) * flops)]


@dataclass
class Result:
    row: Row
    ours_ms: float
    peer: str  # or None
    peer_ms: float

    def gflops(self, milliseconds):
        return milliseconds and self.row.flops / milliseconds * 1e-6

    def ratio(self):
        return self.peer_ms and self.peer_ms / self.ours_ms

    def json(self, peak):
        return {"name": self.row.name, "ours_ms": self.ours_ms, "peer": self.peer,
                "peer_ms": self.peer_ms, "ratio": self.ratio(),
                "gflops": self.gflops(self.ours_ms), "peak_gflops": peak}


def warm_up(child, row):
    """Runs a row until it has all it needs. Gives the calls that make up a repetition."""
    if row.before:
        child.ask(row.line(function=row.before))
    child.ask(row.line())
    milliseconds = child.measure(row.line())
    return max(1, round(SECONDS * 1e3 / milliseconds))


def medians(row, children, repetitions):
    """Milliseconds of a row in each child. They take turns; while one runs, the others sleep."""
    counts = [warm_up(child, row) for child in children]
    times = [[] for _ in children]
    for _ in range(repetitions):
        for child, count, list_of_times in zip(children, counts, times):
            list_of_times.append(child.measure(row.line(count)))
    return [statistics.median(list_of_times) for list_of_times in times]
