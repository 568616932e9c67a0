"""lass0 itself, through its program; the Lasso path, which is no command of it, through
lasso_path.cpp."""

import json
import subprocess
import tempfile

from .. import environment
from . import CROSS_VALIDATION, EXHAUSTIVE, L0_FIT, L0_TABLE, LASSO_PATH, Rival


class Lass0(Rival):
    name = "lass0"
    settings = {
        LASSO_PATH: ["1e-4", "1e-5", "1e-6", "1e-7"],
        L0_TABLE: ["-"],
        L0_FIT: [],
        CROSS_VALIDATION: ["-"],
        EXHAUSTIVE: ["-"],
    }
    default = {LASSO_PATH: "1e-7"}
    note = (
        "seconds as the program reports them, with the moments and the final refits, without "
        "reading the file; the peak "
        "memory is that of the program, which reads the file as well"
    )

    def version(self):
        return environment.output_of(environment.PROGRAM, "--version").removeprefix("lass0 ")

    def missing(self, task, dataset):
        # An unknown command prints the help of the whole program, successfully: the usage line
        # tells them apart.
        if task == CROSS_VALIDATION and "Usage: lass0 cv" not in self.help("cv"):
            return "this lass0 has no `cv` yet"
        if task == EXHAUSTIVE and "--prove" not in self.help("path"):
            return "this lass0 has no `path --prove` yet"
        return None

    def help(self, command):
        return environment.output_of(environment.PROGRAM, command, "--help")

    def load(self, task, dataset, threads):
        target, folds = str(dataset.p + 1), str(dataset.p + 2)
        data = [str(dataset.program_file), "--target", target]
        common = ["--threads", str(threads), "--format", "json"]
        max_k = ["--max-k", str(dataset.max_k)]
        if task == LASSO_PATH:
            return lambda setting: lasso_path(dataset, target, folds, setting, threads)
        if task == L0_TABLE:
            return lambda _: table(["path", *data, "--exclude", folds, *max_k, *common])
        if task == EXHAUSTIVE:
            return lambda _: table(["path", *data, "--exclude", folds, *max_k, *common, "--prove"])
        if task == L0_FIT:
            return lambda setting: fit(
                ["fit", *data, "--exclude", folds, "--lambda", setting, *common]
            )
        return lambda _: cross_validation(
            ["cv", *data, "--fold-column", folds, "--rule", "min", *common]
        )


def call(arguments):
    command = [str(environment.PROGRAM), *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(
            (result.stderr.strip().splitlines() or [f"exit status {result.returncode}"])[-1]
        )
    return json.loads(result.stdout)


def model(coefficients):
    """The columns of a file without names are called x1, x2, ..."""
    return [int(name[1:]) - 1 for name in coefficients], list(coefficients.values())


def table(arguments):
    result = call(arguments)
    return result["seconds"], lambda: {
        step["k"]: model(step["coefficients"]) for step in result["steps"]
    }


def fit(arguments):
    result = call(arguments)
    return result["seconds"], lambda: {0: model(result["coefficients"])}


def cross_validation(arguments):
    result = call(arguments)
    seconds = result.get("seconds", result["model"].get("seconds"))
    return seconds, lambda: {0: model(result["model"]["coefficients"])}


def lasso_path(dataset, target, folds, tolerance, threads):
    from .. import models

    with tempfile.NamedTemporaryFile() as output:
        command = [
            environment.LASSO_PATH,
            dataset.program_file,
            target,
            folds,
            dataset.folder / "lambdas.txt",
            tolerance,
            threads,
            output.name,
        ]
        result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(result.stderr.strip())
        found = models.read(output.name)
    answer = {
        point: (list(found.get(point, {})), list(found.get(point, {}).values()))
        for point in range(len(dataset.lambdas))
    }
    return float(result.stdout), lambda: answer


RIVAL = Lass0()
