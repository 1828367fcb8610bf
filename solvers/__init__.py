"""Exclusive sparsity: solvers with certificates for ‖w‖_e = √(Σ_g ‖w_g‖₁²)."""

from importlib import import_module

from . import grouping
from .api import solve_lasso, solve_logistic, solve_svm
from .groups import Groups
from .method import Method
from .norms import dual_exclusive_norm, exclusive_norm, group_norm, l1_norm, l2_norm
from .path import lasso_path, svm_path
from .projections import project_l1_cone, project_linf_cone, prox_exclusive
from .registry import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS
from .tracking import History, Result

# scikit-learn takes longer to load than all the rest together, so it waits until asked for, and
# saved models wait with it.
_LAZY = {
    "ExclusiveLasso": "estimators",
    "ExclusiveLassoCV": "estimators",
    "ExclusiveLogistic": "estimators",
    "ExclusiveSVC": "estimators",
    "ExclusiveSVCCV": "estimators",
    "load_model": "models",
}


def __getattr__(name):
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_LAZY[name]}", __name__), name)


def __dir__():
    return sorted({*globals(), *_LAZY})


__all__ = [
    "LASSO_METHODS",
    "LOGISTIC_METHODS",
    "SVM_METHODS",
    "ExclusiveLasso",
    "ExclusiveLassoCV",
    "ExclusiveLogistic",
    "ExclusiveSVC",
    "ExclusiveSVCCV",
    "Groups",
    "History",
    "Method",
    "Result",
    "dual_exclusive_norm",
    "exclusive_norm",
    "group_norm",
    "grouping",
    "l1_norm",
    "l2_norm",
    "lasso_path",
    "load_model",
    "project_l1_cone",
    "project_linf_cone",
    "prox_exclusive",
    "solve_lasso",
    "solve_logistic",
    "solve_svm",
    "svm_path",
]
