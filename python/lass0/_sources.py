"""What lass0.moments reads: the parts of a source that have Arrow's C stream interface, read in batches."""

import os
from collections.abc import Iterable, Mapping

import numpy as np

from ._array_api import is_array
from ._numbers import library


def parts_of(source, exclude=()):
    """What a source consists of that has Arrow's C stream interface, and the columns of each part that were not read because they are
    excluded."""
    refuse_wrong(source)
    if library(source) == "pandas" and hasattr(
        source, "columns"
    ):  # whose own stream has the index as a column
        kept, left_out = _split(source.columns, exclude)
        yield _without_index(source[kept] if left_out else source), left_out
    elif library(source) == "polars" and hasattr(source, "collect_schema"):
        kept, left_out = _split(source.collect_schema().names(), exclude)
        frame = source.select(kept) if left_out else source
        if hasattr(frame, "__arrow_c_stream__"):
            yield frame, left_out
        elif hasattr(frame, "collect_batches"):  # a lazy one
            yield from ((batch, left_out) for batch in frame.collect_batches())
        else:
            raise TypeError(
                "moments can't read a lazy frame of this version of polars in batches: collect() it first, or install a newer polars"
            )
    elif hasattr(source, "__arrow_c_stream__"):
        yield source, []
    elif hasattr(source, "scanner"):  # a dataset of pyarrow
        kept, left_out = _split(source.schema.names, exclude)
        yield dataset_reader(source, kept), left_out
    elif hasattr(source, "to_reader"):  # its scanner
        yield source.to_reader(), []
    elif hasattr(source, "iter_batches"):  # a Parquet file of pyarrow
        kept, left_out = _split(source.schema_arrow.names, exclude)
        for group in range(source.num_row_groups):  # of all groups it would read ahead
            batches = source.iter_batches(
                batch_size=batch_rows(len(kept)), row_groups=[group], columns=kept
            )
            yield from ((batch, left_out) for batch in batches)
    elif isinstance(source, Iterable) and not isinstance(source, (Mapping, np.ndarray)):
        for part in source:
            if part is source:
                raise _refused(part)
            yield from parts_of(part, exclude)
    else:
        raise _refused(source)


def _split(names, exclude):
    """The columns to read, and those to leave out."""
    names = list(names)
    return [one for one in names if one not in exclude], [one for one in exclude if one in names]


def _without_index(frame):
    try:
        import pyarrow
    except ImportError:
        raise ImportError(
            "moments of a pandas data frame need pyarrow: pip install pyarrow"
        ) from None
    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def refuse_wrong(source):
    """Raises TypeError, which says what to do, for objects that look like tables but are none to lass0.moments."""
    if isinstance(source, (str, bytes, os.PathLike)):
        raise TypeError(
            "moments takes data, not the name of a file: open it with pyarrow.dataset.dataset or polars.scan_parquet"
        )
    if isinstance(source, (list, tuple)) and any(isinstance(one, np.ndarray) for one in source):
        raise _refused(source[0])
    package = library(source)
    if package in ("pandas", "polars") and hasattr(source, "to_frame"):  # a Series
        raise TypeError(
            f"moments takes tables, not a single column, which {type(source)} is: give a data frame with all columns of X and the target"
        )
    if package in ("dask", "dask_expr", "pyspark"):
        engine = "spark" if package == "pyspark" else "dask"
        raise TypeError(
            f"moments takes data of one machine: use lass0.{engine}.moments for {type(source)}"
        )
    if package == "scipy" and hasattr(source, "tocsr"):
        raise TypeError(
            "moments takes no sparse matrices: fit the matrix itself, as in Lass0CV().fit(X, y), or give X.toarray()"
        )
    if is_array(source) and not hasattr(source, "__arrow_c_stream__"):
        raise TypeError(
            f"moments takes no arrays of {package}: fit the array itself, as in Lass0CV().fit(X, y), or give a NumPy array"
        )


def _refused(source):
    if isinstance(source, np.ndarray):
        return TypeError(
            "moments takes no list of arrays: join them, as in lass0.moments(numpy.concatenate(parts), y), or sum up each with its "
            "first_row and add the moments"
        )
    return TypeError(
        f"moments takes tables with Arrow's C stream interface (pyarrow, polars, pandas 2.2 or newer, DuckDB) or arrays, not {type(source)}"
    )


def batch_rows(columns):
    """Rows of a batch of about 16 MB."""
    return max(1024, 2**21 // max(1, columns))


def dataset_reader(dataset, columns):
    """Reads a dataset of pyarrow with little memory: by default it has much of it in memory before it is asked for."""
    from pyarrow.dataset import ParquetFileFormat, ParquetFragmentScanOptions

    options = {}
    if isinstance(getattr(dataset, "format", None), ParquetFileFormat):
        options["fragment_scan_options"] = ParquetFragmentScanOptions(pre_buffer=False)
    scanner = dataset.scanner(
        columns=columns,
        batch_size=batch_rows(len(columns)),
        use_threads=False,  # with threads it may be far ahead of the sums
        batch_readahead=1,
        fragment_readahead=1,
        **options,
    )
    return scanner.to_reader()
