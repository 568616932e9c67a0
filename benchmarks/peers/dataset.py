"""A data set on disk: one folder that every rival reads, each in the form it likes best.

    X.npy                    n x p, column-major doubles
    values, rows, starts.npy instead of X.npy where X is sparse: compressed columns
    y.npy                    the target, centred; of family binomial 0 or 1
    folds.npy                the fold 0..9 of every row
    X_test.npy, y_test.npy   fresh rows (sparse: X_test.npz)
    lass0.npy or lass0.mtx   the columns of X, then y, then the folds, for the program
    lambdas.txt              the grid of the Lasso path
    meta.json                all else

The columns of X have deviation 1 (n in the denominator) and, when dense, mean 0, so that the rivals
that standardise and those that don't solve the same problem. NumPy is imported when arrays are asked
for: a child that runs a program stays small.
"""

import json
from functools import cached_property
from pathlib import Path

FOLDS = 10


class Dataset:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.meta = json.loads((self.folder / "meta.json").read_text())

    def __getattr__(self, name):  # n, p, sparse, noise, truth, max_k, ... of meta.json
        try:
            return self.__dict__["meta"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def program_file(self):
        return self.folder / ("lass0.mtx" if self.sparse else "lass0.npy")

    @cached_property
    def X(self):
        import numpy as np

        if not self.sparse:
            return np.load(self.folder / "X.npy")
        from scipy.sparse import csc_matrix

        parts = (np.load(self.folder / f"{part}.npy") for part in ("values", "rows", "starts"))
        return csc_matrix(tuple(parts), shape=(self.n, self.p))

    @cached_property
    def y(self):
        import numpy as np

        return np.load(self.folder / "y.npy")

    @cached_property
    def means(self):
        """Of the columns: zero when dense."""
        import numpy as np

        return np.asarray(self.X.mean(axis=0)).ravel()

    @cached_property
    def folds(self):
        import numpy as np

        return np.load(self.folder / "folds.npy")

    @cached_property
    def lambdas(self):
        """lambda1 of the grid, in lass0's units: n times those of glmnet and scikit-learn."""
        return [float(line) for line in (self.folder / "lambdas.txt").read_text().split()]

    def columns(self, support):
        """Columns of X, dense and centred."""
        import numpy as np

        part = self.X[:, support]
        part = part.toarray() if self.sparse else np.asarray(part)
        return part - part.mean(axis=0)

    @cached_property
    def test(self):
        import numpy as np
        from scipy.sparse import load_npz

        X = (
            load_npz(self.folder / "X_test.npz")
            if self.sparse
            else np.load(self.folder / "X_test.npy", mmap_mode="r")
        )
        return X, np.load(self.folder / "y_test.npy")


def write(
    folder,
    X,
    y,
    *,
    truth=(),
    noise=None,
    test=None,
    max_k=None,
    seed=1,
    family="gaussian",
    **meta,
):
    """Standardises (X, y) and writes all files; `test` is fresh rows on the scale of the raw X and
    y."""
    import numpy as np
    from scipy import sparse

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    n, p = X.shape
    is_sparse = sparse.issparse(X)
    mean, scale = moments(X)
    scale[scale == 0] = 1
    target_mean = y.mean() if family == "gaussian" else 0.0
    y = y - target_mean
    if is_sparse:
        X = X @ sparse.diags(1 / scale)
        X = X.tocsc()
        for part, array in (("values", X.data), ("rows", X.indices), ("starts", X.indptr)):
            np.save(folder / f"{part}.npy", array)
    else:
        X = np.asfortranarray((X - mean) / scale)
        np.save(folder / "X.npy", X)
    folds = np.random.default_rng(seed).permutation(np.arange(n) % FOLDS)
    np.save(folder / "y.npy", y)
    np.save(folder / "folds.npy", folds.astype(np.int32))
    if test is not None:
        X_test, y_test = test
        if is_sparse:
            sparse.save_npz(folder / "X_test.npz", (X_test @ sparse.diags(1 / scale)).tocsc())
        else:
            np.save(folder / "X_test.npy", np.asfortranarray((X_test - mean) / scale))
        np.save(folder / "y_test.npy", y_test - target_mean)
    write_for_program(folder, X, y, folds)
    ratio = 1e-2 if n < p else 1e-3
    # Of a centred y, so the columns need not be; the same for logistic regression.
    lambda_max = np.abs(X.T @ (y - y.mean())).max()
    np.savetxt(folder / "lambdas.txt", lambda_max * np.geomspace(1, ratio, 100), fmt="%.17g")
    meta |= {
        "n": n,
        "p": p,
        "sparse": is_sparse,
        "family": family,
        "noise": noise,
        "truth": sorted(int(j) for j in truth),
        "max_k": max_k or min(100, p, n // 2),
        "ratio": ratio,
    }
    (folder / "meta.json").write_text(json.dumps(meta))  # last: it says that the folder is complete


def moments(X):
    """Mean and deviation of every column."""
    import numpy as np
    from scipy import sparse

    mean = np.asarray(X.mean(axis=0)).ravel()
    if not sparse.issparse(X):
        return mean, X.std(axis=0)
    squares = np.asarray(X.multiply(X).mean(axis=0)).ravel()
    return mean, np.sqrt(np.maximum(squares - mean**2, 0))


def write_for_program(folder, X, y, folds):
    import numpy as np
    from scipy import sparse
    from scipy.io import mmwrite

    if sparse.issparse(X):
        extra = sparse.csc_matrix(np.column_stack([y, folds]))
        mmwrite(folder / "lass0.mtx", sparse.hstack([X, extra], format="coo"), precision=17)
    else:
        np.save(folder / "lass0.npy", np.asfortranarray(np.column_stack([X, y, folds])))
