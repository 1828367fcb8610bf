"""The classifiers of the paper's comparison, each by one constructor."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from types import MappingProxyType

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from ..estimators.classifier import LinearDecisions
from ..estimators.lasso import ExclusiveLasso
from ..estimators.svc import ExclusiveSVC
from ..groups import Groups
from ..validation import as_positive
from .hinge import fit_hinge


class _Delegating(LinearDecisions, BaseEstimator):
    """A linear classifier that scikit-learn fits, under this package's parameter names."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X, y, sample_weight=None):
        """Fit to samples × features X, dense or sparse, and class labels y."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        self._fit_validated(X, y, sample_weight)
        return self

    def _fit_validated(self, X, y, sample_weight) -> None:
        """One binary model for two classes, else one for each class against the rest."""
        check_classification_targets(y)
        self._set_classes(y)
        X = _for_liblinear(X)
        positives = self.classes_[1:] if self.classes_.size == 2 else self.classes_
        models = [
            self._fit_binary(X, (y == positive).astype(int), sample_weight)
            for positive in positives
        ]
        self.coef_ = np.vstack([_dense(model.coef_) for model in models])
        self.intercept_ = np.array([np.ravel(model.intercept_)[0] for model in models], dtype=float)
        self.n_iter_ = max(int(np.max(model.n_iter_)) for model in models)

    def _fit_binary(self, X, y, sample_weight):
        return self._binary_model().fit(X, y, sample_weight=sample_weight)


class StandardSVC(_Delegating):
    """min over w, b of Σᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖²

    libsvm with a linear kernel, one class against the rest, and where it does not come to its end
    without a `max_iter`, our own solver of the same problem. Without an intercept, which libsvm
    cannot leave out, liblinear's dual solver. C is 1/alpha.
    """

    def __init__(
        self, alpha=1.0, *, fit_intercept=True, tol=1e-4, max_iter=None, random_state=None
    ):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _fit_binary(self, X, y, sample_weight):
        alpha = as_positive(self.alpha, "alpha")
        if not self.fit_intercept:
            return super()._fit_binary(X, y, sample_weight)
        options = dict(tol=self.tol, max_iter=self.max_iter, sample_weight=sample_weight)
        found = fit_hinge(X, y, alpha, **options)
        if not found.converged:
            text = "Solver terminated early: the SVM is not at its tolerance."
            warnings.warn(text, ConvergenceWarning, stacklevel=4)
        return found

    def _binary_model(self):
        return LinearSVC(
            loss="hinge",
            C=1.0 / as_positive(self.alpha, "alpha"),
            fit_intercept=False,
            tol=self.tol,
            max_iter=_LIBLINEAR_ITERATIONS if self.max_iter is None else self.max_iter,
            random_state=self.random_state,
        )


class SparseSVC(_Delegating):
    """min over w, b of Σᵢ max(0, 1 − yᵢ(xᵢᵀw + b))² + λ(‖w‖₁ + |b|/s)

    The sparse SVM, by liblinear: its ℓ1 solver takes the squared hinge only, and penalises the
    intercept, which a scaling s = 100 of its column makes negligible. C is 1/lam.
    """

    def __init__(self, lam=1.0, *, fit_intercept=True, tol=1e-4, max_iter=None, random_state=None):
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _binary_model(self):
        return LinearSVC(
            penalty="l1",
            dual=False,
            C=1.0 / as_positive(self.lam, "lam"),
            fit_intercept=self.fit_intercept,
            intercept_scaling=_INTERCEPT_SCALING,
            tol=self.tol,
            max_iter=_LIBLINEAR_ITERATIONS if self.max_iter is None else self.max_iter,
            random_state=self.random_state,
        )


class L1Logistic(_Delegating):
    """min over w, b of Σᵢ log(1 + exp(−yᵢ(xᵢᵀw + b))) + λ(‖w‖₁ + |b|/s)

    ℓ1 logistic regression by liblinear, one class against the rest, with the intercept's penalty
    made negligible as for `SparseSVC`. C is 1/lam.
    """

    def __init__(self, lam=1.0, *, fit_intercept=True, tol=1e-4, max_iter=None, random_state=None):
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _binary_model(self):
        # scikit-learn 1.8 put l1_ratio in the place of penalty.
        older = signature(LogisticRegression).parameters["penalty"].default == "l2"
        return LogisticRegression(
            **({"penalty": "l1"} if older else {"l1_ratio": 1.0}),
            C=1.0 / as_positive(self.lam, "lam"),
            solver="liblinear",
            fit_intercept=self.fit_intercept,
            intercept_scaling=_INTERCEPT_SCALING,
            tol=self.tol,
            max_iter=_LIBLINEAR_ITERATIONS if self.max_iter is None else self.max_iter,
            random_state=self.random_state,
        )


class KongSVC(_Delegating):
    """Exclusive lasso on ±1 labels selects features, then a standard SVM is fitted to them

    Kong et al. (NIPS 2014). Stage 1: min ½ Σᵢ (xᵢᵀw + b − yᵢ)² + λ/2 ‖w‖_e², solved exactly
    rather than by reweighting; one problem per class where there are more than two. Features with
    |wᵢ| > threshold·max|w| in some problem are selected (`selected_`), or with `n_selected` the
    features of that many largest max over problems of |wᵢ|. Stage 2: `StandardSVC(alpha)` on the
    selected features; `coef_` is 0 elsewhere. `max_iter` and `n_iter_` are those of stage 2.
    """

    def __init__(
        self,
        lam=1.0,
        alpha=1.0,
        *,
        groups=None,
        threshold=1e-3,
        n_selected=None,
        fit_intercept=True,
        tol=1e-4,
        max_iter=None,
        random_state=None,
    ):
        self.lam = lam
        self.alpha = alpha
        self.groups = groups
        self.threshold = threshold
        self.n_selected = n_selected
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Select features, then fit the SVM, on samples × features X and class labels y."""
        X, y = self._selected_from(X, y, sample_weight)
        svm = StandardSVC(
            self.alpha,
            fit_intercept=self.fit_intercept,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=self.random_state,
        )
        svm._fit_validated(X[:, self.selected_], y, sample_weight)
        self.coef_ = np.zeros((svm.coef_.shape[0], X.shape[1]))
        self.coef_[:, self.selected_] = svm.coef_
        self.intercept_ = svm.intercept_
        self.n_iter_ = svm.n_iter_
        return self

    def select(self, X, y, sample_weight=None) -> np.ndarray:
        """Stage 1 alone: the features that `fit` would give to the SVM, whatever its alpha."""
        self._selected_from(X, y, sample_weight)
        return self.selected_

    def _selected_from(self, X, y, sample_weight):
        columns = getattr(X, "columns", None)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        self._set_classes(y)
        self.groups_, strengths = self._strengths(X, y, columns, sample_weight)
        self.selected_ = self._select(strengths)
        return X, y

    def _strengths(self, X, y, columns, sample_weight):
        """The groups, and each feature's largest |wᵢ| over the exclusive lassos of the classes."""
        groups, strengths = self.groups, np.zeros(X.shape[1])
        if groups is not None and not isinstance(groups, (int, np.integer)):
            groups = Groups.resolve(groups, X.shape[1], columns=columns)
        for positive in self.classes_[1:] if self.classes_.size == 2 else self.classes_:
            lasso = ExclusiveLasso(
                self.lam,
                groups=groups,
                fit_intercept=self.fit_intercept,
                tol=self.tol,
                random_state=self.random_state,
            ).fit(X, np.where(y == positive, 1.0, -1.0), sample_weight=sample_weight)
            groups = lasso.groups_
            strengths = np.maximum(strengths, np.abs(lasso.coef_))
        return groups, strengths

    def _select(self, strengths) -> np.ndarray:
        if self.n_selected is not None:
            if not 1 <= self.n_selected <= strengths.size:
                raise ValueError(
                    f"n_selected must be between 1 and {strengths.size}, got {self.n_selected}."
                )
            return np.sort(np.argsort(-strengths, kind="stable")[: self.n_selected])
        if not 0.0 <= self.threshold < 1.0:
            raise ValueError(f"threshold must be at least 0 and below 1, got {self.threshold}.")
        selected = np.flatnonzero(strengths > self.threshold * strengths.max())
        # Labels that no feature correlates with select nothing; the SVM then needs some column.
        return selected if selected.size else np.array([0])


