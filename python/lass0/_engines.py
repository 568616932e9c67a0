"""What lass0.dask and lass0.spark share: sums of one partition, and of several, as the bytes of a file of moments."""

from ._moments import Moments, Summing, merged


class PartitionSums:
    """The map and the reduction. An engine ships this object to its workers, and what they give back are bytes."""

    def __init__(self, target, **options):
        self.options = {"target": target, **options}

    def begin(self):
        # The engine has a worker per core; rows of a cluster have no stable number.
        return Summing(**self.options, threads=1, numbered=False)

    def check(self, empty):
        """Raises at once, and not on a worker, what is wrong with the options for tables like this one without rows."""
        self.begin().add(empty)

    def of(self, parts):
        """The sums of the rows of all these parts; none if there are no parts."""
        sums, some = self.begin(), False
        for part in parts:
            sums.add(part)
            some = True
        return sums.take().to_bytes() if some else None

    @staticmethod
    def merged(contents):
        sums = merged(one for one in contents if one is not None)
        return None if sums is None else sums.to_bytes()

    @staticmethod
    def result(content):
        sums = None if content is None else Moments.from_bytes(content)
        if sums is None or sums.n == 0:
            raise ValueError("there are no rows of positive weight without missing values")
        return sums
