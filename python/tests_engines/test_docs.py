"""The README's examples with Dask and Spark print what it shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```\s+```text\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("engine", ["dask", "spark"])
def test_the_example_of_the_readme(engine, tmp_path):
    [(code, shown)] = [one for one in EXAMPLES if f"import lass0.{engine}\n" in one[0]]
    (tmp_path / "example.py").write_text(code)
    run = subprocess.run(
        [sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert run.stdout == shown, run.stderr
