"""What exclusive sparsity is compared with: other classifiers, and least squares in other norms.

Classifiers: `make_classifier(key, groups=…, alpha=…, …)` builds any row of the paper's comparison
by one constructor. Strengths mean the same everywhere: the loss is a sum over samples, `alpha`
multiplies ½‖w‖², `lam` the method's own norm, `beta` ½‖w‖_e².

Norms: `fit_norm(key, X, y, groups, lam)` solves least squares under ridge, lasso, group lasso or
exclusive lasso, each with a certified gap; `match_nonzeros` and `match_training_loss` find the λ at
which they can be compared fairly.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import signature
from types import MappingProxyType

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from .api import solve_lasso
from .estimators import ExclusiveLasso, ExclusiveSVC, LinearDecisions, lam_scale
from .fista import fista
from .formulations import LOCP
from .groups import Groups
from .method import Method, disjoint
from .problems import Candidate, LassoProblem, SmoothProblem, relative_gap
from .rivals.least_squares import LeastSquares
from .tracking import solve
from .validation import as_data_matrix, as_positive, as_target

__all__ = [
    "CLASSIFIERS",
    "NORMS",
    "Fit",
    "GroupLassoProblem",
    "KongSVC",
    "L1Logistic",
    "SparseSVC",
    "StandardSVC",
    "fit_norm",
    "group_lasso",
    "largest_useful_lam",
    "make_classifier",
    "match_nonzeros",
    "match_training_loss",
]


# -- classifiers -----------------------------------------------------------------------------


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
            self._binary_model().fit(X, (y == positive).astype(int), sample_weight=sample_weight)
            for positive in positives
        ]
        self.coef_ = np.vstack([_dense(model.coef_) for model in models])
        self.intercept_ = np.array([np.ravel(model.intercept_)[0] for model in models], dtype=float)
        self.n_iter_ = max(int(np.max(model.n_iter_)) for model in models)


class StandardSVC(_Delegating):
    """min over w, b of Σᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖²

    libsvm with a linear kernel, one class against the rest; without an intercept, which libsvm
    cannot leave out, liblinear's dual solver of the same problem. C is 1/alpha.
    """

    def __init__(
        self, alpha=1.0, *, fit_intercept=True, tol=1e-4, max_iter=None, random_state=None
    ):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _binary_model(self):
        C = 1.0 / as_positive(self.alpha, "alpha")
        if self.fit_intercept:
            limit = -1 if self.max_iter is None else self.max_iter
            return SVC(kernel="linear", C=C, tol=self.tol, max_iter=limit)
        return LinearSVC(
            loss="hinge",
            C=C,
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


def _table(*rows):
    return MappingProxyType({row.key: row for row in rows})


CLASSIFIERS: Mapping[str, Classifier] = _table(
    Classifier("svm", "SVM", "standard, ℓ2", ("alpha",), StandardSVC),
    Classifier("sparse_svm", "S-SVM", "Bi et al. 2003, ℓ1", ("lam",), SparseSVC),
    Classifier("kong", "Kong", "Kong et al. 2014", ("lam", "alpha"), KongSVC, True),
    Classifier("esvm", "E-SVM", "Huang & Liu, known groups", ("alpha", "beta"), ExclusiveSVC, True),
    Classifier("esvm_r", "E-SVM(R)", "Huang & Liu, random groups", ("alpha", "beta"), ExclusiveSVC),
    Classifier("logistic_l1", "ℓ1 logistic", "standard, ℓ1", ("lam",), L1Logistic),
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


# -- the group lasso -------------------------------------------------------------------------


class GroupNormPenalty:
    """Ω(w) = λ ‖w‖₂,₁ = λ Σ_g ‖w_g‖₂, disjoint groups, in the interface of `ExclusivePenalty`

    The dual norm is max_g ‖v_g‖₂, so Ω*(v) = 0 where that is at most λ, else ∞.
    """

    def __init__(self, groups: Groups, lam: float):
        self.groups = groups
        self.lam = lam

    def value(self, w) -> float:
        return self.lam * float(np.sum(self._group_lengths(w)))

    def cover(self, v, w) -> np.ndarray:
        return self._group_lengths(v)

    def conjugate(self, cover) -> float:
        # The scaling in `largest_multiple` meets the bound up to rounding only.
        return 0.0 if cover.max() <= self.lam * (1.0 + 1e-14) else np.inf

    def largest_multiple(self, cover) -> float:
        largest = cover.max()
        return self.lam / largest if largest > 0.0 else np.inf

    def _group_lengths(self, values) -> np.ndarray:
        return np.sqrt(self.groups.sum(values * values))


class GroupLassoProblem(SmoothProblem):
    """min over w, b of ½ Σᵢ ωᵢ(xᵢᵀw + b − yᵢ)² + λ Σ_g ‖w_g‖₂ (Yuan & Lin 2006)

    Certified like every smooth problem: the dual bound at θ = y − Xw − b, scaled into
    max_g ‖(Xᵀθ)_g‖₂ ≤ λ. Groups weigh the same whatever their size. Disjoint groups only.
    """

    def __init__(self, X, y, groups, lam, **options):
        super().__init__(X, y, groups, lam, exponent=1.0, **options)
        if self.groups.overlapping:
            raise ValueError(
                "GroupLassoProblem needs disjoint groups, and these overlap; fit_norm solves the "
                "latent group lasso for them."
            )
        self.penalty = GroupNormPenalty(self.groups, self.lam)


class _GroupShrinkage(LOCP):
    """F = f(Xw), H = λ‖w‖₂,₁: the prox scales each group by (1 − step·λ/‖c_g‖)₊"""

    def prox(self, x, scale):
        groups, c = self.problem.groups, x[: self.n]
        lengths = np.sqrt(groups.sum(c * c))
        level = scale * self._zeta
        factors = np.zeros_like(lengths)
        np.divide(lengths - level, lengths, out=factors, where=lengths > level)
        w = groups.spread(factors) * c
        return w if x.size == self.n else np.append(w, x[self.n :])


def _run_group_shrinkage(problem, w0, *, restart=True):
    posed = _GroupShrinkage(problem)
    for x, average in fista(posed, posed.start(w0), restart=restart):
        yield partial(posed.candidate, x, average)


group_lasso = Method(
    "group_lasso",
    "FISTA, group lasso",
    "Yuan & Lin 2006; Beck & Teboulle 2009",
    _run_group_shrinkage,
    accepts=disjoint,
)


# -- least squares in four norms -------------------------------------------------------------


@dataclass(frozen=True)
class Fit:
    """A least-squares fit under one norm. `gap` is certified and relative."""

    key: str
    lam: float
    w: np.ndarray
    intercept: float
    loss: float
    objective: float
    gap: float

    @property
    def nonzeros(self) -> int:
        """Weights above 1e-6 of the largest: what an iterative method leaves below is not there."""
        return int(np.count_nonzero(np.abs(self.w) > 1e-6 * np.abs(self.w).max()))


@dataclass(frozen=True)
class Norm:
    """A norm of the paper's Figure 1 as a penalty on ½‖Xw + b − y‖²."""

    key: str
    label: str
    penalty: str
    solve: Callable
    lam_scale: Callable
    sparse: bool = True


