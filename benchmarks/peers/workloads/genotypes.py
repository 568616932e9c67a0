"""Genotypes of 1814 mice at 10346 markers, coded 0, 1, 2: long runs of nearly equal columns. The
target is simulated, so that the truth is known."""

import gzip

import numpy as np

from .. import environment
from ..simulate import coefficients, write_linear

TITLE = "Genotypes: 1814 x 10346"
ABOUT = (
    "mice, coded 0, 1, 2; the target is simulated from 20 markers, signal to noise 1, no two of "
    "them equal to any other marker; the "
    "test error is for fresh noise on the same animals"
)
COMPARISONS = ["lasso_path", "l0_table", "l0_lambda", "cross_validation"]

SNR, TRUE = 1, 20


def datasets(quick):
    file = environment.PAPER_DATA / "mice_genotypes.npy.gz"
    if not file.exists():
        raise FileNotFoundError(
            f"{file.name} is not in the data folder; set LASS0_DATA to the folder that has it"
        )
    return {"genotypes": lambda folder: write(folder, file, quick)}


def write(folder, file, quick):
    with gzip.open(file) as stream:
        X = np.load(stream)
    if quick:
        X = X[:200, ::30]
    random = np.random.default_rng(1)
    _, inverse, counts = np.unique(X, axis=1, return_inverse=True, return_counts=True)
    alone = np.flatnonzero((counts[inverse.ravel()] == 1) & (X.std(axis=0) > 0))
    beta = np.zeros(X.shape[1])
    beta[alone] = coefficients(random, len(alone), TRUE)
    X = X.astype(float)
    write_linear(folder, random, X, X, beta, SNR, seed=1)
