"""The benchmark at a size that means nothing: rows of each kind run, and JSON is as described."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import fusions
import sizes
import workloads

BENCH = Path(__file__).resolve().parent / "bench.py"
KEYS = {"name", "ours_ms", "peer", "peer_ms", "ratio", "gflops", "peak_gflops"}
CHOSEN = ["programs", "memory", "step_memory", "forward_f32", "step_f32", "decode_1_f32",
          "causal_attention_8_gradient_f32", *(row.name for row in workloads.rows(sizes.TINY))]


def bench(*options):
    command = [sys.executable, BENCH, "--build", os.environ["AXLOOM_BUILD"], "--tiny", "--no-peer",
               *options]
    return subprocess.run(command, capture_output=True, text=True)


class Bench(unittest.TestCase):
    def test_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.json"
            done = bench("--repetitions", "1", "--json", file, "--rows", ",".join(CHOSEN))
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = json.loads(file.read_text(encoding="utf8"))
        self.assertEqual([row["name"] for row in rows], CHOSEN[3:])
        for row in rows:
            self.assertEqual(set(row), KEYS)
            self.assertGreater(row["ours_ms"], 0)
            self.assertGreater(row["gflops"], 0)
            self.assertGreater(row["peak_gflops"], 0)
            self.assertEqual([row["peer"], row["peer_ms"], row["ratio"]], [None] * 3)
            self.assertIn(f"\n{row['name']} ", done.stdout)
        for limit in ("program trainer, stripped", "memory of a step, length 16",
                      "memory of a step, budget of "):
            self.assertIn(f"\n{limit}", done.stdout)

    def test_place_of_the_fusions(self):
        before, after = fusions.around_table()
        self.assertTrue(before and after)

    def test_unknown_row(self):
        done = bench("--rows", "forward_f32,luck")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no row 'luck'; the rows are compile, ", done.stderr)


if __name__ == "__main__":
    unittest.main()
