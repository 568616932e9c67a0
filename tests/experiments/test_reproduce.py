"""test_reproduce.py SOURCE LASS0 LASS0_PAPER: a tiny version of `make reproduce`, on made-up data under the names of the
paper's."""

import csv
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, LASS0, LASS0_PAPER = map(Path, sys.argv[1:4])
sys.path.insert(0, str(SOURCE / "experiments" / "paper"))
import page  # noqa: E402


class Reproduce(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.data = self.folder / "data"
        self.output = self.folder / "results"

    def make_data(self):
        self.data.mkdir()
        for name, seed in (("pyrimidines", 1), ("stocks", 2)):
            path = self.data / f"{name}.csv"
            shape = ["--n", "40", "--p", "6", "--k", "2", "--seed", str(seed)]
            subprocess.run([LASS0, "simulate", *shape, "--output", path], check=True)
            first, rest = path.read_text().split("\n", 1)
            path.write_text(first.removesuffix("y") + "target\n" + rest)

    def run_tiny(self, *arguments):
        command = [sys.executable, SOURCE / "experiments" / "paper" / "run.py"]
        command += ["--tiny", "--no-figures", "--output", self.output, "--program", LASS0_PAPER]
        return subprocess.run(
            [*command, *arguments],
            env={**os.environ, "LASS0_DATA": str(self.data)},
            check=False,
            capture_output=True,
            text=True,
        )

    def rows(self, name):
        with open(self.output / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_all_experiments_give_tables_and_a_page(self):
        self.make_data()
        result = self.run_tiny()
        self.assertEqual(result.returncode, 0, result.stderr)
        table1 = self.rows("table1")
        self.assertEqual({row["data"] for row in table1}, {"pyrimidines", "stocks"})
        # Four methods, and two and one more in other units; two rules; three folds.
        self.assertEqual(len(table1), 2 * (4 + 2 + 1) * 2 * 3)
        figure1 = self.rows("figure1")
        self.assertEqual(len(figure1), 2 * 1 * 2 * 3 * 2)
        for row in figure1:
            self.assertGreaterEqual(float(row["hamming"]), 0)
            self.assertLessEqual(float(row["hamming"]), 30)
        htt = self.rows("htt")
        self.assertEqual(len(htt), 4 * 1 * 2 * 2 * 5)
        for row in htt:
            self.assertGreaterEqual(float(row["relative_test_error"]), 1)
            self.assertLess(float(row["pve"]), 1)
            # The null model has relative risk 1: being tuned, none is far above it.
            self.assertLess(float(row["relative_risk"]), 2.5)
        # Four methods by three rules.
        self.assertEqual(len(self.rows("htt_cv")), 4 * 1 * 2 * 4 * 3)
        self.assertEqual(len(self.rows("choice")), 2 * 4 * 3 * 3)
        nothing = self.rows("nothing")
        self.assertEqual(len(nothing), 2 * 4 * 4 * 3)
        for row in nothing:
            self.assertLessEqual(int(row["size"]), 6)
        for row in self.rows("optimum"):
            self.assertEqual(row["status"], "proven_optimal")
            self.assertGreaterEqual(float(row["objective"]), float(row["lower_bound"]) * (1 - 1e-9))
            if row["method"] == "lass0":
                self.assertLessEqual(float(row["objective"]), float(row["lower_bound"]) * 1.05)
        text = (self.output / "README.md").read_text()
        for part in ("## Table 1", "## Figure 1", "## The grid", "nothing to find", "proven optimum", "101.4 ± 47.5"):
            self.assertIn(part, text)
        self.assertNotIn("nan", text)

    def test_the_same_again_is_the_same(self):
        self.assertEqual(self.run_tiny("figure1", "htt").returncode, 0)
        first = [self.rows("figure1"), self.rows("htt")]
        self.assertEqual(self.run_tiny("figure1", "htt").returncode, 0)
        self.assertEqual([self.rows("figure1"), self.rows("htt")], first)

    def test_missing_data_are_said_and_the_rest_is_done(self):
        result = self.run_tiny("table1", "figure1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("LASS0_DATA", result.stderr)
        self.assertIn("table1 has not been run", (self.output / "README.md").read_text())
        self.data.mkdir()  # a folder without them
        result = self.run_tiny("table1")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("none of the paper's data sets is in", result.stderr)

    def test_near_the_lowest_is_within_two_percent(self):
        def row(method, error):
            cell = {"setting": "low", "type": "1", "rho": "0", "snr": "6", "seed": "1"}
            measures = {"relative_risk": "1", "pve": "0", "size": "1"}
            return {**cell, **measures, "method": method, "relative_test_error": str(error)}

        errors = {"lasso": 1.0, "relaxed": 1.019, "forward": 1.021, "lass0": 2, "lass0-ridge": 0.5}
        text = page.htt_page([row(method, error) for method, error in errors.items()])
        near = {m: f"| {m} | 1 of 1 (100 %)" in text for m in errors}
        expected = {"lasso": True, "relaxed": True, "forward": False}
        self.assertEqual(near, {**expected, "lass0": False, "lass0-ridge": True})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
