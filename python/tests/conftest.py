import signal

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")


def make_data(seed=0, n=80, p=12, k=4, noise=0.5, rho=0.5):
    """Correlated columns, of which the first k matter; in no special order."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    X = np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.normal(size=(n, p))
    beta = np.zeros(p)
    beta[rng.permutation(p)[:k]] = rng.uniform(0.5, 1.5, k) * rng.choice([-1, 1], k)
    y = 3 + X @ beta + noise * rng.normal(size=n)
    return np.asfortranarray(X), y


def make_classes(seed=0, n=150, p=10, k=3, shift=0.0):
    """Correlated columns, of which k change the log-odds of 1 against 0; they do not separate the two."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    X = np.sqrt(0.3) * common + np.sqrt(0.7) * rng.normal(size=(n, p))
    beta = np.zeros(p)
    beta[rng.permutation(p)[:k]] = rng.uniform(0.8, 1.5, k) * rng.choice([-1, 1], k)
    y = (rng.uniform(size=n) < 1 / (1 + np.exp(-(shift + X @ beta)))).astype(int)
    return np.asfortranarray(X), y


@pytest.fixture(autouse=True)
def ctrl_c_works():
    """A shell starts what it runs in the background with SIGINT ignored, and Python leaves it so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def data():
    return make_data()


@pytest.fixture(scope="session")
def diabetes():
    from sklearn.datasets import load_diabetes

    return load_diabetes(return_X_y=True, as_frame=True)
