"""Random data whose true columns are known."""

import numpy as np

from . import dataset

TEST_ROWS = 2000


def coefficients(random, p, k, smallest=0.5):
    """k columns spread at random, of size `smallest` to 1 and either sign."""
    beta = np.zeros(p)
    support = random.choice(p, k, replace=False)
    beta[support] = random.choice([-1.0, 1.0], k) * random.uniform(smallest, 1, k)
    return beta


def ar1_rows(random, n, p, rho):
    """Normal columns; those at distance d have correlation rho^d."""
    X = random.standard_normal((p, n)).T  # column-major
    for j in range(1, p):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
    return X


def write_ar1(folder, *, n, p, k, rho, snr, seed=1, smallest=0.5, **meta):
    random = np.random.default_rng(seed)
    beta = coefficients(random, p, k, smallest)
    X = ar1_rows(random, n, p, rho)
    X_test = ar1_rows(random, TEST_ROWS, p, rho)
    write_linear(folder, random, X, X_test, beta, snr, seed=seed, **meta)


def write_sparse(folder, *, n, p, k, density, snr, seed=1, **meta):
    """Non-zeros are normal and fall at random; the true columns are among those that have some."""
    from scipy import sparse

    random = np.random.default_rng(seed)

    def rows(count):
        return sparse.random(
            count,
            p,
            density=density,
            format="csc",
            random_state=random,
            data_rvs=random.standard_normal,
        )

    X, X_test = rows(n), rows(TEST_ROWS)
    beta = np.zeros(p)
    used = np.flatnonzero(np.diff(X.indptr))
    beta[used] = coefficients(random, len(used), k)
    write_linear(folder, random, X, X_test, beta, snr, seed=seed, **meta)


def write_logistic(folder, *, n, p, k, rho, snr, max_k, seed=1, **meta):
    """Columns as write_ar1; y is 1 with the log odds X beta, whose variance is snr."""
    random = np.random.default_rng(seed)
    beta = coefficients(random, p, k)
    X, X_test = ar1_rows(random, n, p, rho), ar1_rows(random, TEST_ROWS, p, rho)
    beta *= np.sqrt(snr / (X @ beta).var())

    def draw(rows):
        return (random.uniform(size=len(rows)) < 1 / (1 + np.exp(-rows @ beta))).astype(float)

    y, y_test = draw(X), draw(X_test)
    dataset.write(
        folder,
        X,
        y,
        truth=np.flatnonzero(beta),
        test=(X_test, y_test),
        max_k=max_k,
        seed=seed,
        family="binomial",
        # Of the probabilities that the classes are drawn with, on the test rows.
        true_deviance=2 * float(np.logaddexp(0, (1 - 2 * y_test) * (X_test @ beta)).mean()),
        **meta,
    )


def write_linear(folder, random, X, X_test, beta, snr, seed, **meta):
    """y = X beta / s + noise, s the deviations of the columns: an effect of 1 means the same for
    every column."""
    mean, scale = dataset.moments(X)
    raw = np.divide(beta, scale, out=np.zeros_like(beta), where=scale > 0)
    signal = X @ raw
    noise = float(np.sqrt(signal.var() / snr))
    y = signal + noise * random.standard_normal(len(signal))
    y_test = X_test @ raw + noise * random.standard_normal(X_test.shape[0])
    dataset.write(
        folder,
        X,
        y,
        truth=np.flatnonzero(beta),
        noise=noise,
        test=(X_test, y_test),
        seed=seed,
        **meta,
    )
