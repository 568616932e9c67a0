"""What the documentation shows is what happens. (Its >>> examples are doctests of their own: pyproject.toml.)"""

import runpy
from pathlib import Path

import pytest
import readme

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def test_the_readme():
    readme.check()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_and_draw(example, monkeypatch):
    import matplotlib.pyplot as plt

    drawn = []
    monkeypatch.setattr(plt, "show", lambda: drawn.extend(plt.get_fignums()))
    runpy.run_path(str(example))
    plt.close("all")
    assert drawn
