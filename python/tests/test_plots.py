"""Plots draw what they say."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

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
    with pytest.raises(ValueError, match="no model of this table has a column"):
        lass0.plot_support(lass0.path(diabetes[0], np.ones(442)))
    with pytest.raises(ValueError, match="over must be"):
        lass0.plot_path(lass0.path(*diabetes), over="alpha")
    with pytest.raises(ValueError, match="no list of stand-ins"):
        lass0.plot_alternatives(Lass0(k=0).fit(*diabetes))
    with pytest.raises(ValueError, match="over='lambda' with show='coef'"):
        lass0.plot_path(LassoPath().fit(*diabetes), over="k")
    with pytest.raises(NotFittedError):
        lass0.plot_cv(Lass0CV())


def test_each_plot_says_what_it_takes(diabetes):
    table, model, lasso = (
        lass0.path(*diabetes),
        Lass0(k=3).fit(*diabetes),
        LassoPath().fit(*diabetes),
    )
    for plot, sources in (
        (lass0.plot_cv, (model, lasso, table, diabetes[0])),
        (lass0.plot_path, (diabetes[0], None)),
        (lass0.plot_support, (lasso, diabetes[0])),
        (lass0.plot_alternatives, (lasso, table, diabetes[0])),
    ):
        for source in sources:
            with pytest.raises(
                TypeError, match=f"{plot.__name__} takes .*, not {type(source).__name__}"
            ):
                plot(source)


def test_the_path_of_the_lasso(diabetes):
    lasso = LassoPath().fit(*diabetes)
    ax = lass0.plot_path(lasso)
    assert ax.get_xscale() == "log" and "Lasso" in ax.get_xlabel()
    lines = {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}
    assert set(lines) == set(diabetes[0].columns)
    np.testing.assert_array_equal(lines["bmi"].get_xdata(), lasso.lambdas_)
    np.testing.assert_array_equal(lines["bmi"].get_ydata(), lasso.coefs_[2])


def test_the_coefficients_of_a_fitted_table(diabetes):
    ax = lass0.plot_path(Lass0CV().fit(*diabetes), show="coef")
    assert len(ax.lines) == 1 + 10


def test_alternatives_with_a_ridge_are_a_share_of_the_loss(diabetes):
    model = Lass0(k=3, ridge=50.0).fit(*diabetes)
    ax = lass0.plot_alternatives(model)
    shares = [100 * one.rss_increase / model.loss_ for one in model.alternatives_]
    for bar in ax.patches:
        assert min(abs(bar.get_width() - share) for share in shares) < 1e-9
    assert "loss" in ax.get_xlabel()
