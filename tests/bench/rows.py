"""The rows of the comparison: what runs, and how it is measured. Both sides are asked with the same
line, `call FUNCTION COUNT NAME=VALUE...`, which runner and peer understand alike."""

import statistics
from dataclasses import asdict, dataclass

from models import Model, say_without_bf16

SECONDS = 0.2  # of calls in one repetition, at least: short ones are repeated
ATTENTION_BACKWARD = 2.5  # times as many operations as forward: five products instead of two
TYPES = ("f32", "bf16")  # of products

# How far results may be from ours, as a fraction of the largest number in ours.
TOLERANCES = {"f32": 1e-4, "bf16": 5e-2}
DROPOUT_TOLERANCE = 2e-2  # of a loss, whose dropout everybody draws differently


@dataclass(frozen=True)
class Row:
    name: str
    model: Model
    function: str
    values: dict
    flops: float
    type: str = "f32"
    before: str = ""  # a function that has to run once before
    target: float = 0  # the ratio that is asked for
    tolerance: float = 0  # of a peer's results against ours; 0: they are not compared

    def arguments(self):
        return " ".join(f"{name}={value}" for name, value in self.values.items())

    def line(self, count=1, function=None):
        return f"call {function or self.function} {count} {self.arguments()}"

    def peak(self):
        """The question for what the machine can do at most of what the row does."""
        return {"f32": "peak", "bf16": "peak_bf16"}[self.type]

    def is_ours(self):
        """Whether our side can run it."""
        return self.type == self.model.precision


def translation(size, shape="", kind="f32"):
    name = f"translate{shape}" + ("" if kind == "f32" else f"_{kind}")
    return Model(name, "translate", size.settings(), "translate", asdict(size), kind)


def attention(size, kind):
    settings, rounded = size.attention_settings(), kind == "bf16"
    return Model("attention_bf16" if rounded else "attention", "attention",
                 settings | ({"bf16": "true"} if rounded else {}), "attention", settings, kind)


def forward_row(size, kind="f32", shape=""):
    model = translation(size, shape, kind)
    return Row(f"forward{shape}_{kind}", model, "forward", size.values(), size.forward_flops(),
               kind, target=1.8, tolerance=TOLERANCES[kind])


def step_row(size, kind="f32", shape=""):
    """A training step, counted as three forwards."""
    model = translation(size, shape, kind)
    return Row(f"step{shape}_{kind}", model, "train_step", size.values(seed=1),
               3 * size.forward_flops(), kind, target=1.5, tolerance=DROPOUT_TOLERANCE)


def decode_rows(size):
    position = size.target // 2
    for batch in (1, 16):
        values = size.values(position=position) | {"B": batch}
        yield Row(f"decode_{batch}_f32", translation(size), "decode_step", values,
                  size.decode_flops(batch, position + 1), before="encode")


def attention_rows(size, kind="f32"):
    """Attention alone at three lengths with as many positions in all, or more where a batch cannot be
    smaller: forward, and forward and backward together."""
    for times in (1, 8, 32):
        length, batch = times * size.source, max(1, size.batch // times)
        flops = 4 * batch * length * length * size.width
        for function in ("attention", "causal_attention"):
            for suffix, share in (("", 1), ("_gradient", 1 + ATTENTION_BACKWARD)):
                yield Row(f"{function}_{length}{suffix}_{kind}", attention(size, kind),
                          function + suffix,
                          {"B": batch, "T": length}, share * flops, kind,
                          tolerance=TOLERANCES[kind])


def all_rows(size):
    """In the order in which they are run. Of a model, what trains comes after what is compared."""
    return [*(row(size, kind) for kind in TYPES for row in (forward_row, step_row)),
            *decode_rows(size), *attention_rows(size)]


def peer_rows(size):
    """What is asked of all peers."""
    return [*(row(size, kind) for row in (forward_row, step_row) for kind in TYPES),
            *(row for kind in TYPES for row in attention_rows(size, kind))]


def shape_rows(shapes, types):
    """Forward and step of the translation model at other shapes."""
    return [row(size, kind, f"_{name}") for name, size in shapes.items()
            for row in (forward_row, step_row) for kind in types]


def worth_measuring(selected, machine, named):
    """Rows and limits that were selected, without those of bf16 where the machine has no
    instructions for it, or slow ones, unless they were named."""
    dropped = {name for name, row in selected.items()
            if isinstance(row, Row) and row.type not in machine.precisions()}
    if not dropped or named:
        return selected
    say_without_bf16("rows of it are left out")
    return {name: row for name, row in selected.items() if name not in dropped}


@dataclass
class Result:
    """A row beside one peer. Without a peer, or without our side, their half is None."""
    row: Row
    ours_ms: float = None
    framework: str = None  # the peer's name
    peer: str = None  # and with its version
    peer_ms: float = None
    difference: float = None  # of its results to ours
    peak: float = None  # GFLOP/s of the machine meanwhile; 0 if it cannot do such products

    def gflops(self, milliseconds):
        return milliseconds and self.row.flops / milliseconds * 1e-6

    def share(self):
        """Of the machine's peak, in percent, that we reach."""
        return 100 * self.gflops(self.ours_ms) / self.peak if self.ours_ms and self.peak else None

    def ratio(self):
        return self.ours_ms and self.peer_ms and self.peer_ms / self.ours_ms

    def agrees(self):
        return self.difference is None or self.difference <= self.row.tolerance

    def json(self):
        return {"name": self.row.name, "ours_ms": self.ours_ms, "peer": self.peer,
                "peer_ms": self.peer_ms, "ratio": self.ratio(),
                "gflops": self.gflops(self.ours_ms), "peer_gflops": self.gflops(self.peer_ms),
                "peak_gflops": self.peak or None, "difference": self.difference,
                "tolerance": self.row.tolerance or None}


def warm_up(row, child):
    """Runs a row until it has all it needs. Gives the question for a repetition of it."""
    if row.before:
        child.ask(row.line(function=row.before))
    child.ask(row.line())
    milliseconds = child.measure(row.line())
    return child, row.line(max(1, round(SECONDS * 1e3 / milliseconds)))


def medians(questions, repetitions):
    """Of the answers to questions, which are pairs of a child and a line. They take turns; while one
    child answers, the others sleep."""
    answers = [[child.measure(line) for child, line in questions] for _ in range(repetitions)]
    return [statistics.median(of_one) for of_one in zip(*answers)]
