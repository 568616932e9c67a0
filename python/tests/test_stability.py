"""stability: frequencies over random halves."""

import json
import pickle

import numpy as np
import pytest
from conftest import make_data

import lass0
from lass0 import Lass0CV


@pytest.fixture(autouse=True)
def close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_frequencies_have_one_value_per_column_and_sum_to_the_mean_size():
    X, y = make_data(n=100, p=12, k=4)
    found = lass0.stability(X, y, k=4, pairs=10)
    assert found.frequencies.shape == (12,)
    assert found.frequencies.sum() == pytest.approx(4)
    assert found.mean_size == pytest.approx(4)
    assert np.all(np.diff(found.frequencies[found.order]) <= 0)
    np.testing.assert_array_equal(
        np.sort(found.stable), np.flatnonzero(found.frequencies >= found.threshold)
    )
    assert found.pairs == found.pairs_done == 10
    assert found.expected_low_probability == pytest.approx(16 / 12 / 0.8)
    assert 0 < found.expected_low_probability_r_concave <= found.expected_low_probability
    assert found.status == "local_optimum" and found.seconds > 0


def test_a_strong_signal_is_stable_and_noise_is_not():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 30))
    y = 3 * X[:, 5] - 2 * X[:, 20] + rng.normal(size=200)
    assert set(lass0.stability(X, y, k=2).stable) == {5, 20}
    assert lass0.stability(X, rng.normal(size=200), k=2).stable.size == 0


def test_without_k_it_is_that_of_cross_validation():
    X, y = make_data(n=100, p=10, k=3)
    found = lass0.stability(X, y, pairs=5, random_state=4)
    chosen = Lass0CV(tune="k", random_state=4).fit(X, y)
    assert found.by_cross_validation and found.k == chosen.k_
    given = lass0.stability(X, y, k=found.k, ridge=found.ridge, pairs=5, random_state=4)
    assert not given.by_cross_validation
    np.testing.assert_array_equal(found.frequencies, given.frequencies)


def test_every_parameter_has_an_effect():
    X, y = make_data(n=60, p=8, k=4, noise=3.0, rho=0.8)
    plain = lass0.stability(X, y, k=3, pairs=8).frequencies
    np.testing.assert_array_equal(plain, lass0.stability(X, y, k=3, pairs=8, n_jobs=2).frequencies)
    weights = np.arange(60) % 3
    for changed in (
        {"k": 2},
        {"k": None, "lambda0": 30.0},
        {"pairs": 9},
        {"random_state": 2},
        {"ridge": 500.0},
        {"fit_intercept": False},
        {"signs": "+"},
        {"sample_weight": weights},
    ):
        other = lass0.stability(X, y, **({"k": 3, "pairs": 8} | changed)).frequencies
        assert not np.array_equal(plain, other), changed
    found = lass0.stability(X, y, k=3, pairs=8, threshold=0.51)
    np.testing.assert_array_equal(np.sort(found.stable), np.flatnonzero(plain >= 0.51))


def test_included_and_excluded_columns_have_no_frequency():
    pd = pytest.importorskip("pandas")
    X, y = make_data(n=80, p=8, k=4)
    X = pd.DataFrame(X, columns=list("abcdefgh"))
    found = lass0.stability(X, y, k=2, pairs=5, include=["b"], exclude=["e"])
    assert np.isnan(found.frequencies[[1, 4]]).all()
    assert np.isfinite(np.delete(found.frequencies, [1, 4])).all()
    series = found.to_pandas()
    assert len(series) == 6 and "b" not in series.index and "e" not in series.index
    assert series.is_monotonic_decreasing
    assert series[found.names(found.order)[0]] == found.frequencies[found.order[0]]
    parsed = json.loads(found.to_json())
    assert [one["name"] for one in parsed["columns"]] == found.names(found.order)
    assert parsed["include"] == ["b"]
    assert str(found.names(found.order)[0]) in repr(found)


def test_a_stopped_run_says_how_many_pairs_it_has():
    X, y = make_data(n=300, p=120, k=8)
    found = lass0.stability(X, y, k=8, pairs=1000, time_limit=2)
    assert found.status == "time_limit"
    assert 1 <= found.pairs_done < found.pairs == 1000
    with pytest.raises(ValueError, match="allow more time"):
        lass0.stability(X, y, k=8, time_limit=0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 2, "lambda0": 1.0}, "lambda0 and k exclude each other"),
        ({"k": -1}, "k is -1"),
        ({"k": 99}, "k is 99"),
        ({"k": 2, "threshold": 0.5}, "threshold is 0.5"),
        ({"k": 2, "pairs": 0}, "pairs is 0"),
        ({"k": 2, "effort": "some"}, "effort"),
        ({"k": 2, "random_state": -1}, "random_state"),
    ],
)
def test_bad_values_are_errors(parameters, message):
    X, y = make_data()
    with pytest.raises(ValueError, match=message):
        lass0.stability(X, y, **parameters)


def test_the_plot_has_a_bar_for_each_column_that_was_chosen():
    X, y = make_data(n=100, p=12, k=4)
    found = lass0.stability(X, y, k=4, pairs=10)
    ax = lass0.plot_stability(found)
    chosen = int(np.sum(found.frequencies > 0))
    assert len(ax.patches) == chosen
    np.testing.assert_allclose(
        [bar.get_width() for bar in ax.patches], np.sort(found.frequencies)[::-1][:chosen]
    )
    assert len(lass0.plot_stability(found, most=3).patches) == 3
    with pytest.raises(TypeError, match="takes the result of lass0.stability"):
        lass0.plot_stability(X)
    with pytest.raises(ValueError, match="nothing to draw"):
        lass0.plot_stability(lass0.stability(X, y, k=0, pairs=2))


def test_the_report_has_the_frequencies_and_pickles_leave_it_behind(tmp_path):
    X, y = make_data(n=100, p=12, k=4)
    found = lass0.stability(X, y, k=4, pairs=10, exclude=[0])
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.frequencies, found.frequencies)
    assert repr(again) == repr(found)
    with pytest.raises(ValueError, match="call lass0.stability again"):
        again.report(tmp_path / "page.html")
    try:
        found.report(tmp_path / "page.html", target="price")
    except ValueError as error:
        pytest.skip(str(error))  # built without the page
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '"kind":"stability"' in page and '"target":"price"' in page
    first = found.order[0]
    assert f'"name":"x{first}"' in page
    assert "k=4, pairs=10" in page
