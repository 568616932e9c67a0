"""Times that no test asserts: python python/tests/measure.py

Lass0CV beside LassoCV on the diabetes data, the import, and how soon Ctrl-C ends a fit.
"""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
from conftest import make_data
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LassoCV
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from lass0 import Lass0, Lass0CV


def best_of(repeats, function):
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def diabetes():
    X, y = load_diabetes(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    quadratic = PolynomialFeatures(2, include_bias=False).fit_transform(X)
    for data in (X, np.delete(quadratic, 20, axis=1)):  # sex squared is sex
        for model in (Lass0CV(), LassoCV()):
            seconds = best_of(5, lambda model=model, data=data: model.fit(data, y))
            columns = np.count_nonzero(model.coef_)
            name = type(model).__name__
            print(
                f"diabetes {data.shape[1]:2} columns  {name:8} {1e3 * seconds:7.1f} ms  {columns}"
            )


def imports():
    base = "import numpy, scipy.sparse, joblib, sklearn.feature_selection, sklearn.model_selection"
    for what in (base, base + "; from lass0 import Lass0, Lass0CV, path"):
        seconds = best_of(
            5, lambda what=what: subprocess.run([sys.executable, "-c", what], check=True)
        )
        print(f"import {1e3 * seconds:7.1f} ms  {what[-40:]}")


def interrupts():
    X, y = make_data(1, n=300, p=300, k=40, noise=8.0, rho=0.6)
    wide = make_data(2, n=2000, p=3000, k=50, noise=5.0)
    runs = {
        "proof": lambda: Lass0(k=20, prove=True).fit(X, y),
        "cross-validation": lambda: Lass0CV(ridge="auto").fit(*wide),
    }
    for name, run in runs.items():
        for after in (0.2, 1.0):
            sent = []

            def send(sent=sent):
                sent.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)

            threading.Timer(after, send).start()
            try:
                run()
                print(f"Ctrl-C in a {name} after {after} s: it had ended before")
            except KeyboardInterrupt:
                latency = time.perf_counter() - sent[0]
                print(f"Ctrl-C in a {name} after {after} s: {1e3 * latency:.0f} ms")


if __name__ == "__main__":
    diabetes()
    imports()
    interrupts()
