"""Relations of DuckDB have the sums of the table that they are of."""

import duckdb
import pyarrow as pa
import pytest
from conftest import ASKED, same

import lass0


@pytest.mark.parametrize("asked", ASKED)
def test_relations(frame, asked):
    table = pa.Table.from_pandas(frame, preserve_index=False)
    expected = lass0.moments(table, "y", **ASKED[asked])
    same(lass0.moments(duckdb.from_arrow(table), "y", **ASKED[asked]), expected)


def test_queries_of_parquet_files(frame, tmp_path):
    path = tmp_path / "data.parquet"
    frame.to_parquet(path, row_group_size=500)
    query = duckdb.sql(f"select * exclude (customer, site, colour, w) from '{path}'")
    columns = [f"c{j}" for j in range(8)] + ["y"]
    same(lass0.moments(query, "y"), lass0.moments(frame[columns], "y"))
