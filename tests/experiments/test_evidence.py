"""test_evidence.py SOURCE PROGRAMS: a tiny version of `make evidence`."""

import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, PROGRAMS = map(Path, sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "experiments" / "evidence"))
import page  # noqa: E402


class Evidence(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.output = Path(temporary.name)

    def run_tiny(self, *experiments):
        command = [sys.executable, SOURCE / "experiments" / "evidence" / "run.py", "--tiny"]
        command += ["--output", self.output, "--programs", PROGRAMS]
        return subprocess.run([*command, *experiments], check=False, capture_output=True, text=True)

    def rows(self, name):
        with open(self.output / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_both_experiments_give_tables_and_a_page(self):
        result = self.run_tiny()
        self.assertEqual(result.returncode, 0, result.stderr)
        for row in self.rows("intervals"):
            self.assertGreater(int(row["inside"]), 60)
            self.assertLessEqual(int(row["inside"]), int(row["new_rows"]))
            self.assertGreater(float(row["mean_width"]), 0)
        for row in self.rows("p_values"):
            self.assertLessEqual(int(row["true_columns"]), 3)
            below = float(row["lowest_false_p_value"]) <= 0.05
            self.assertEqual(int(row["false_columns"]) > 0, below)
        text = (self.output / "README.md").read_text()
        self.assertIn("## Prediction intervals", text)
        self.assertIn("## Split-sample p-values", text)
        self.assertNotIn("nan", text)

    def test_one_experiment_alone(self):
        result = self.run_tiny("p_values")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("intervals has not been run", (self.output / "README.md").read_text())
        self.assertNotEqual(self.run_tiny("p-values").returncode, 0)

    def test_the_page_counts_data_sets_and_rows(self):
        row = {"n": "9", "p": "2", "k": "2", "rho": "0", "snr": "2"}
        groups = {
            ("9", "2", "2", "0", "2"): [
                {**row, "true_columns": "1", "false_columns": "3"},
                {**row, "true_columns": "2", "false_columns": "0"},
            ]
        }
        self.assertIn("| 9 | 2 | 0 | 1 of 2 | 75 % |", page.p_values_page(groups))
        shares = [{"inside": "8", "new_rows": "10"}, {"inside": "10", "new_rows": "10"}]
        share, error = page.coverage(shares)
        self.assertAlmostEqual(share, 0.9)
        self.assertAlmostEqual(error, 0.1)

    # The results that docs/evidence.md quotes.
    def test_the_stored_results_keep_their_promise(self):
        folder = SOURCE / "experiments" / "evidence" / "results"
        if not (folder / "README.md").exists():
            self.skipTest("make evidence has not been run")
        cells = page.read(folder, "intervals")
        self.assertEqual(len(cells), 8)
        for setting, rows in cells.items():
            self.assertGreaterEqual(sum(int(row["new_rows"]) for row in rows), 2000)
            share, _ = page.coverage(rows)
            self.assertGreaterEqual(share, 0.88, setting)
            self.assertLessEqual(share, 0.96, setting)
        cells = page.read(folder, "p_values")
        self.assertEqual(len(cells), 8)
        for setting, rows in cells.items():
            errors = sum(int(row["false_columns"]) > 0 for row in rows)
            # More than 10 of 100 has a probability of 1 % where the truth is 5 %.
            self.assertLessEqual(errors, 0.1 * len(rows), setting)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
