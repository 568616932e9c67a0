from ._base import Alternative as Alternative
from ._classifier import Lass0Classifier as Lass0Classifier
from ._classifier_cv import Lass0ClassifierCV as Lass0ClassifierCV
from ._core import SeparationError as SeparationError
from ._cv import Lass0CV as Lass0CV
from ._lass0 import Lass0 as Lass0
from ._lasso import LassoPath as LassoPath
from ._moments import Moments as Moments
from ._moments import load_moments as load_moments
from ._moments import moments as moments
from ._near_optimal_plot import plot_near_optimal as plot_near_optimal
from ._path import path as path
from ._plot import plot_alternatives as plot_alternatives
from ._plot import plot_cv as plot_cv
from ._plot import plot_path as plot_path
from ._plot import plot_stability as plot_stability
from ._plot import plot_support as plot_support
from ._stability import Stability as Stability
from ._stability import stability as stability
from ._table import SupportTable as SupportTable
from ._table import TableRow as TableRow

__version__: str
