"""glmnet and cv.glmnet, in R."""

from . import CROSS_VALIDATION, LASSO_PATH
from .rscript import RRival


class Glmnet(RRival):
    name = "glmnet"
    package = "glmnet"
    settings = {LASSO_PATH: ["1e-7", "1e-8", "1e-9", "1e-10", "1e-11", "1e-12", "1e-13", "1e-14", "1e-15", "1e-16"], CROSS_VALIDATION: ["1e-7"]}
    default = {LASSO_PATH: "1e-7"}


RIVAL = Glmnet()
