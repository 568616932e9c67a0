from typing import Any

from numpy.typing import NDArray

__version__: str

OPTIONS: list[dict[str, Any]]

def check_value(parameter: str, value: float) -> None: ...

class CrossValidation:
    """A cross-validation of the core, kept for its report."""

def fit(X: Any, y: NDArray, weights: NDArray | None, options: dict[str, Any]) -> dict[str, Any]: ...
def fit_by_criterion(
    X: Any, y: NDArray, weights: NDArray | None, options: dict[str, Any]
) -> dict[str, Any]: ...
def cross_validate(
    X: Any, y: NDArray, weights: NDArray | None, options: dict[str, Any]
) -> dict[str, Any]: ...
def report(X: Any, y: NDArray, weights: NDArray | None, options: dict[str, Any]) -> str: ...
def path(
    X: Any, y: NDArray, weights: NDArray | None, options: dict[str, Any]
) -> dict[str, Any]: ...
def lasso_path(
    X: Any, y: NDArray, weights: NDArray | None, options: dict[str, Any]
) -> dict[str, Any]: ...