@dataclass(frozen=True)
class Classifier:
    """One row of the comparison: how it is called, who made it, and which strengths it has."""

    key: str
    label: str
    reference: str
    strengths: tuple[str, ...]
    build: Callable
    uses_groups: bool = False


CLASSIFIERS: Mapping[str, Classifier] = MappingProxyType(
    {
        row.key: row
        for row in (
            Classifier("svm", "SVM", "standard, ℓ2", ("alpha",), StandardSVC),
            Classifier("sparse_svm", "S-SVM", "Bi et al. 2003, ℓ1", ("lam",), SparseSVC),
            Classifier("kong", "Kong", "Kong et al. 2014", ("lam", "alpha"), KongSVC, True),
            Classifier(
                "esvm", "E-SVM", "Huang & Liu, known groups", ("alpha", "beta"), ExclusiveSVC, True
            ),
            Classifier(
                "esvm_r", "E-SVM(R)", "Huang & Liu, random groups", ("alpha", "beta"), ExclusiveSVC
            ),
            Classifier("logistic_l1", "ℓ1 logistic", "standard, ℓ1", ("lam",), L1Logistic),
        )
    }
)


def make_classifier(
    key: str,
    *,
    groups=None,
    n_groups: int | None = None,
    fit_intercept=True,
    tol=1e-4,
    max_iter=None,
    random_state=None,
    **strengths,
):
    """A classifier of the comparison, ready for `fit`, by one interface for all

    `groups` is what is known about the features: E-SVM and Kong's selection use it, the others
    ignore it, so that one call serves every row. E-SVM(R), and Kong's selection where nothing is
    known, draw `n_groups` random groups, or the recommended number: the same for the same seed.
    `strengths` are those in `CLASSIFIERS[key].strengths`, 1 by default.
    """
    if key not in CLASSIFIERS:
        raise ValueError(
            f"there is no classifier {key!r}; choose one of: {', '.join(CLASSIFIERS)}."
        )
    row = CLASSIFIERS[key]
    unknown = [name for name in strengths if name not in row.strengths]
    if unknown:
        raise ValueError(
            f"{row.label} has no strength {unknown[0]!r}; it has: {', '.join(row.strengths)}."
        )
    common = dict(
        fit_intercept=fit_intercept, tol=tol, max_iter=max_iter, random_state=random_state
    )
    if key == "esvm" and groups is None:
        raise ValueError("E-SVM needs groups; without any, use 'esvm_r', which draws them.")
    if row.uses_groups:
        common["groups"] = n_groups if groups is None else groups
    elif key == "esvm_r":
        common["groups"] = n_groups
    return row.build(**strengths, **common)


_LIBLINEAR_ITERATIONS = 10_000
_INTERCEPT_SCALING = 100.0


def _dense(coef) -> np.ndarray:
    return coef.toarray() if sparse.issparse(coef) else np.asarray(coef)


def _for_liblinear(X):
    """libsvm and liblinear index sparse data with 32 bits."""
    if not sparse.issparse(X) or X.indices.dtype == np.int32:
        return X
    return sparse.csr_array(
        (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape
    )