def fit_norm(key, X, y, groups, lam, *, fit_intercept=False, tol=1e-6, max_iter=None, w0=None):
    """min over w, b of ½‖Xw + b − y‖² + penalty, for the penalty that `key` names

    "ridge" λ/2‖w‖², "lasso" λ‖w‖₁, "group" λΣ_g‖w_g‖₂ and "exclusive" λ/2‖w‖_e². Ridge is a
    linear system, the lasso scikit-learn's coordinate descent, the other two are ours. Whoever
    solved it, the gap is this package's certificate. Overlapping groups make "group" the latent
    group lasso (Jacob et al. 2009): each group has its own copy v^g of its features,
    w = Σ_g v^g and the penalty is λΣ_g‖v^g‖₂.
    """
    norm = _norm(key)
    columns = getattr(X, "columns", None)
    X = as_data_matrix(X)
    y = as_target(y, X.shape[0])
    groups = Groups.resolve(groups, X.shape[1], columns=columns)
    lam = as_positive(lam, "lam")
    w, intercept, objective, gap = norm.solve(
        X, y, groups, lam, fit_intercept=fit_intercept, tol=tol, max_iter=max_iter, w0=w0
    )
    residual = X @ w + intercept - y
    loss = 0.5 * float(residual @ residual)
    return Fit(key, lam, w, float(intercept), loss, float(objective), float(gap))


