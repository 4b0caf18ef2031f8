"""The benchmark at a size that means nothing: rows of each kind run, and JSON is as described."""

import contextlib
import io
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import curves
import frameworks
import fusions
import packing
import records
import rows
import sizes
import svg
import workloads
from child import Child, Failure
from models import Machine
from turns import Program, run_in_turns

BENCH = Path(__file__).resolve().parent / "bench.py"
KEYS = {"name", "ours_ms", "peer", "peer_ms", "ratio", "gflops", "peer_gflops", "peak_gflops",
        "difference", "tolerance"}
CHOSEN = ["programs", "memory", "step_memory", "forward_f32", "step_f32", "decode_1_f32",
          "causal_attention_8_gradient_f32", "attention_256_f32",
          *(row.name for row in workloads.rows(sizes.TINY))]


def bench(*options):
    command = [sys.executable, BENCH, "--build", os.environ["AXLOOM_BUILD"], "--tiny", *options]
    return subprocess.run(command, capture_output=True, text=True)


def write_corpus(folder):
    """Words of one alphabet, and the same in another."""
    words = ["".join(letters) for letters in itertools.product("ab", "cd", "efgh")]
    there = str.maketrans("abcdefgh", "ijklmnop")
    for split, first in {"train": 0, "valid": 300, "test": 320}.items():
        texts = (" ".join(words[(i * k) % len(words)] for k in range(1, 2 + i % 5))
                 for i in range(first, first + (300 if split == "train" else 20)))
        (folder / f"{split}.tsv").write_text(
            "".join(f"{text}\t{text.translate(there)}\n" for text in texts), encoding="utf8")


