"""The same fits for less work: what many strengths on the same samples have in common.

Nothing here changes what is fitted. `RowSpace` replaces wide data by a square of the same inner
products, and `l1_path` shows liblinear only the features that can matter, until the optimality
conditions of all of them hold.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse
from scipy.special import expit

from solvers.comparisons import make_classifier
from solvers.linear_algebra import orthonormal_basis


class RowSpace:
    """X = ZQᵀ with orthonormal columns Q: fits that penalise ½‖w‖² alone may use Z in place of X

    Their best w = Qu lies in the span of the samples, where Xw = Zu and ‖w‖ = ‖u‖. Z has as many
    columns as X has samples, so it pays where there are more features; otherwise, and for sparse
    data, Z is X itself.
    """

    def __init__(self, X):
        self.samples, self._basis = X, None
        if not sparse.issparse(X) and X.shape[1] > X.shape[0]:
            self._basis, triangle = orthonormal_basis(X.T)
            self.samples = np.ascontiguousarray(triangle.T)

    def widened(self, model):
        """A model fitted to `samples`, now for samples of all features."""
        if self._basis is not None:
            model.coef_ = model.coef_ @ self._basis.T
            model.n_features_in_ = model.coef_.shape[1]
        return model


def l1_path(key, X, y, lams, **options) -> Iterator:
    """A model of "sparse_svm" or "logistic_l1" for each of decreasing λ, by liblinear

    liblinear sees the features of the λ before and, of the others, those that violate the
    optimality conditions most: at most one for each sample at a time, since no solution needs
    more. It is called again with further ones until what is left out violates the conditions by
    less than liblinear would allow if it saw all.
    """
    targets = one_vs_rest(y)
    rarest = min(np.mean(target > 0) for side in targets for target in (side, -side))
    kept = np.zeros(X.shape[1], dtype=bool)
    start = slopes = _slopes(key, X, targets, np.zeros((len(targets), len(y))))
    for lam in lams:
        allowed = options["tol"] * rarest * np.maximum(start - lam, 0.0).sum()
        kept |= _worst(slopes - lam, kept, len(y))
        while True:
            model = _on_features(key, X, y, lam, np.flatnonzero(kept), options)
            slopes = _slopes(key, X, targets, (X @ model.coef_.T + model.intercept_).T)
            if np.maximum(slopes - lam, 0.0)[:, ~kept].sum() <= allowed:
                break
            kept |= _worst(slopes - lam, kept, len(y))
        yield model
        kept = np.any(model.coef_ != 0.0, axis=0)


def one_vs_rest(y) -> list[np.ndarray]:
    """±1 targets: one for two classes, else one for each class."""
    classes = np.unique(y)
    positives = classes[1:] if classes.size == 2 else classes
    return [np.where(y == positive, 1.0, -1.0) for positive in positives]


def _slopes(key, X, targets, scores) -> np.ndarray:
    """|∂ loss / ∂wⱼ| for each problem and feature; where it exceeds λ, wⱼ should not be 0."""
    margins = np.array(targets) * scores
    pull = 2.0 * np.maximum(1.0 - margins, 0.0) if key == "sparse_svm" else expit(-margins)
    return np.abs(np.asarray((np.array(targets) * pull) @ X))


def _worst(excess, kept, most) -> np.ndarray:
    """Of the features not kept, those of the largest positive excess; the largest if none is."""
    largest = np.where(kept, -np.inf, excess.max(axis=0))
    order = np.argsort(-largest, kind="stable")[:most]
    chosen = np.zeros_like(kept)
    chosen[order[largest[order] > 0.0]] = True
    if not (kept.any() or chosen.any()):
        chosen[order[0]] = True
    return chosen


def _on_features(key, X, y, lam, features, options):
    """The model of these features, written as one of all."""
    model = make_classifier(key, lam=lam, **options).fit(X[:, features], y)
    coef = np.zeros((model.coef_.shape[0], X.shape[1]))
    coef[:, features] = model.coef_
    model.coef_, model.n_features_in_ = coef, X.shape[1]
    return model
