"""The kinds of comparison: one file each, with compare(dataset, bench) -> list of tables.

`bench` (runner.Bench) measures every rival on a task and keeps what they answered, so that one
comparison can use the answers of another.
"""
