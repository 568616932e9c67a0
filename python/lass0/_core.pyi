from typing import Any

from numpy.typing import NDArray

__version__: str

OPTIONS: list[dict[str, Any]]

def check_value(parameter: str, value: float) -> None: ...

class SeparationError(ValueError):
    """Some columns tell the two classes apart without an error, so the model has no finite coefficients."""

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
def cv_plus(
    fold_predictions: NDArray, residuals: list[NDArray], coverage: float
) -> tuple[NDArray, NDArray]: ...
def path(
    X: Any, y: NDArray, weights: NDArray | None, options: dict[str, Any]
) -> dict[str, Any]: ...
def stability(
    X: Any, y: NDArray, weights: NDArray | None, options: dict[str, Any]
) -> dict[str, Any]: ...

class Stability:
    """A stability selection of the core, kept for its report."""

def stability_report(kept: Stability, options: dict[str, Any]) -> str: ...
def lasso_path(
    X: Any, y: NDArray, weights: NDArray | None, options: dict[str, Any]
) -> dict[str, Any]: ...
