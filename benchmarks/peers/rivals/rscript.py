"""What the rivals written in R share: each has a script of its own beside it, which speaks the
protocol (common.R)."""

from pathlib import Path

from .. import environment
from . import Rival

HERE = Path(__file__).parent


class RRival(Rival):
    package = ""
    found = None  # the version, asked once

    def version(self):
        if self.found is None:
            self.found = environment.output_of(
                "Rscript",
                "--vanilla",
                "-e",
                f"cat(as.character(packageVersion('{self.package}')), R.version.string, sep=', ')",
            )
        return self.found

    def missing(self, task, dataset):
        return None if self.version() else f"the R package {self.package} is not installed"

    def command(self, task, dataset, threads):
        script = HERE / f"{type(self).__module__.rsplit('.', 1)[-1]}.R"
        return [
            "Rscript",
            "--vanilla",
            str(script),
            str(HERE / "common.R"),
            str(dataset.folder),
            task,
            str(threads),
        ]
