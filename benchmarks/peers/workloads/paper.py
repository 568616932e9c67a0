"""The paper's data sets with up to 40 columns that vary: small enough for an exhaustive search."""

import csv
import gzip

import numpy as np
from scipy.linalg import qr

from .. import dataset, environment

TITLE = "The paper's small data sets"
ABOUT = "real data with up to 40 columns that vary; constant and dependent columns are removed for every rival"
COMPARISONS = ["exhaustive"]

FILES = [
    "stocks.csv",
    "pyrimidines.csv",
    "pole.csv.gz",
    "bank32nh.csv.gz",
    "puma32h.csv.gz",
    "breast_cancer.csv",
    "ailerons.csv.gz",
]


def datasets(quick):
    folder = environment.PAPER_DATA
    missing = [name for name in FILES if not (folder / name).exists()]
    if missing:
        raise FileNotFoundError(
            f"{', '.join(missing)} not in the data folder; set LASS0_DATA to the folder that has "
            "the paper's data"
        )
    return {
        name.split(".")[0]: lambda target, name=name: write(target, folder / name)
        for name in (FILES[:2] if quick else FILES)
    }


def write(folder, file):
    with (gzip.open if file.suffix == ".gz" else open)(file, "rt", newline="") as stream:
        rows = list(csv.reader(stream))
    values = np.array(rows[1:], dtype=float)
    X, y = values[:, :-1], values[:, -1]
    X = X[:, independent(X)]
    dataset.write(folder, X, y, max_k=X.shape[1], title=file.name.split(".")[0])


def independent(X):
    """Columns, in order, of which none is constant or a combination of the others."""
    scale = X.std(axis=0)
    varying = np.flatnonzero(scale > 1e-12 * np.abs(X).max(axis=0))
    Z = (X[:, varying] - X[:, varying].mean(axis=0)) / scale[varying]
    _, R, order = qr(Z, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    return varying[np.sort(order[: np.count_nonzero(size > 1e-8 * size[0])])]