def largest_useful_lam(key, X, y, groups, *, fit_intercept=False) -> float:
    """From here on a larger λ changes nothing worth seeing

    For "lasso" and "group" exactly the λ that makes w = 0. The squared norms never do: for "ridge"
    100‖X‖₂², for "exclusive" 100λ₀, where one feature a group is left and only shrinks.
    """
    norm = _norm(key)
    columns = getattr(X, "columns", None)
    X = as_data_matrix(X)
    groups = Groups.resolve(groups, X.shape[1], columns=columns)
    return norm.lam_scale(X, as_target(y, X.shape[0]), groups, fit_intercept)


def match_nonzeros(
    key, X, y, groups, wanted, *, n_lams=25, smallest=1e-4, refinements=12, **options
) -> Fit:
    """The fit whose number of nonzeros is nearest to `wanted`, on a path in λ

    Walks down a geometric grid from `largest_useful_lam` to `smallest` of it, each fit starting the
    next, until the number is passed, then bisects log λ between the last two. Nearest need not be
    equal: the group lasso moves by whole groups, and the exclusive norm keeps one feature of
    every group. The first of equals, which is the strongest penalty, wins.
    """
    if not _norm(key).sparse:
        raise ValueError(
            f"{_norm(key).label} has no zeros to count; match its training loss instead."
        )
    if wanted < 1:
        raise ValueError(f"the wanted number of nonzeros must be at least 1, got {wanted}.")
    top = largest_useful_lam(key, X, y, groups, fit_intercept=options.get("fit_intercept", False))
    fits: list[Fit] = []

    def fit(lam):
        start = fits[-1].w if fits else None
        fits.append(fit_norm(key, X, y, groups, lam, w0=start, **options))
        return fits[-1].nonzeros

    high = low = None
    for lam in np.geomspace(top, smallest * top, n_lams):
        if fit(lam) >= wanted:
            low = lam
            break
        high = lam
    if low is not None and high is not None and fits[-1].nonzeros != wanted:
        for _ in range(refinements):
            middle = np.sqrt(low * high)
            nonzeros = fit(middle)
            if nonzeros == wanted:
                break
            low, high = (middle, high) if nonzeros > wanted else (low, middle)
    return min(fits, key=lambda fit: (abs(fit.nonzeros - wanted), -fit.lam))


def match_training_loss(
    key, X, y, groups, wanted, *, rtol=1e-3, smallest=1e-10, max_fits=60, **options
) -> Fit:
    """The fit whose training loss ½‖Xw + b − y‖² is `wanted`, within rtol

    The loss grows with λ, from that of least squares to that of w = 0, so bisection in log λ finds
    it.
    """
    wanted = as_positive(wanted, "the wanted loss")
    high = largest_useful_lam(key, X, y, groups, fit_intercept=options.get("fit_intercept", False))
    fits: list[Fit] = []

    def loss(lam):
        start = fits[-1].w if fits else None
        fits.append(fit_norm(key, X, y, groups, lam, w0=start, **options))
        return fits[-1].loss

    def found():
        return abs(fits[-1].loss - wanted) <= rtol * wanted

    floor, ceiling = smallest * high, 1e6 * high
    while loss(high) < wanted and not found():
        if high >= ceiling or not fits[-1].w.any():
            raise ValueError(
                f"a training loss of {wanted:g} is out of reach: it is {fits[-1].loss:g} even with "
                "w near 0; ask for less."
            )
        high *= 10.0
    low = high
    while not found() and fits[-1].loss > wanted:
        if low <= floor:
            raise ValueError(
                f"a training loss of {wanted:g} is out of reach: it is {fits[-1].loss:g} even at "
                f"lam={low:g}; ask for more."
            )
        high, low = low, 0.1 * low
        loss(low)
    while not found() and len(fits) < max_fits:
        middle = np.sqrt(low * high)
        low, high = (low, middle) if loss(middle) > wanted else (middle, high)
    return min(fits, key=lambda fit: abs(fit.loss - wanted))


