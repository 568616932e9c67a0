"""Runs that are stopped, watched or share the interpreter."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import make_data
from sklearn.exceptions import ConvergenceWarning

import lass0
from lass0 import Lass0, Lass0CV


@pytest.fixture(scope="module")
def endless():
    """A problem whose proof takes for ever."""
    return make_data(1, n=300, p=300, k=40, noise=8.0, rho=0.6)


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_raises(endless):
    timer = interrupt_after(0.5)
    with pytest.raises(KeyboardInterrupt):
        Lass0(k=20, prove=True).fit(*endless)
    timer.join()


def test_ctrl_c_returns_the_best_so_far_where_asked(endless):
    timer = interrupt_after(1.0)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = Lass0(k=20, prove=True, on_interrupt="return").fit(*endless)
    timer.join()
    assert model.status_ == "interrupted" and model.k_ == 20
    assert np.isfinite(model.predict(endless[0])).all()


def test_ctrl_c_in_cross_validation():
    X, y = make_data(2, n=2000, p=1500, k=50, noise=5.0)
    timer = interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            Lass0CV(n_jobs=2, ridge="auto").fit(X, y)
    timer.join()


def test_another_exception_of_a_signal_handler_comes_through(endless):
    class Late(Exception):
        pass

    def handler(*_):
        raise Late

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Late):
            Lass0(k=20, prove=True, on_interrupt="return").fit(*endless)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_time_limit_gives_the_best_so_far(endless):
    model = Lass0(k=20, prove=True, time_limit=0.5).fit(*endless)
    assert model.status_ == "gap" and 0 < model.gap_ <= 1 and model.lower_bound_ < model.objective_
    with pytest.warns(ConvergenceWarning, match="time limit"):
        assert Lass0(lambda0=1.0, time_limit=0.0).fit(*endless).status_ == "time_limit"


def test_other_threads_run_meanwhile(endless):
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    Lass0(k=20, prove=True, time_limit=1.0).fit(*endless)
    stop.set()
    thread.join()
    assert len(ticks) > 10


def test_fits_in_several_threads_at_once_are_the_same(data):
    X, y = data
    expected = Lass0CV().fit(X, y).coef_
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(Lass0CV(n_jobs=2).fit(X, y).coef_))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for coef in found:
        np.testing.assert_array_equal(coef, expected)


def test_verbose_shows_the_progress(endless, capfd):
    Lass0(k=20, prove=True, time_limit=0.5, verbose=True).fit(*endless)
    written = capfd.readouterr().err
    assert "lass0: " in written and written.endswith("\n")
    lass0.path(*endless, max_k=3)
    assert capfd.readouterr().err == ""


def test_threadpoolctl_leaves_our_blas_alone(data):
    import threadpoolctl

    X, y = data
    expected = Lass0(k=3).fit(X, y).coef_
    assert all(
        "lass0" not in one["filepath"].rpartition("/")[2] for one in threadpoolctl.threadpool_info()
    )
    with threadpoolctl.threadpool_limits(4):
        np.testing.assert_array_equal(Lass0(k=3).fit(X, y).coef_, expected)
