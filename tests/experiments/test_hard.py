"""test_hard.py SOURCE PROGRAMS: a tiny version of `make hard`, without the packages from PyPI."""

import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, PROGRAMS = map(Path, sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "experiments" / "hard"))
import page  # noqa: E402
import rows  # noqa: E402

DATA_SET = ["n", "p", "k", "rho", "snr", "seed"]
COLUMNS = {
    "phase": [*DATA_SET, "method", "rss_over_truth", "found", "true_columns"],
    "settings": [*DATA_SET, "size", "rss", "true_rss", "seconds"],
    "lambdas": [*DATA_SET, "factor", "lambda", "table", "paper", "table_size", "paper_size"],
    "cv": [*DATA_SET, "method", "risk", "size"],
}


def phase_row(method, seed, ratio, common):
    cell = {"n": "50", "p": "99", "k": "3", "rho": "0", "snr": "5", "seed": str(seed)}
    found = str(int(ratio <= 1))
    return {
        **cell,
        "method": method,
        "rss_over_truth": str(ratio),
        "found": found,
        "true_columns": str(common),
    }


class Hard(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.output = Path(temporary.name)

    def run_tiny(self, *experiments):
        command = [sys.executable, SOURCE / "experiments" / "hard" / "run.py", "--tiny"]
        command += ["--no-packages", "--output", self.output, "--programs", PROGRAMS]
        return subprocess.run([*command, *experiments], check=False, capture_output=True, text=True)

    def rows(self, name):
        with open(self.output / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_all_experiments_give_tables_and_a_page(self):
        result = self.run_tiny()
        self.assertEqual(result.returncode, 0, result.stderr)
        for name, columns in COLUMNS.items():
            self.assertEqual(list(self.rows(name)[0]), columns, name)
        phase = self.rows("phase")
        self.assertEqual(len(phase), 2 * 2 * 2 * 3)
        for row in phase:
            self.assertLessEqual(int(row["true_columns"]), int(row["k"]))
            if row["true_columns"] == row["k"]:
                self.assertEqual(row["found"], "1")
                self.assertAlmostEqual(float(row["rss_over_truth"]), 1)
        losses = {}
        for row in self.rows("settings"):
            losses.setdefault(row["seed"], []).append(float(row["rss"]))
        for values in losses.values():
            self.assertEqual(len(values), 6)
            self.assertEqual(values, sorted(values, reverse=True))
        for row in self.rows("lambdas"):
            self.assertLessEqual(float(row["table"]), float(row["paper"]) * (1 + 1e-9))
        risks = {(row["seed"], row["method"]): float(row["risk"]) for row in self.rows("cv")}
        for seed in ("101", "102"):
            self.assertLess(risks[seed, "truth"], risks[seed, "lasso"])
        text = (self.output / "README.md").read_text()
        for part in ("## The phase diagram", "## The hard settings", "## Cross-validation"):
            self.assertIn(part, text)
        self.assertNotIn("nan", text)

    def test_one_experiment_alone(self):
        result = self.run_tiny("phase")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("settings has not been run", (self.output / "README.md").read_text())
        self.assertNotEqual(self.run_tiny("phases").returncode, 0)

    def test_a_cell_is_beyond_the_limit_where_another_support_fits_better_in_half(self):
        cell = ("0", "5", "3")
        once = [phase_row("lass0", 1, 0.9, 1), phase_row("lass0", 2, 1, 3)]
        self.assertEqual(rows.beyond_the_limit(once), {cell})
        never = [*once[1:], phase_row("forward", 1, 1.5, 0)]
        self.assertEqual(rows.beyond_the_limit(never), set())
        self.assertIn("| lass0 | 0 of 0 | 2 of 2 |", page.phase_page(once))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
