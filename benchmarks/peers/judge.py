"""The judges: every number about an answer is computed here, by the same code for every rival, from
the data and the coefficients."""

import numpy as np
from scipy.linalg import lstsq, qr


def lasso_gaps(dataset, models):
    """Of each point of a Lasso path: duality gap and objective, over 1/2 y'y, with the best
    intercept for its coefficients.

    The dual point is the centred residual, scaled to be feasible and then to the best such length.
    """
    X, y = dataset.X, dataset.y
    points = sorted(models)
    residuals = np.empty((dataset.n, len(points)), order="F")
    norms = np.empty(len(points))
    for i, point in enumerate(points):
        columns, values = list(models[point]), np.array(list(models[point].values()))
        fitted = X[:, columns] @ values if columns else np.zeros(dataset.n)
        residual = y - fitted
        residuals[:, i] = residual - residual.mean()
        norms[i] = np.abs(values).sum()
    largest = np.abs(X.T @ residuals).max(
        axis=0
    )  # residuals sum to zero, so the columns need not be centred
    lambdas = np.array(dataset.lambdas)[points]
    squares = (residuals**2).sum(axis=0)
    primal = squares / 2 + lambdas * norms
    limit = lambdas / np.maximum(largest, 1e-300)
    length = np.clip(y @ residuals / np.maximum(squares, 1e-300), -limit, limit)
    dual = length * (y @ residuals) - length**2 * squares / 2
    return (primal - dual) / (y @ y / 2), primal / (y @ y / 2)


class Refitter:
    """Least squares on any subset of a few columns, from one QR factorisation of all of them."""

    def __init__(self, dataset, supports):
        self.dataset = dataset
        self.columns = sorted(set().union(*supports))
        self.position = {column: i for i, column in enumerate(self.columns)}
        y = dataset.y - dataset.y.mean()
        if self.columns:
            Q, self.R = qr(dataset.columns(self.columns), mode="economic", check_finite=False)
            self.target = Q.T @ y
            self.rest = float(((y - Q @ self.target) ** 2).sum())
        else:
            self.R, self.target, self.rest = np.zeros((0, 0)), np.zeros(0), float(y @ y)
        self.known = {}

    def fit(self, support):
        """(RSS, coefficients) on a support, in its order."""
        key = tuple(sorted(support))
        if key not in self.known:
            self.known[key] = self.solve(key)
        return self.known[key]

    def solve(self, support):
        if not support:
            return self.rest + float(self.target @ self.target), {}
        R = self.R[:, [self.position[column] for column in support]]
        coefficients = lstsq(R, self.target, lapack_driver="gelsy", check_finite=False)[0]
        rss = self.rest + float(((self.target - R @ coefficients) ** 2).sum())
        return rss, dict(zip(support, coefficients))


def recovery(dataset, support):
    """True positives, false positives, and their Hamming distance to the truth."""
    truth, support = set(dataset.truth), set(support)
    return {
        "true": len(truth & support),
        "false": len(support - truth),
        "hamming": len(truth ^ support),
    }


def test_error(dataset, model):
    """Mean squared error on fresh rows, in units of the noise: 1 is the best there is."""
    columns, values = list(model), np.array(list(model.values()))
    X, y = dataset.test
    if not columns:
        return float((y**2).mean()) / dataset.noise**2
    intercept = float((dataset.y - dataset.X[:, columns] @ values).mean())
    return float(((y - intercept - X[:, columns] @ values) ** 2).mean()) / dataset.noise**2


class LogisticRefitter:
    """Logistic regression on any support, by Newton's method."""

    def __init__(self, dataset):
        self.dataset = dataset
        self.known = {}

    def loss(self, support):
        """The negative log-likelihood of the fit; None where there is no finite one (separation)."""
        key = tuple(sorted(support))
        if key not in self.known:
            X = np.column_stack([np.ones(self.dataset.n), self.dataset.columns(list(key))])
            fit = logistic_fit(X, self.dataset.y)
            self.known[key] = fit and fit[0]
        return self.known[key]


def logistic_fit(X, y, offset=0.0):
    """(negative log-likelihood, coefficients) by Newton's method; None where it does not end."""
    signs = 1 - 2 * y

    def value(b):
        return float(np.logaddexp(0, signs * (X @ b + offset)).sum())

    b = np.zeros(X.shape[1])
    lowest = value(b)
    for _ in range(50):
        probability = 1 / (1 + np.exp(-(X @ b + offset)))
        gradient = X.T @ (y - probability)
        curvature = X.T @ (X * (probability * (1 - probability))[:, None])
        step = lstsq(curvature, gradient, check_finite=False)[0]
        decrement = float(gradient @ step)
        if decrement <= 1e-12 * lowest:
            return lowest, b
        length = 1.0
        while length > 1e-10 and not value(b + length * step) < lowest:
            length /= 2
        if length <= 1e-10:  # the lowest that rounding shows
            return lowest, b
        b = b + length * step
        lowest = value(b)
        if np.abs(X @ b).max() > 50:
            return None
    return None


def logistic_test_deviance(dataset, model):
    """Per fresh row, over that of the true probabilities. The intercept is the best one for these
    coefficients on the rows of the fit."""
    columns, values = list(model), np.array(list(model.values()))
    X, y = dataset.test
    offset = dataset.X[:, columns] @ values if columns else np.zeros(dataset.n)
    fit = logistic_fit(np.ones((dataset.n, 1)), dataset.y, offset)
    eta = fit[1][0] + (X[:, columns] @ values if columns else np.zeros(len(y)))
    return 2 * float(np.logaddexp(0, (1 - 2 * y) * eta).mean()) / dataset.true_deviance
