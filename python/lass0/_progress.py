"""A progress line on a terminal."""

import shutil
import time

_WIDTH = 24


class ProgressBar:
    def __init__(self, stream):
        self._stream = stream
        self._begin = time.monotonic()
        self._length = 0

    def __call__(self, what, fraction):
        seconds = time.monotonic() - self._begin
        bar = ""
        if fraction >= 0:
            done = round(_WIDTH * min(fraction, 1.0))
            bar = f"{100 * min(fraction, 1.0):3.0f}%|{'#' * done}{' ' * (_WIDTH - done)}| "
        line = f"lass0: {bar}{seconds:.1f} s {what}"
        line = line[: shutil.get_terminal_size().columns - 1]
        self._stream.write("\r" + line.ljust(self._length))
        self._stream.flush()
        self._length = len(line)

    def close(self):
        if self._length:
            self._stream.write("\n")
            self._stream.flush()
            self._length = 0
