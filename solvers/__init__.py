"""Exclusive sparsity: solvers with certificates for ‖w‖_e = √(Σ_g ‖w_g‖₁²)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import grouping
from .api import solve_huber, solve_lasso, solve_logistic, solve_poisson, solve_svm
from .groups import Groups
from .method import Method
from .multitask import MULTITASK_METHODS, solve_multitask
from .norms import dual_exclusive_norm, exclusive_norm, group_norm, l1_norm, l2_norm
from .path import lasso_path
from .projections import project_l1_cone, project_linf_cone, prox_exclusive
from .registry import (
    HUBER_METHODS,
    LASSO_METHODS,
    LOGISTIC_METHODS,
    POISSON_METHODS,
    SVM_METHODS,
)
from .result import History, Result
from .smooth_paths import logistic_path, poisson_path
from .svm_paths import svm_grid, svm_path

if TYPE_CHECKING:  # what `__getattr__` finds, for those who never run it
    from .estimators import (
        ExclusiveLasso,
        ExclusiveLassoCV,
        ExclusiveLogistic,
        ExclusiveLogisticCV,
        ExclusivePoisson,
        ExclusiveSVC,
        ExclusiveSVCCV,
        MultiTaskExclusiveLasso,
        Stability,
        stability_selection,
    )
    from .model_file import load_model

__version__ = "0.2.0.dev0"

# scikit-learn takes longer to load than all the rest together, so it waits until asked for, and
# saved models wait with it.
_LAZY = {
    "ExclusiveLasso": "estimators",
    "ExclusiveLassoCV": "estimators",
    "ExclusiveLogistic": "estimators",
    "ExclusiveLogisticCV": "estimators",
    "ExclusivePoisson": "estimators",
    "ExclusiveSVC": "estimators",
    "ExclusiveSVCCV": "estimators",
    "MultiTaskExclusiveLasso": "estimators",
    "Stability": "estimators",
    "load_model": "model_file",
    "stability_selection": "estimators",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_LAZY[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


__all__ = [
    "HUBER_METHODS",
    "LASSO_METHODS",
    "LOGISTIC_METHODS",
    "MULTITASK_METHODS",
    "POISSON_METHODS",
    "SVM_METHODS",
    "ExclusiveLasso",
    "ExclusiveLassoCV",
    "ExclusiveLogistic",
    "ExclusiveLogisticCV",
    "ExclusivePoisson",
    "ExclusiveSVC",
    "ExclusiveSVCCV",
    "Groups",
    "History",
    "Method",
    "MultiTaskExclusiveLasso",
    "Result",
    "Stability",
    "dual_exclusive_norm",
    "exclusive_norm",
    "group_norm",
    "grouping",
    "l1_norm",
    "l2_norm",
    "lasso_path",
    "load_model",
    "logistic_path",
    "poisson_path",
    "project_l1_cone",
    "project_linf_cone",
    "prox_exclusive",
    "solve_huber",
    "solve_lasso",
    "solve_logistic",
    "solve_multitask",
    "solve_poisson",
    "solve_svm",
    "stability_selection",
    "svm_grid",
    "svm_path",
]
