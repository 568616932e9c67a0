"""Runs one rival on one task in a process of its own: the answer is judged first, and timed only if
it is right."""

import os
import select
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from . import environment, models

LOADING = 600  # seconds, for reading and compiling
WRITING = 600  # seconds, for collecting an answer


@dataclass(frozen=True)
class Rules:
    threads: int = 1
    limit: float = 120  # seconds for a run
    repeats: int = 3  # at least; more of what is quick, until there is enough to time
    enough: float = 0.1  # seconds
    most: int = 200  # runs
    long: float = 20  # a run that takes longer than this many seconds is not repeated


class Stopped(Exception):
    """The rival gave no answer: why."""


@dataclass
class Verdict:
    """What a judge says of an answer."""

    facts: dict = field(default_factory=dict)
    precise: bool = True  # False: try a tighter setting
    # Not precise, but good enough to be timed as well. Asked when all settings have been tried: what
    # is close is known by then.
    close: Callable[[], bool] = lambda: True
    wrong: str = ""  # why it is no answer at all: it is not timed


@dataclass
class Measurement:
    rival: str
    setting: str = "-"
    seconds: float | None = None  # the median
    runs: int = 0
    memory: float | None = (
        None  # MiB: the peak of the whole process, with the interpreter and the data
    )
    failure: str = ""
    precise: bool = True
    close: Callable[[], bool] = field(default=lambda: True, repr=False)
    facts: dict = field(default_factory=dict)
    models: dict = field(default_factory=dict, repr=False)


class Child:
    def __init__(self, rival, task, dataset, threads):
        folder = environment.BENCH / "logs"
        folder.mkdir(parents=True, exist_ok=True)
        self.stem = folder / f"{dataset.folder.name}-{task}-{rival.name}"
        self.log = open(f"{self.stem}.log", "w+")
        command = [
            sys.executable,
            os.path.join(os.path.dirname(__file__), "launcher.py"),
            f"{self.stem}.memory",
            sys.executable,
            "-m",
            "peers.child",
            rival.name,
            task,
            str(dataset.folder),
            str(threads),
        ]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            bufsize=0,
            env=environment.child_environment(threads),
            start_new_session=True,
        )
        self.unread = b""
        try:
            self.reply("ready", LOADING)
        except Stopped:
            self.kill()
            raise

    def reply(self, word, seconds):
        """Waits for the line that begins with `word` and returns the rest of it."""
        end = time.monotonic() + seconds
        while True:
            line, found, rest = self.unread.partition(b"\n")
            if found:
                self.unread = rest
                words = line.decode(errors="replace").split()
                if words and words[0] == word:
                    return words[1:]
                continue
            if not select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))[
                0
            ]:
                raise Stopped(f"none in {seconds:g} s")
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                raise Stopped(f"failed: {self.last_words()}")
            self.unread += piece

    def run(self, setting, output, limit):
        self.process.stdin.write(f"{setting} {output}\n".encode())
        try:
            # The slack is for what is not timed: a program reads its data in every run.
            seconds = float(self.reply("ran", limit + 30)[0])
        except Stopped as stopped:
            raise Stopped(
                f"none in {limit:g} s" if str(stopped).startswith("none in") else str(stopped)
            ) from None
        if seconds > limit:
            raise Stopped(f"none in {limit:g} s")
        self.reply("done", WRITING)
        return seconds

    def last_words(self):
        self.log.flush()
        self.log.seek(0)
        lines = [line.strip() for line in self.log.read().splitlines() if line.strip()]
        return lines[-1][:160] if lines else "no message"

    def close(self):
        """Ends the process; its peak memory in MiB, where it ended by itself."""
        self.process.stdin.close()
        try:
            self.process.wait(timeout=20)
            with open(f"{self.stem}.memory") as file:
                return float(file.read())
        except (subprocess.TimeoutExpired, OSError, ValueError):
            return None
        finally:
            self.kill()

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)  # the launcher and all that it started
            self.process.wait()
        self.process.stdout.close()
        self.log.close()


def measure(rival, task, dataset, judge, rules, settings=None):
    """Measurements of the loosest setting that is precise, the loosest that is close, and the
    default, where these are not the same."""
    reason = rival.missing(task, dataset)
    if reason:
        return [Measurement(rival.name, failure=f"missing: {reason}")]
    try:
        child = Child(rival, task, dataset, rules.threads)
    except Stopped as stopped:
        return [Measurement(rival.name, failure=str(stopped))]
    default = rival.default.get(task) if settings is None else None
    found, tried, setting = {}, [], default
    try:
        if default:
            found[default] = attempt(rival, child, default, judge, rules.limit)
        for setting in settings or rival.settings[task]:
            if setting not in found:
                found[setting] = attempt(rival, child, setting, judge, rules.limit)
            tried.append(setting)
            if found[setting].precise or found[setting].failure:
                break
        chosen = choose(found, tried, default)
        for measurement in chosen:
            setting = measurement.setting
            repeat(child, measurement, rules)
        memory = child.close()
        for measurement in chosen:
            measurement.memory = memory
        return chosen
    except Stopped as stopped:  # what was found before, by looser settings, is reported as well
        failed = Measurement(rival.name, setting, failure=str(stopped))
        return [failed, *choose(found, tried, default)]
    finally:
        child.kill()


def choose(found, tried, default):
    """The tightest setting that was tried, the loosest that is close, and the default: each once."""
    close = [setting for setting in tried if found[setting].close()]
    wanted = dict.fromkeys([*tried[-1:], *close[:1], default])
    return [found[setting] for setting in wanted if setting in found]


def attempt(rival, child, setting, judge, limit):
    """One run, judged."""
    output = environment.BENCH / "answer.txt"
    seconds = child.run(setting, output, limit)
    try:
        answer = models.read(output)
    except ValueError as error:
        return Measurement(rival.name, setting, failure=f"wrong: unreadable models, {error}"[:160])
    verdict = judge(answer)
    return Measurement(
        rival.name,
        setting,
        seconds,
        1,
        None,
        verdict.wrong and f"wrong: {verdict.wrong}",
        verdict.precise,
        verdict.close,
        verdict.facts,
        answer,
    )


def repeat(child, measurement, rules):
    if measurement.failure or measurement.seconds > rules.long:
        return
    times = []
    while len(times) < rules.repeats or (sum(times) < rules.enough and len(times) < rules.most):
        times.append(child.run(measurement.setting, "-", rules.limit))
    measurement.seconds, measurement.runs = statistics.median(times), len(times)
