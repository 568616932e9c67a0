"""L0Learn in R: coordinate descent with local combinatorial search. Takes part where the package is
installed."""

from . import L0_TABLE
from .rscript import RRival


class L0Learn(RRival):
    name = "L0Learn"
    package = "L0Learn"
    settings = {L0_TABLE: ["CDPSI"]}
    note = "CDPSI, up to 100 lambdas of its own choice; sizes that its path skips have no rows"


RIVAL = L0Learn()
