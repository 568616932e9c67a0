"""Runs the Python example of the README and compares its output with what the README shows."""

import contextlib
import io
import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def check():
    code, shown = re.search(
        r"```python\n(.*?)```\s+```text\n(.*?)```", README.read_text(), re.DOTALL
    ).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == shown, f"the README's example prints\n{printed.getvalue()}"


if __name__ == "__main__":
    check()