class Bench(unittest.TestCase):
    def measured(self, *options):
        """What is printed, the rows, and the bars of the picture."""
        with tempfile.TemporaryDirectory() as folder:
            file, picture = Path(folder) / "rows.json", Path(folder) / "rows.svg"
            done = bench("--repetitions", "1", "--json", file, "--chart", picture, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            bars = [box for box in ElementTree.parse(picture).iter() if box.tag.endswith("rect")]
            return done, json.loads(file.read_text(encoding="utf8")), bars

    def test_rows(self):
        done, measured, bars = self.measured("--no-peer", "--rows", ",".join(CHOSEN))
        self.assertEqual([row["name"] for row in measured], CHOSEN[3:])
        self.assertEqual(len(bars), 1 + len(measured) + 1)  # background, bars, legend
        for row in measured:
            self.assertEqual(set(row), KEYS)
            self.assertGreater(row["ours_ms"], 0)
            self.assertGreater(row["gflops"], 0)
            self.assertGreater(row["peak_gflops"], 0)
            self.assertEqual([row["peer"], row["peer_ms"], row["ratio"]], [None] * 3)
            self.assertIn(f"\n{row['name']} ", done.stdout)
            self.assertRegex(done.stderr, rf"\nbench: {row['name']}: ours [\d.,]+ ms, of the peak")
        for limit in ("program trainer, stripped", "memory of a step, length 16",
                      "memory of a step, budget of "):
            self.assertIn(f"\n{limit}", done.stdout)

    def test_peers(self):
        """Those that happen to be installed agree with us; the others are named."""
        done, measured, _ = self.measured("--peers", "--no-install", "--rows",
                                          "forward_f32,forward_bf16,attention_8_bf16")
        missing = [peer.name for peer in frameworks.ALL
                   if f"{peer.name} is left out of forward_f32: " in done.stderr]
        beside = [row for row in measured if row["peer"] and row["name"] == "forward_f32"]
        self.assertEqual(len(missing) + len(beside), len(frameworks.ALL), done.stderr)
        self.assertIn("\nforward_f32 ", done.stdout)
        for row in measured:
            self.assertGreater(row["ours_ms"], 0)
            if row["peer"]:
                self.assertGreater(row["peer_ms"], 0)
                self.assertLess(row["difference"], row["tolerance"])
        if missing:
            self.skipTest("not installed: " + ", ".join(missing))

    def test_shapes(self):
        done, measured, _ = self.measured("--no-peer", "--shapes", "1x64_48,odd,random_1", "--seed",
                                         "7")
        kinds = ("f32",) if "rows of it are left out" in done.stderr else rows.TYPES
        self.assertEqual([row["name"] for row in measured],
                         [f"{function}_{shape}_{kind}" for shape in ("1x64_48", "odd", "random_1")
                          for function in ("forward", "step") for kind in kinds])
        self.assertIn("--seed 7", done.stdout)

    def test_machines_without_bf16(self):
        """They run rows of bf16 only if those are named."""
        selected = {row.name: row for row in rows.peer_rows(sizes.BASE)} | {"memory": None}
        with_bf16, slower, without = (Machine(200, bf16, 20) for bf16 in (400, 100, 0))
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            self.assertEqual(rows.worth_measuring(selected, with_bf16, named=None), selected)
            self.assertEqual(rows.worth_measuring(selected, without, named="step_bf16"), selected)
            self.assertEqual(printed.getvalue(), "")
            left = rows.worth_measuring(selected, without, named=None)
            self.assertEqual(left, rows.worth_measuring(selected, slower, named=None))
        self.assertEqual(list(left), [name for name in selected if not name.endswith("_bf16")])
        self.assertIn("no instructions for bf16", printed.getvalue())

    def test_drawn_shapes(self):
        """They depend on the seed alone, and are shapes that the model can have."""
        self.assertEqual(sizes.shapes(sizes.BASE, 1), sizes.shapes(sizes.BASE, 1))
        self.assertNotEqual(sizes.shapes(sizes.BASE, 1), sizes.shapes(sizes.BASE, 2))
        for seed in range(200):
            size = sizes.drawn(sizes.BASE, seed)
            self.assertEqual(size.width % (2 * size.heads), 0)
            self.assertLessEqual(size.batch * size.source, 2048)

    def test_results_that_disagree(self):
        row = rows.forward_row(sizes.TINY)
        self.assertTrue(rows.Result(row, 1).agrees())
        self.assertTrue(rows.Result(row, 1, difference=row.tolerance).agrees())
        for difference in (2 * row.tolerance, float("nan")):
            self.assertFalse(rows.Result(row, 1, difference=difference).agrees())

    def test_records(self):
        """Who is far from a record says why: the machine, the version, or that nobody knows."""
        row = rows.forward_row(sizes.BASE)

        def explained(gflops, peer="OpenVINO 2026.4.0", peak=480):
            return records.explanation(rows.Result(row, framework="OpenVINO", peer=peer, peak=peak,
                                                   peer_ms=row.flops / gflops * 1e-6))

        self.assertEqual(explained(407), "")
        self.assertEqual(explained(370, "OpenVINO 2027.1.0", 232), "")
        start = "forward_f32 of OpenVINO has 0.50 of its record: "
        self.assertEqual(explained(203.5, peak=246), start + "this machine's peak is 246 GFLOP/s, that "
                         "of the record's machine 492; of its own peak, each reached 1.00 times what "
                         "the other did")
        self.assertEqual(explained(468, peak=537), start.replace("0.50", "1.15")
                         + "this machine's peak is 537 GFLOP/s, that of the record's machine 492; of "
                         "its own peak, each reached 1.05 times what the other did")
        self.assertEqual(explained(814), start.replace("0.50", "2.00")
                         + "nothing that is known here explains it")
        self.assertEqual(explained(203.5, peak=0),
                         start + "this machine has no instructions for products of bf16")
        self.assertEqual(explained(203.5, "OpenVINO 2027.1.0"),
                         start + "this is version 2027.1, the record is of 2026.4")
        self.assertEqual(explained(203.5), start + "nothing that is known here explains it: look at "
                         "the peer's settings and at what else the machine runs")
        self.assertIsNone(records.of(rows.Result(row, framework="another")))

    def test_records_belong_to_rows(self):
        self.assertEqual(list(records.RECORDS), [peer.name for peer in frameworks.ALL])
        names = {row.name for row in rows.peer_rows(sizes.BASE)}
        for record in records.RECORDS.values():
            self.assertLessEqual(set(record.gflops), names)

    def test_table_of_records(self):
        """A line for each result with a record, whatever else was measured."""
        f32, bf16 = (rows.forward_row(sizes.BASE, kind) for kind in ("f32", "bf16"))
        results = [rows.Result(f32, 100, framework="JAX", peer="JAX 1.2", peer_ms=200, peak=480),
                   rows.Result(bf16, 100, framework="OpenVINO", peer="OpenVINO 2026.4.0", peer_ms=300,
                               peak=0),
                   rows.Result(f32, 100, framework="another", peer="another", peer_ms=100, peak=480),
                   rows.Result(f32, 100, peak=480)]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            records.show_records(results)
        lines = re.findall(r"^forward_\w+, .*", printed.getvalue(), re.MULTILINE)
        self.assertEqual([line.split("  ")[0] for line in lines],
                         ["forward_f32, JAX", "forward_bf16, OpenVINO"])
        self.assertIn("forward_bf16 of OpenVINO has ", printed.getvalue())
        with contextlib.redirect_stdout(io.StringIO()) as nothing:
            records.show_records(results[2:])
        self.assertEqual(nothing.getvalue(), "")

    def test_fusions(self):
        """A table for each type of products, with a line for each optimization."""
        before, after = fusions.around_tables()
        self.assertTrue(before and after)
        done = bench("--fusions", "--repetitions", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        tables = [re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
                  for table in done.stdout.split("The translation model")[1:]]
        self.assertIn(len(tables), (1, 2))
        for names in tables:
            self.assertEqual(names, tables[0])
            self.assertIn("fuse-epilogues", names)
        self.assertEqual(fusions.around_tables(), (before, after))

    def test_turns(self):
        """Two programs write down when they run: others run meanwhile only between turns."""
        ticks = ("import time\nfor _ in range(100):\n"
                 "    print(time.monotonic(), flush=True)\n    time.sleep(0.01)")
        with Program([sys.executable, "-c", ticks]) as a, Program([sys.executable, "-c", ticks]) as b:
            run_in_turns([a, b], seconds=0.3)
            times = {program: list(map(float, program.output().split())) for program in (a, b)}
        order = [program for _, program in sorted((time, program) for program in times
                                                  for time in times[program])]
        switches = sum(before is not after for before, after in zip(order, order[1:]))
        self.assertEqual([len(found) for found in times.values()], [100, 100])
        self.assertGreater(switches, 1)
        self.assertLess(switches, 20)

    def test_a_program_that_fails(self):
        with Program([sys.executable, "-c", "exit(3)"]) as program:
            run_in_turns([program], seconds=1)
            with self.assertRaisesRegex(Failure, "ended with status 3"):
                program.output()

    def test_a_peer_that_ends_between_questions(self):
        with self.assertRaisesRegex(Failure, "ended with status 0 when asked: name"):
            with Child(["true"]) as peer:
                peer.process.wait()
                peer.ask("name")

    def trained(self, *options):
        """What a mode prints that trains on a small corpus."""
        with tempfile.TemporaryDirectory() as folder:
            write_corpus(Path(folder))
            done = bench("--data", folder, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout

    def test_quality(self):
        """Beside PyTorch where that is installed."""
        printed = self.trained("--quality", "0.02", "--no-install", "--precision", "f32")
        self.assertIn("0.02 minutes of training in f32", printed)
        perplexity, bleu, steps, tokens = printed.split("Axloom")[1].split()[:4]
        self.assertGreater(float(perplexity), 1)
        self.assertGreater(float(steps.replace(",", "")), 1)
        self.assertGreater(float(tokens.replace(",", "")), 1)
        if "PyTorch" not in printed:
            self.skipTest("PyTorch is not installed")
        self.assertRegex(printed, r"ours / theirs +[\d.]+ x +[+-][\d.]+ +[\d.]+ x +[\d.]+ x")

    def test_curves(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "curves.svg"
            printed = self.trained("--curves", "60", "--chart", picture)
            drawn = [line for line in ElementTree.parse(picture).iter()
                     if line.tag.endswith("polyline") and line.get("stroke") in svg.COLORS]
        means = {name: float(number) for name, number in
                 re.findall(r"^(f32|bf16) +([\d.]+)$", printed, re.MULTILINE)}
        self.assertEqual(len(drawn), 2 * len(means))
        self.assertEqual([len(line.get("points").split()) for line in drawn], [60] * len(drawn))
        if "bf16" in means:
            self.assertIn("relative difference", printed)
            self.assertAlmostEqual(means["bf16"] / means["f32"], 1, delta=curves.ASKED)

    def test_packing(self):
        printed = self.trained("--packing", "--precision", "f32", "--repetitions", "1")
        lines = re.findall(r"^(packed|padded, [a-z ]+?) +([\d,]+) +([\d.]+) % +([\d.]+) x", printed,
                           re.MULTILINE)
        self.assertEqual([name for name, *_ in lines], list(packing.KINDS))
        packed, *padded = (float(filled) for _, _, filled, _ in lines)
        self.assertEqual(packed, 100)
        self.assertLess(max(padded), 100)

    def test_unknown_row(self):
        done = bench("--no-peer", "--rows", "forward_f32,luck")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no row 'luck'; the rows are compile, ", done.stderr)

    def test_unknown_shape(self):
        done = bench("--no-peer", "--shapes", "round")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no shape 'round'; the shapes are 1x64_48, odd, random_0, ", done.stderr)


if __name__ == "__main__":
    unittest.main()
