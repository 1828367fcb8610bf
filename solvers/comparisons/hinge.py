"""The standard SVM by libsvm and, where that does not come to its end, by our own solver.

    min over w, b of Σᵢ ωᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖²

libsvm moves two multipliers at a time. Where rows overlap, features are few and α is weak, it moves
them millions of times, and then is still far from the optimum. With groups of one feature E-SVM is
the same problem: its solvers take few steps whatever α is, and certify where they end.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from ..api import solve_svm
from ..groups import Groups

# So many moves a row, or as many as look at so many multipliers: a fiftieth of a second.
_MOVES, _LOOKS = 10, 2 * 10**7
_GAP = 1e-6


@dataclass(frozen=True, eq=False)
class HingeFit:
    """`gap` is the certified relative gap where our own solver came to the end, else None."""

    coef_: np.ndarray
    intercept_: np.ndarray
    n_iter_: int
    converged: bool
    gap: float | None = None


def fit_hinge(
    X, y, alpha: float, *, tol: float, max_iter: int | None = None, sample_weight=None, gram=None
) -> HingeFit:
    """The SVM that tells labels above 0 from the others, with an intercept; `tol` is libsvm's

    With `max_iter` it is libsvm alone. `gram` are the rows' products, where they are known and
    there are fewer rows than features.
    """
    n_samples, n_features = X.shape
    most = max(_MOVES * n_samples, _LOOKS // n_samples) if max_iter is None else max_iter
    kernel, data = ("linear", X) if gram is None else ("precomputed", gram)
    model = SVC(kernel=kernel, C=1.0 / alpha, tol=tol, max_iter=most)
    with warnings.catch_warnings():
        # Whether it came to its end, its status says.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(data, (y > 0).astype(int), sample_weight=sample_weight)
    if model.fit_status_ == 0 or max_iter is not None:
        coef = model.coef_ if gram is None else model.dual_coef_ @ X[model.support_]
        coef = coef.toarray() if sparse.issparse(coef) else np.asarray(coef)
        n_iter, intercept = int(np.max(model.n_iter_)), np.ravel(model.intercept_)
        return HingeFit(coef, intercept, n_iter, model.fit_status_ == 0)
    alone = Groups.contiguous(n_features, n_features)  # α and β add up to the same ridge
    options = dict(tol=min(_GAP, tol), fit_intercept=True, sample_weight=sample_weight)
    signs = np.where(y > 0, 1.0, -1.0)
    found = solve_svm(X, signs, alone, 0.5 * alpha, 0.5 * alpha, **options)
    intercept = np.array([found.intercept])
    return HingeFit(found.w[None, :], intercept, found.n_iter, found.converged, found.gap)
