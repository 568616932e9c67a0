"""The workloads: one file each, with TITLE, ABOUT, COMPARISONS (files of ../comparisons) and
datasets(quick), which maps the names of data sets to functions that write them to a folder (see
../dataset.py). ORDER is the order of the report."""

ORDER = [
    "tiny",
    "wide",
    "very_wide",
    "tall",
    "correlated",
    "hard",
    "sparse",
    "genotypes",
    "paper",
    "growth",
    "logistic_wide",
    "logistic_correlated",
    "logistic_tall",
    "logistic_tiny",
]
QUICK = [
    "tiny",
    "wide",
    "sparse",
    "paper",
    "growth",
    "logistic_tiny",
]  # what --quick runs unless told: each comparison, in two minutes
