"""``lass0 moments`` of Parquet and Arrow files, which pyarrow reads: the options are those of the program for its own files."""

import argparse
import sys

from ._sources import dataset_reader
from ._summing import level_text, moments

_DONE, _BAD_DATA, _BAD_USAGE = 0, 1, 2


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(_BAD_USAGE, f"lass0 moments: {message} (see lass0 moments --help)\n")


def _parser():
    parser = _Parser(
        prog="lass0 moments",
        description="Sum up Parquet or Arrow files (.parquet, .pq, .arrow, .feather, .ipc) with the same columns",
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="+", metavar="DATA", help="the files, in their order")
    parser.add_argument("--target", metavar="Y", required=True, help="the column to explain")
    parser.add_argument("--output", metavar="FILE", required=True, help="the file to write")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    parser.add_argument("--weights", metavar="C", help="a column of row weights")
    parser.add_argument("--exclude", metavar="C,...", type=_names, action="extend", default=[])
    parser.add_argument("--one-hot", metavar="C,...", type=_names, action="extend", default=[])
    parser.add_argument("--levels", metavar="FILE", help="the levels of --one-hot columns")
    parser.add_argument("--missing", choices=["error", "drop"], default="error")
    parser.add_argument("--folds", metavar="F", type=int)
    parser.add_argument("--seed", metavar="S", type=int)
    parser.add_argument("--first-row", metavar="N", type=int)
    parser.add_argument("--fold-column", metavar="C", help="a column of labels of the folds")
    parser.add_argument("--id-column", metavar="C", help="folds by the hash of this column")
    parser.add_argument("--threads", metavar="N", type=int, default=0)
    return parser


def _names(text):
    return [one for one in text.split(",") if one]


def main(arguments):
    given = _parser().parse_args(arguments)
    try:
        _check(given)
        sums = moments(
            _batches(given.paths, given.exclude),
            given.target,
            folds=given.folds,
            seed=given.seed,
            first_row=1 if given.first_row is None else given.first_row,
            fold_column=given.fold_column,
            id_column=given.id_column,
            weights=given.weights,
            levels=_levels(given),
            missing=given.missing,
            threads=given.threads or None,
        )
        sums.save(given.output)
    except (ImportError, TypeError, ValueError, OSError) as error:
        line = " ".join(str(error).split())
        print(f"lass0 moments: {line}", file=sys.stderr)
        return _BAD_USAGE if isinstance(error, (_UsageError, TypeError)) else _BAD_DATA
    text = sums._core.to_json() if given.format == "json" else sums._core.text(given.output)
    print(text, end="")
    return _DONE


class _UsageError(ValueError):
    pass


def _check(given):
    random = {"--folds": given.folds, "--seed": given.seed, "--first-row": given.first_row}
    for option, value in random.items():
        if value is not None and given.fold_column is not None:
            raise _UsageError(f"{option} does not work with --fold-column: it is for random folds")
    if given.first_row is not None and given.id_column is not None:
        raise _UsageError("--first-row does not work with --id-column: it is for random folds")
    if given.levels is not None and not given.one_hot:
        raise _UsageError("--levels works with --one-hot only: it has the levels of those columns")
    if given.output == "-":
        raise _UsageError("--output needs a file: standard output says what is in it")


def _open(path):
    try:
        import pyarrow.dataset
    except ImportError:
        raise ImportError(
            "Parquet and Arrow files need pyarrow (pip install pyarrow); CSV and NPY files do not"
        ) from None
    kind = "parquet" if path.lower().endswith((".parquet", ".pq")) else "ipc"
    return pyarrow.dataset.dataset(path, format=kind)


def _batches(paths, exclude=(), only=None):
    """Readers of the files, one after the other, without the columns of `exclude`, which need not have numbers."""
    for path in paths:
        data = _open(path)
        names = data.schema.names
        unknown = [one for one in exclude if one not in names]
        if unknown:
            raise ValueError(f"{path}: --exclude names {unknown[0]!r}, which is not a column")
        if only is not None and any(one not in names for one in only):
            raise ValueError(f"{path}: a column of --one-hot is missing: {', '.join(only)}")
        names = [one for one in names if one not in exclude and (only is None or one in only)]
        yield dataset_reader(data, names)


def _levels(given):
    if not given.one_hot:
        return None
    levels = {column: {} for column in given.one_hot}
    if given.levels is not None:
        _read_levels(given.levels, levels)
        return levels
    for reader in _batches(given.paths, only=given.one_hot):
        for batch in reader:
            for column in given.one_hot:
                found = batch.column(column).unique().to_pylist()
                levels[column] |= dict.fromkeys(level_text(one) for one in found if one is not None)
    return {column: _sorted(found) for column, found in levels.items()}


def _sorted(levels):
    """In the order of the program: numbers by their value, texts by their bytes."""
    levels = sorted(levels, key=str.encode)
    try:
        return sorted(levels, key=float)
    except ValueError:
        return levels


def _read_levels(path, levels):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines(), 1):
            column, _, level = line.partition("=")
            if not line.strip():
                continue
            if column not in levels:
                raise ValueError(
                    f"{path}: line {number}: {line!r} is not COLUMN=LEVEL for one of the columns {', '.join(levels)}"
                )
            levels[column][level] = None
    for column, found in levels.items():
        if not found:
            raise ValueError(f"{path}: there are no levels of the column {column!r}")
