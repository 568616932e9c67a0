"""leaps: regsubsets, exhaustive search by branch and bound, in R."""

from . import EXHAUSTIVE
from .rscript import RRival


class Leaps(RRival):
    name = "leaps"
    package = "leaps"
    settings = {EXHAUSTIVE: ["-"]}


RIVAL = Leaps()
