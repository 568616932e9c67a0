"""Sphinx: `make docs` builds build/docs/index.html. The gallery runs the scripts of python/examples."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

project = "lass0"
author = "the lass0 developers"
release = (Path(__file__).parents[2] / "VERSION").read_text().strip()

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_gallery.gen_gallery",
    "myst_parser",
]
html_theme = "furo"
html_title = f"lass0 {release}"
exclude_patterns = ["gallery/*.ipynb"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_mock_imports = ["dask", "pyspark"]
napoleon_use_rtype = False
napoleon_use_ivar = True
myst_heading_anchors = 3
suppress_warnings = ["config.cache"]
nitpicky = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 1,
    "abort_on_example_error": True,
    "within_subsection_order": "FileNameSortKey",
}
