"""Data that the engines cut up, and what one machine makes of them. Everything binds to the loopback interface alone."""

import os
import sys

import numpy as np
import pandas as pd
import pytest

os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable


def make_frame(n=6000, p=8):
    """Columns of mean 1e8 and standard deviation 1 among others, weights, IDs, sites and colours."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, p)) + 0.5 * rng.normal(size=(n, 1))
    X[:, :2] += 1e8
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(p)])
    signal = X[:, 0] - X[:, 0].mean() + 0.8 * X[:, 3] - 0.6 * X[:, 5]
    frame["y"] = 2 + signal + rng.normal(size=n)
    frame["w"] = rng.integers(0, 4, n)
    frame["customer"] = [f"customer {j // 3}" for j in range(n)]
    frame["site"] = [f"site {j % 7}" for j in range(n)]
    frame["colour"] = np.array(["red", "green", "blue"])[rng.integers(0, 3, n)]
    return frame


@pytest.fixture(scope="session")
def frame():
    return make_frame()


TEXTS = ["customer", "site", "colour"]
# Ways to ask for folds and columns; the text columns that are not used are excluded.
ASKED = {
    "a fold column": {"fold_column": "site", "exclude": ["customer", "colour", "w"]},
    "an ID": {"id_column": "customer", "folds": 5, "exclude": ["site", "colour", "w"]},
    "one fold": {"folds": 1, "exclude": ["w", *TEXTS]},
    "weights and levels": {
        "id_column": "customer",
        "weights": "w",
        "levels": {"colour": ["blue", "green", "red"]},
        "exclude": ["site"],
    },
}


def same(found, expected):
    """To 1e-9, in units of the standard deviations of the columns, whatever their means."""
    assert (found.n, found.names, found.target) == (expected.n, expected.names, expected.target)
    assert found.folds == expected.folds
    ours, theirs = sums_of(found), sums_of(expected)
    if found.folds == 1:  # its label is that of the column, if there is one
        ours, theirs = ({"all": one} for sums in (ours, theirs) for one in sums.values())
    assert ours.keys() == theirs.keys()
    for fold, (weight, mean, cross) in theirs.items():
        scale = np.sqrt(np.diag(cross) / weight)
        np.testing.assert_allclose(ours[fold][0], weight, rtol=1e-12)
        # A mean of 1e8 has no more digits than these.
        assert (np.abs(ours[fold][1] - mean) <= 1e-9 * scale + 1e-15 * np.abs(mean)).all()
        np.testing.assert_allclose(
            ours[fold][2] / np.outer(scale, scale) / weight,
            cross / np.outer(scale, scale) / weight,
            rtol=0,
            atol=1e-9,
        )


def sums_of(moments):
    """Weight, means, and sums of squares and products about them, of every fold: read from the bytes (src/io/moments_file.cpp)."""
    import json

    content = moments.to_bytes()
    size = int.from_bytes(content[12:20], "little")
    header = json.loads(content[20 : 20 + size])
    q = len(header["columns"]) + 1
    values = np.frombuffer(content[20 + size : -4], dtype="<f8")
    centre, values = values[:q], values[q:]
    each = 2 + q + q * (q + 1) // 2
    result = {}
    for f in range(header["folds"]):
        mine = values[f * each : (f + 1) * each]
        cross = np.zeros((q, q))
        cross.T[np.triu_indices(q)] = mine[2 + q :]
        cross = cross + np.tril(cross, -1).T
        label = header["labels"][f] if header["labels"] else f
        result[label] = (mine[1], centre + mine[2 : 2 + q], cross)
    return result
