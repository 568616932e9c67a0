"""glmnet and cv.glmnet, in R."""

from . import CROSS_VALIDATION, LASSO_PATH, LOGISTIC_CROSS_VALIDATION
from .rscript import RRival


class Glmnet(RRival):
    name = "glmnet"
    package = "glmnet"
    settings = {
        LASSO_PATH: [f"1e-{digits}" for digits in range(7, 17)],
        CROSS_VALIDATION: ["1e-7"],
        LOGISTIC_CROSS_VALIDATION: ["1e-7"],
    }
    default = {LASSO_PATH: "1e-7"}


RIVAL = Glmnet()
