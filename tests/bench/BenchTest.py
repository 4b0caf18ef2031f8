"""The benchmark at a size that means nothing: every row runs, and its JSON is as described."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parent / "bench.py"
KEYS = {"name", "ours_ms", "peer", "peer_ms", "ratio", "gflops", "peak_gflops"}


def bench(*options):
    command = [sys.executable, BENCH, "--build", os.environ["AXLOOM_BUILD"], "--tiny", "--no-peer",
               *options]
    return subprocess.run(command, capture_output=True, text=True)


class Bench(unittest.TestCase):
    def test_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.json"
            done = bench("--repetitions", "1", "--json", file)
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = json.loads(file.read_text(encoding="utf8"))
        names = [row["name"] for row in rows]
        self.assertEqual(names[:2], ["forward_f32", "step_f32"])
        for row in rows:
            self.assertEqual(set(row), KEYS)
            self.assertGreater(row["ours_ms"], 0)
            self.assertGreater(row["gflops"], 0)
            self.assertLess(row["gflops"], row["peak_gflops"])
            self.assertEqual([row["peer"], row["peer_ms"], row["ratio"]], [None] * 3)
            self.assertIn(f"\n{row['name']} ", done.stdout)

    def test_unknown_row(self):
        done = bench("--rows", "forward_f32,luck")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no row 'luck'; the rows are forward_f32, step_f32", done.stderr)


if __name__ == "__main__":
    unittest.main()
