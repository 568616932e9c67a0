"""lass0 itself, in serve.cpp, which keeps the data in memory as the peers do."""

from .. import environment
from . import (
    CROSS_VALIDATION,
    EXHAUSTIVE,
    L0_FIT,
    L0_TABLE,
    LASSO_PATH,
    LOGISTIC_CROSS_VALIDATION,
    LOGISTIC_TABLE,
    Rival,
)


class Lass0(Rival):
    name = "lass0"
    settings = {
        LASSO_PATH: ["1e-4", "1e-5", "1e-6", "1e-7"],
        L0_TABLE: ["-"],
        L0_FIT: [],
        CROSS_VALIDATION: ["-"],
        EXHAUSTIVE: ["-"],
        LOGISTIC_TABLE: ["-"],
        LOGISTIC_CROSS_VALIDATION: ["no-ridge"],
    }
    default = {LASSO_PATH: "1e-7", LOGISTIC_CROSS_VALIDATION: "ridges"}
    note = "seconds with the moments and the final refits"

    def version(self):
        return environment.output_of(environment.PROGRAM, "--version").removeprefix("lass0 ")

    def command(self, task, dataset, threads):
        target, folds = dataset.p + 1, dataset.p + 2
        parts = [dataset.program_file, target, folds, dataset.folder / "lambdas.txt"]
        return [str(part) for part in (environment.SERVE, task, *parts, dataset.max_k, threads)]


RIVAL = Lass0()
