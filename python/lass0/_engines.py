"""What lass0.dask and lass0.spark share: sums of one partition, and of several, as the bytes of a file of moments."""

from ._moments import Moments, merged
from ._summing import Summing

_MOST_LABELS = 1000  # as in one partition


class PartitionSums:
    """The map and the reduction. An engine ships this object to its workers, and what they give back are bytes."""

    def __init__(self, target, **options):
        self.options = {"target": target, **options}

    def begin(self):
        # The engine has a worker per core; rows of a cluster have no stable number.
        return Summing(**self.options, threads=1, numbered=False)

    def left_out(self, columns):
        """Those of these columns that are excluded, so that the engine need not read them."""
        excluded = self.begin().exclude
        return [one for one in columns if one in excluded]

    def check(self, empty, left_out):
        """Raises at once, and not on a worker, what is wrong with the options for tables like this one without rows.

        `left_out`: excluded columns that the engine leaves out. The partitions won't have them.
        """
        self.begin().add(empty, left_out)
        self.options["exclude"] = None

    def of(self, parts):
        """The sums of the rows of all these parts; none if there are no parts."""
        sums, some = self.begin(), False
        for part in parts:
            sums.add(part)
            some = True
        return sums.take().to_bytes() if some else None

    def merge(self, contents):
        sums = merged((one for one in contents if one is not None), self._check_labels)
        return None if sums is None else sums.to_bytes()

    def _check_labels(self, sums):
        by = self.options["fold_column"]
        if by is not None and sums.folds > _MOST_LABELS:
            raise ValueError(
                f"column {by!r} has more than {_MOST_LABELS} labels of folds, and each takes memory for sums of its own: if the labels "
                "are IDs, let their hash say the fold (id_column)"
            )

    @staticmethod
    def result(content):
        sums = None if content is None else Moments.from_bytes(content)
        if sums is None or sums.n == 0:
            raise ValueError("there are no rows of positive weight without missing values")
        return sums