def _solve_ridge(X, y, groups, lam, *, fit_intercept, tol, max_iter, w0):
    problem = _singletons_problem(X, y, lam, 2.0, fit_intercept)
    w = LeastSquares(problem).reweighted_ridge(np.ones(X.shape[1]), lam)
    if w is None:
        raise ValueError(
            f"ridge with lam={lam:g} is singular in floating-point arithmetic; use a larger lam."
        )
    return _certified(problem, w)


def _solve_l1(X, y, groups, lam, *, fit_intercept, tol, max_iter, w0):
    n_samples = X.shape[0]
    model = Lasso(
        alpha=lam / n_samples,
        fit_intercept=fit_intercept,
        # scikit-learn's tolerance is relative to ‖y‖², which may be far above the objective.
        tol=1e-3 * tol,
        max_iter=_COORDINATE_SWEEPS if max_iter is None else max_iter,
        warm_start=True,
    )
    if w0 is not None:
        model.coef_ = w0.copy()
    with warnings.catch_warnings():
        # The certificate below says how good it is.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    return _certified(_singletons_problem(X, y, 2.0 * lam, 1.0, fit_intercept), model.coef_)


def _solve_group(X, y, groups, lam, *, fit_intercept, tol, max_iter, w0):
    copies = groups
    if groups.overlapping:
        X = X[:, groups.indices]
        copies = Groups.from_labels(groups.member_groups)
        w0 = None if w0 is None else (w0 / groups.overlap_counts)[groups.indices]
    problem = GroupLassoProblem(X, y, copies, lam, fit_intercept=fit_intercept)
    result = solve(problem, group_lasso, tol=tol, max_iter=max_iter, w0=w0)
    w = groups.scatter(result.w) if groups.overlapping else result.w
    return w, result.intercept, result.objective, result.gap


def _solve_exclusive(X, y, groups, lam, *, fit_intercept, tol, max_iter, w0):
    result = solve_lasso(
        X, y, groups, lam, fit_intercept=fit_intercept, tol=tol, max_iter=max_iter, w0=w0
    )
    return result.w, result.intercept, result.objective, result.gap


def _singletons_problem(X, y, lam, exponent, fit_intercept) -> LassoProblem:
    """λ/2 Σᵢ |wᵢ|^q: with every feature a group of its own, ridge is q = 2 and the lasso q = 1."""
    groups = Groups.contiguous(X.shape[1], X.shape[1])
    return LassoProblem(X, y, groups, lam, exponent=exponent, fit_intercept=fit_intercept)


def _certified(problem, w):
    score = problem.score(Candidate(w))
    return w, score.intercept, score.objective, relative_gap(score.objective, score.bound)


def _correlations(X, y, fit_intercept) -> np.ndarray:
    """Xᵀ(y − ȳ), or Xᵀy without an intercept."""
    return np.asarray((y - y.mean() if fit_intercept else y) @ X).reshape(-1)


def _ridge_scale(X, y, groups, fit_intercept) -> float:
    design = _singletons_problem(X, y, 1.0, 2.0, fit_intercept).design
    return 100.0 * design.largest_eigenvalue(np.ones(X.shape[0])) or 1.0


def _l1_scale(X, y, groups, fit_intercept) -> float:
    return float(np.abs(_correlations(X, y, fit_intercept)).max()) or 1.0


def _group_scale(X, y, groups, fit_intercept) -> float:
    squares = _correlations(X, y, fit_intercept) ** 2
    return float(np.sqrt(groups.sum(squares).max())) or 1.0


def _exclusive_scale(X, y, groups, fit_intercept) -> float:
    return 100.0 * lam_scale(X, y, np.ones(X.shape[0]), groups, fit_intercept)


NORMS: Mapping[str, Norm] = _table(
    Norm("ridge", "ridge", "λ/2 ‖w‖²", _solve_ridge, _ridge_scale, sparse=False),
    Norm("lasso", "lasso", "λ ‖w‖₁", _solve_l1, _l1_scale),
    Norm("group", "group lasso", "λ ‖w‖₂,₁", _solve_group, _group_scale),
    Norm("exclusive", "exclusive lasso", "λ/2 ‖w‖_e²", _solve_exclusive, _exclusive_scale),
)


def _norm(key) -> Norm:
    if key not in NORMS:
        raise ValueError(f"there is no norm {key!r}; choose one of: {', '.join(NORMS)}.")
    return NORMS[key]


_COORDINATE_SWEEPS = 100_000
