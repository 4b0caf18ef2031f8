"""What the peers reached at the table's shape, each alone on an idle machine with two cores of a Zen 5,
in a program of a few lines; and whether they reach it beside us. A peer that is far from its record may
be set up badly."""

import re
from dataclasses import dataclass

from table import number, show

NEAR = 0.1  # of a record: nobody has to say why

# How the records were measured, and GFLOP/s of their machine.
THREADS = 2
PEAKS = {"f32": 492, "bf16": 965}


@dataclass(frozen=True)
class Record:
    version: str  # empty: nobody wrote it down
    gflops: dict  # by row


RECORDS = {
    "PyTorch eager": Record("2.15", {"forward_f32": 176, "forward_bf16": 646,
                                     "step_f32": 124, "step_bf16": 243}),
    "PyTorch compile": Record("2.15", {"forward_f32": 180, "forward_bf16": 718,
                                       "step_f32": 116, "step_bf16": 270}),
    "JAX": Record("", {"forward_f32": 195, "forward_bf16": 316,
                       "step_f32": 171, "step_bf16": 213}),
    "ONNX Runtime": Record("1.31", {"forward_f32": 346}),
    "OpenVINO": Record("2026.4", {"forward_f32": 407, "forward_bf16": 725}),
    "IREE": Record("3.13", {"forward_f32": 217}),
}


def of(result):
    """The record for a result, or None."""
    record = RECORDS.get(result.framework)
    return record and record.gflops.get(result.row.name)


def ratio(result):
    return result.gflops(result.peer_ms) / of(result)


def reasons(result):
    """Why a result is not near its record, as far as it shows in the result."""
    recorded, there = RECORDS[result.framework], PEAKS[result.row.type]
    if result.peak == 0:
        yield "this machine has no instructions for products of bf16"
    elif result.peak:
        share = ratio(result) * there / result.peak  # of this peak, as a multiple of that peak's
        if abs(result.peak / there - 1) > NEAR or abs(share - 1) <= NEAR:
            yield (f"this machine's peak is {result.peak:.0f} GFLOP/s, that of the record's machine "
                   f"{there}; of its own peak, each reached {share:.2f} times what the other did")
    version = re.search(r"\d+\.\d+", result.peer)
    if version and recorded.version and version[0] != recorded.version:
        yield f"this is version {version[0]}, the record is of {recorded.version}"


def explanation(result):
    """A sentence if a result is not near its record; otherwise empty."""
    if abs(ratio(result) - 1) <= NEAR:
        return ""
    unknown = ("nothing that is known here explains it"
               + ("" if ratio(result) > 1 else
                  ": look at the peer's settings and at what else the machine runs"))
    why = "; ".join(reasons(result)) or unknown
    return f"{result.row.name} of {result.framework} has {ratio(result):.2f} of its record: {why}"


def line(result):
    here, there = result.gflops(result.peer_ms), of(result)
    return [f"{result.row.name}, {result.framework}", number(here),
            number(100 * here / result.peak, unit=" %") if result.peak else "", number(there),
            number(100 * there / PEAKS[result.row.type], unit=" %"), number(ratio(result), 2)]


def show_records(results):
    """Rows that peers have records of, and why some are far from them."""
    known = [result for result in results if of(result) and result.peer_ms]
    if not known:
        return
    show(["peers, GFLOP/s", "here", "of peak", "recorded", "of that peak", "ratio"],
         [line(result) for result in known])
    for text in filter(None, map(explanation, known)):
        print(text, flush=True)
