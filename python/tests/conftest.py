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
