"""Plots draw what they say."""

import numpy as np
import pytest

import lass0
from lass0 import Lass0, Lass0CV, LassoPath


@pytest.fixture(autouse=True)
def close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_path_by_size_and_lambda(diabetes):
    table = lass0.path(*diabetes)
    ax = lass0.plot_path(table)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), table.rss)
    assert ax.get_xlabel() and ax.get_ylabel()
    ax = lass0.plot_path(table, over="lambda")
    selected = int(np.sum(~np.isnan(table.lambda_min)))
    assert len(ax.lines) == selected and ax.get_xscale() == "log"
    ax = lass0.plot_path(table, show="coef")
    assert len(ax.lines) == 1 + 10
    assert lass0.plot_path(table, show="coef", over="lambda").get_legend() is not None
    assert lass0.plot_path(Lass0(k=3).fit(*diabetes), ax=ax) is ax


def test_cv_curve(diabetes):
    for model in (Lass0CV(), Lass0CV(tune="k", rule="1se"), Lass0CV(ridge="auto")):
        ax = lass0.plot_cv(model.fit(*diabetes))
        labels = " ".join(text.get_text() for text in ax.get_legend().get_texts())
        assert labels.count("(chosen)") >= 1


def test_support_and_alternatives(diabetes):
    table = lass0.path(*diabetes)
    ax = lass0.plot_support(table)
    assert [text.get_text() for text in ax.get_yticklabels()][:3] == ["bmi", "s5", "bp"]
    model = Lass0(k=3).fit(*diabetes)
    ax = lass0.plot_alternatives(model)
    assert len(ax.patches) == 9


def test_names_of_many_columns_do_not_overlap():
    import matplotlib.pyplot as plt

    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 300))
    table = lass0.path(X, X[:, :5].sum(axis=1) + rng.normal(size=100))
    for ax in (plt.subplots()[1], None):
        ax = lass0.plot_support(table, ax=ax)
        ax.figure.canvas.draw()
        boxes = [text.get_window_extent() for text in ax.get_yticklabels()]
        assert len(boxes) > 5
        assert all(below.y1 <= above.y0 + 2 for above, below in zip(boxes, boxes[1:]))


def test_what_can_not_be_drawn_is_refused(diabetes):
    with pytest.raises(ValueError, match="no table"):
        lass0.plot_path(Lass0(lambda0=1.0, start="empty").fit(*diabetes))
    with pytest.raises(ValueError, match="no coefficients"):
        lass0.plot_path(Lass0(k=2).fit(*diabetes), show="coef")
    with pytest.raises(ValueError, match="no model of this table has a column"):
        lass0.plot_support(lass0.path(diabetes[0], np.ones(442)))
    with pytest.raises(ValueError, match="over must be"):
        lass0.plot_path(lass0.path(*diabetes), over="alpha")
    with pytest.raises(ValueError, match="no list of stand-ins"):
        lass0.plot_alternatives(Lass0(k=0).fit(*diabetes))
    assert not hasattr(LassoPath(), "table_")
