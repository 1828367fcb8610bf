"""scikit-learn estimators: exclusive lasso, logistic regression and support vector machine.

They minimise a *sum* of losses plus the penalty, so that `lam`, `alpha` and `beta` mean what they
mean in `solve_lasso`, `solve_logistic` and `solve_svm`; the standard SVM's C is 1/alpha. `tol` is
on the certified relative duality gap, which is kept as `dual_gap_`.

Three decisions make a fit repeatable:

- it is measured at iterations fixed in advance, never by the clock, so that two fits on the same
  data agree to the last digit;
- identical samples are merged into one that carries their total weight, which changes no objective
  and makes a weight of 3 the same computation as three copies, and samples are put into an order
  of their own, so that the order in which they come does not matter either;
- random groups are drawn once a fit, from `random_state`, and shared by all classes and folds.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Mapping
from inspect import Parameter, signature
from numbers import Integral
from typing import NamedTuple

import numpy as np
from scipy import sparse, special
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import get_scorer
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .grouping import recommend_n_groups
from .groups import Groups
from .norms import exclusive_norm
from .path import Path, lasso_path, svm_path
from .problems import LassoProblem, LogisticProblem, Problem, SVMProblem
from .registry import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, choose
from .selection import CRITERIA, degrees_of_freedom, information_criterion
from .tracking import Result, solve
from .validation import as_positive, as_weights, without_zero_weights

__all__ = [
    "ExclusiveLasso",
    "ExclusiveLassoCV",
    "ExclusiveLogistic",
    "ExclusiveSVC",
    "ExclusiveSVCCV",
    "default_n_groups",
]


def default_n_groups(n_features: int, total_weight: float) -> int:
    """m = recommend_n_groups(n, s) with s = min(⌈n/2⌉, total sample weight), the guess for s

    The number of true features s is unknown where `groups=None`. A linear model cannot pin down
    more features than it has samples (the paper's own experiments set s to the number of samples),
    and a sparse model uses at most half of them: with s = n every feature would be a group of its
    own, and the penalty would be ridge. Samples count by weight, so that repeating a row and
    doubling its weight give the same m.
    """
    n_true = min((n_features + 1) // 2, max(1, round(total_weight)))
    return recommend_n_groups(n_features, n_true)


# -- what all estimators share ---------------------------------------------------------------


class _Exclusive(BaseEstimator):
    """Groups, data and certified solves."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _resolve_groups(self, n_features, weight) -> Groups:
        spec = self.groups
        if spec is None:
            spec = default_n_groups(n_features, float(weight.sum()))
        state = self.random_state
        if state is None or isinstance(state, np.random.RandomState):
            # scikit-learn's convention: None follows numpy's global seed.
            state = int(check_random_state(state).randint(np.iinfo(np.int32).max))
        columns = getattr(self, "feature_names_in_", None)
        if columns is None and isinstance(spec, Mapping) and not all(map(_is_list, spec.values())):
            # scikit-learn keeps column names only where all of them are strings.
            raise ValueError(
                "groups that map column names to labels need X to be a frame with string column "
                "names; rename its columns, or give one label per feature."
            )
        return Groups.resolve(spec, n_features, columns=columns, random_state=state)

    def _certified(self, problem: Problem, methods, w0=None) -> Result:
        method = choose(methods, self.method, problem)
        return solve(
            problem,
            method,
            tol=self.tol,
            max_iter=_as_count(self.max_iter, method.max_iter),
            w0=w0,
            reproducible=True,
        )

    def _warn_unless_converged(self, results, what="the fit") -> None:
        """To be called by `fit` itself, so that the warning names the line that called `fit`."""
        missed = [result for result in results if not result.converged]
        if not missed:
            return
        worst = max(missed, key=lambda result: result.gap)
        share = what if len(results) == 1 else f"{len(missed)} of {len(results)} solves of {what}"
        warnings.warn(
            f"{share} missed tol={self.tol:g}: the certified relative gap is {worst.gap:.1e} "
            f"after {worst.n_iter} iterations ({worst.message}). Raise max_iter, loosen tol, or "
            "bring the features to one scale, for example with StandardScaler.",
            ConvergenceWarning,
            stacklevel=3,
        )


def _as_count(max_iter, default) -> int:
    if max_iter is None:
        return default
    if isinstance(max_iter, bool) or not isinstance(max_iter, Integral) or max_iter < 0:
        raise ValueError(f"max_iter must be a whole number of at least 0 or None, got {max_iter}.")
    return int(max_iter)


def _is_list(value) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def _checked_weights(sample_weight, n_samples) -> np.ndarray:
    if sample_weight is not None and not np.asarray(sample_weight).any():
        raise ValueError("all sample weights are zero; at least one sample must count.")
    return as_weights(sample_weight, n_samples)


def _distinct_samples(X, y, weight):
    """The samples of positive weight, each distinct (x, y) once, with its total weight

    In an order that depends on their contents only, because sums in another order round otherwise.
    """
    X, y, weight = without_zero_weights(X, y, weight)
    digests = np.array([_digest(row, label) for row, label in zip(_rows(X), y, strict=True)])
    _, first, copies = np.unique(digests, return_index=True, return_inverse=True)
    return X[first], y[first], np.bincount(copies.reshape(-1), weights=weight)


def _rows(X):
    """The bytes that make up each row."""
    if not sparse.issparse(X):
        yield from np.ascontiguousarray(X)
        return
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    for start, stop in zip(X.indptr[:-1], X.indptr[1:], strict=True):
        yield X.indices[start:stop].tobytes() + X.data[start:stop].tobytes()


def _digest(row, label) -> str:
    digest = hashlib.blake2b(row, digest_size=16)
    digest.update(np.float64(label).tobytes())
    # An array of bytes would lose trailing zeros; hexadecimal digits have none.
    return digest.hexdigest()


def _grid(spec, name, largest, eps) -> np.ndarray:
    """Values in descending order: as given, or that many from `largest` down to eps·largest."""
    if isinstance(spec, Integral) and not isinstance(spec, bool):
        if spec < 1:
            raise ValueError(f"{name} must be at least 1 when it is a number of values.")
        eps = as_positive(eps, "eps")
        return np.geomspace(largest, eps * largest, int(spec)) if spec > 1 else np.array([largest])
    if not isinstance(spec, Iterable):
        raise ValueError(f"{name} must be a number of values or a list of them, got {spec!r}.")
    values = np.sort(np.array([as_positive(value, name) for value in spec]))[::-1]
    if values.size == 0:
        raise ValueError(f"{name} is empty; give at least one value.")
    return values


class _Point(NamedTuple):
    """One point of a path, with what the estimators read off a `Result`."""

    w: np.ndarray
    intercept: float
    gap: float
    n_iter: int
    converged: bool

    @property
    def message(self) -> str:
        return "the path's point missed the tolerance"


def _points(path: Path) -> list[_Point]:
    columns = path.coefs, path.intercepts, path.gaps, path.iterations, path.converged
    return [
        _Point(w, float(b), float(gap), int(count), bool(good))
        for w, b, gap, count, good in zip(*columns, strict=True)
    ]


def _one_by_one(solve_one, strengths) -> list[Result]:
    """A path by the method the user names: each solution starts the next."""
    results, start = [], None
    for strength in strengths:
        results.append(solve_one(strength, start))
        start = results[-1].w
    return results


# -- exclusive lasso -------------------------------------------------------------------------


class _LassoBase(RegressorMixin, _Exclusive):
    def _validated(self, X, y, sample_weight):
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=True, multi_output=False
        )
        y = np.asarray(y, dtype=np.float64)
        weight = _checked_weights(sample_weight, X.shape[0])
        self.groups_ = self._resolve_groups(X.shape[1], weight)
        return X, y, weight

    def _solve(self, X, y, weight, lam, w0=None) -> Result:
        problem = LassoProblem(
            X, y, self.groups_, lam, fit_intercept=self.fit_intercept, sample_weight=weight
        )
        return self._certified(problem, LASSO_METHODS, w0)

    def _keep(self, result: Result) -> None:
        self.coef_ = result.w
        self.intercept_ = result.intercept
        self.n_iter_ = result.n_iter
        self.dual_gap_ = result.gap

    def predict(self, X) -> np.ndarray:
        """Xw + b"""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return X @ self.coef_ + self.intercept_


class ExclusiveLasso(_LassoBase):
    """min over w, b of ½ Σᵢ ωᵢ(xᵢᵀw + b − yᵢ)² + λ/2 ‖w‖_e²

    Parameters
    ----------
    lam : positive number; the loss is a sum, not a mean.
    groups : None for random groups of the recommended number (`default_n_groups`), a number of
        random groups, one label per feature, lists of members, `Groups`, or for a frame a mapping
        from column names to labels or from groups to lists of column names.
    fit_intercept : whether b is fitted (without a penalty) or 0.
    method : a key of `LASSO_METHODS`, or "auto".
    tol : certified relative duality gap at which to stop.
    max_iter : iteration limit, None for the method's own.
    random_state : seed of random groups.

    Attributes
    ----------
    coef_, intercept_, groups_, n_iter_, dual_gap_, n_features_in_, feature_names_in_
    """

    def __init__(
        self,
        lam=1.0,
        *,
        groups=None,
        fit_intercept=True,
        method="auto",
        tol=1e-4,
        max_iter=None,
        random_state=None,
    ):
        self.lam = lam
        self.groups = groups
        self.fit_intercept = fit_intercept
        self.method = method
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit to samples × features X, dense or sparse, and targets y."""
        X, y, weight = self._validated(X, y, sample_weight)
        result = self._solve(*_distinct_samples(X, y, weight), self.lam)
        self._warn_unless_converged([result])
        self._keep(result)
        return self


class ExclusiveLassoCV(_LassoBase):
    """The exclusive lasso with λ chosen by cross-validation, or by an information criterion

    The final fit is that of `ExclusiveLasso(lam=lam_, groups=groups_)` on all samples. Folds follow
    the warm-started path (`lasso_path`) from the largest λ down. Once `method` or `max_iter` is
    named, that method solves each λ of a fold instead, from the solution before. Information
    criteria count exact zeros, which not every method leaves, so they always use the path.

    Parameters
    ----------
    lams : how many values of λ, or the values. By themselves they run from 10λ₀ down to
        eps·10λ₀, where λ₀ (`lam_scale`) is the λ that halves the best single-feature-a-group fit.
    eps : smallest over largest λ of an automatic grid.
    cv : folds as in scikit-learn, None for five.
    criterion : "cv" (mean squared error over the folds), "bic" or "ebic" (`solvers.selection`).
    groups, fit_intercept, method, tol, max_iter, random_state : as for `ExclusiveLasso`.

    Attributes
    ----------
    lam_, lams_ (descending), and with "cv" mse_path_ (len(lams_) × folds), otherwise
    criterion_path_ and df_path_ (len(lams_)); the rest as for `ExclusiveLasso`.
    """

    def __init__(
        self,
        *,
        lams=21,
        eps=1e-5,
        cv=None,
        criterion="cv",
        groups=None,
        fit_intercept=True,
        method="auto",
        tol=1e-4,
        max_iter=None,
        random_state=None,
    ):
        self.lams = lams
        self.eps = eps
        self.cv = cv
        self.criterion = criterion
        self.groups = groups
        self.fit_intercept = fit_intercept
        self.method = method
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Choose λ, then fit to samples × features X, dense or sparse, and targets y."""
        if self.criterion not in ("cv", *CRITERIA):
            raise ValueError(
                f"there is no criterion {self.criterion!r}; "
                f"choose one of: {', '.join(['cv', *CRITERIA])}."
            )
        X, y, weight = self._validated(X, y, sample_weight)
        samples = _distinct_samples(X, y, weight)
        scale = lam_scale(*samples, self.groups_, self.fit_intercept)
        self.lams_ = _grid(self.lams, "lams", 10.0 * scale, self.eps)
        if self.criterion == "cv":
            best, solved = self._cross_validate(X, y, weight)
            self._warn_unless_converged(solved, "cross-validation")
        else:
            best, solved = self._compare_criteria(*samples)
            self._warn_unless_converged(solved, "the path")
        self.lam_ = float(self.lams_[best])
        result = self._solve(*samples, self.lam_)
        self._warn_unless_converged([result])
        self._keep(result)
        return self

    def _cross_validate(self, X, y, weight) -> tuple[int, list]:
        """Which λ is best, and all that was solved to find out."""
        folds = list(check_cv(self.cv, y, classifier=False).split(X, y))
        self.mse_path_ = np.empty((self.lams_.size, len(folds)))
        solved = []
        for fold, (train, test) in enumerate(folds):
            samples = _distinct_samples(X[train], y[train], weight[train])
            results = self._fold_path(*samples)
            for row, result in enumerate(results):
                errors = (X[test] @ result.w + result.intercept - y[test]) ** 2
                self.mse_path_[row, fold] = _weighted_mean(errors, weight[test])
            solved += results
        # The first of equals: the strongest penalty.
        return int(np.argmin(np.nanmean(self.mse_path_, axis=1))), solved

    def _fold_path(self, X, y, weight) -> list[_Point] | list[Result]:
        if self.method != "auto" or self.max_iter is not None:
            return _one_by_one(lambda lam, w0: self._solve(X, y, weight, lam, w0), self.lams_)
        return self._path(X, y, weight)

    def _path(self, X, y, weight) -> list[_Point]:
        options = dict(tol=self.tol, fit_intercept=self.fit_intercept, sample_weight=weight)
        return _points(lasso_path(X, y, self.groups_, self.lams_, **options))

    def _compare_criteria(self, X, y, weight) -> tuple[int, list]:
        """Which λ is best, and all that was solved to find out."""
        results = self._path(X, y, weight)
        common = dict(fit_intercept=self.fit_intercept, sample_weight=weight)
        pairs = list(zip(self.lams_, results, strict=True))
        self.df_path_ = np.array(
            [degrees_of_freedom(X, self.groups_, lam, r.w, **common) for lam, r in pairs]
        )
        self.criterion_path_ = np.array(
            [
                information_criterion(
                    X,
                    y,
                    self.groups_,
                    lam,
                    r.w,
                    r.intercept,
                    criterion=self.criterion,
                    **common,
                )
                for lam, r in pairs
            ]
        )
        return int(np.argmin(self.criterion_path_)), results


def lam_scale(X, y, weight, groups: Groups, fit_intercept=True) -> float:
    """λ₀ = ‖Xu‖²/‖u‖_e², u each group's largest correlation Xᵢᵀy at its feature, 0 elsewhere

    Along u the best multiple is shrunk by 1/(1 + λ/λ₀), so λ₀ sets the scale on which λ matters:
    there is no λ_max, because the squared norm is flat at 0.
    """
    problem = LassoProblem(X, y, groups, 1.0, fit_intercept=fit_intercept, sample_weight=weight)
    centre = problem.best_intercept(np.zeros(problem.n_samples))
    u = _strongest(problem.design.rmatvec(problem.sample_weight * (problem.y - centre)), groups)
    size = exclusive_norm(u, groups)
    if size == 0.0:
        return 1.0
    image = problem.design.matvec(u / size)
    return float(problem.sample_weight @ (image * image)) or 1.0


def _strongest(v, groups: Groups) -> np.ndarray:
    """v at the entry of largest magnitude of each group, the first of equals; 0 elsewhere."""
    magnitudes = groups.gather(np.abs(v))
    order = np.lexsort((-magnitudes, groups.member_groups))
    winners = groups.indices[order[groups.indptr[:-1]]]
    u = np.zeros_like(v)
    u[winners] = v[winners]
    return u


def _weighted_mean(values, weight) -> float:
    total = weight.sum()
    return float(weight @ values / total) if total > 0.0 else np.nan


# -- classifiers -----------------------------------------------------------------------------


class LinearDecisions(ClassifierMixin):
    """What linear classifiers do with `classes_`, `coef_` and `intercept_`, however fitted."""

    def _set_classes(self, y) -> None:
        classes = np.unique(y)
        if classes.size < 2:
            raise ValueError(
                f"{type(self).__name__} needs samples of at least two classes, but all samples "
                f"that count are of one class: {classes.tolist()[0]!r}."
            )
        self.classes_ = classes

    def decision_function(self, X) -> np.ndarray:
        """Xw + b: one number per sample for two classes, else one per sample and class."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        scores = X @ self.coef_.T + self.intercept_
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X) -> np.ndarray:
        """The class of the largest score."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0.0).astype(int)]
        return self.classes_[np.argmax(scores, axis=1)]


class _ClassifierBase(LinearDecisions, _Exclusive):
    """One-vs-rest linear classification; two classes are one problem."""

    def _validated(self, X, y, sample_weight):
        """X, the class codes and the weights, class weights included; sets classes_, groups_."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        weight = _checked_weights(sample_weight, X.shape[0])
        # A sample of weight 0 counts as absent, and so does a class that has no others.
        self._set_classes(y[weight > 0.0])
        self.groups_ = self._resolve_groups(X.shape[1], weight)
        counted = np.isin(y, self.classes_)
        codes = np.zeros(y.shape[0])
        codes[counted] = np.searchsorted(self.classes_, y[counted])
        return X, y, codes, weight * self._class_weights(y, codes, weight)

    def _class_weights(self, y, codes, weight) -> np.ndarray:
        """The weight of each sample's class, from all samples, so that folds share it."""
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            totals = np.bincount(codes.astype(int), weights=weight, minlength=self.classes_.size)
            per_class = weight.sum() / (self.classes_.size * totals)
        else:
            per_class = compute_class_weight(
                self.class_weight, classes=self.classes_, y=y[np.isin(y, self.classes_)]
            )
        wrong = np.flatnonzero(~(np.isfinite(per_class) & (per_class > 0.0)))
        if wrong.size:
            raise ValueError(
                f"class_weight gives class {self.classes_.tolist()[wrong[0]]!r} the weight "
                f"{per_class[wrong[0]]:g}; weights must be positive and finite."
            )
        return per_class[codes.astype(int)]

    def _targets(self, codes) -> list[np.ndarray]:
        """±1 for each one-vs-rest problem; a single one for two classes."""
        if self.classes_.size == 2:
            return [np.where(codes == 1, 1.0, -1.0)]
        return [np.where(codes == k, 1.0, -1.0) for k in range(self.classes_.size)]

    def _keep(self, results) -> None:
        self.coef_ = np.array([result.w for result in results])
        self.intercept_ = np.array([result.intercept for result in results])
        self.n_iter_ = max(result.n_iter for result in results)
        self.dual_gap_ = max(result.gap for result in results)


class ExclusiveLogistic(_ClassifierBase):
    """min over w, b of Σᵢ ωᵢ log(1 + exp(−yᵢ(xᵢᵀw + b))) + λ/2 ‖w‖_e²

    More than two classes are solved one against the rest, with the same groups.

    Parameters
    ----------
    lam : positive number; the loss is a sum, so scikit-learn's C corresponds to 1/lam.
    class_weight : None, "balanced" or a mapping from class to weight.
    groups, fit_intercept, method, tol, max_iter, random_state : as for `ExclusiveLasso`.

    Attributes
    ----------
    classes_, coef_ (1 × n for two classes, else classes × n), intercept_, groups_, n_iter_ and
    dual_gap_ (the largest over the one-vs-rest problems), n_features_in_, feature_names_in_
    """

    def __init__(
        self,
        lam=1.0,
        *,
        groups=None,
        fit_intercept=True,
        class_weight=None,
        method="auto",
        tol=1e-4,
        max_iter=None,
        random_state=None,
    ):
        self.lam = lam
        self.groups = groups
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.method = method
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit to samples × features X, dense or sparse, and class labels y."""
        X, _, codes, weight = self._validated(X, y, sample_weight)
        X, codes, weight = _distinct_samples(X, codes, weight)
        results = [self._solve(X, target, weight) for target in self._targets(codes)]
        self._warn_unless_converged(results)
        self._keep(results)
        return self

    def _solve(self, X, target, weight) -> Result:
        problem = LogisticProblem(
            X,
            target,
            self.groups_,
            self.lam,
            fit_intercept=self.fit_intercept,
            sample_weight=weight,
        )
        return self._certified(problem, LOGISTIC_METHODS)

    def predict_proba(self, X) -> np.ndarray:
        """P(class | x): logistic for two classes, normalised one-vs-rest for more."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([special.expit(-scores), special.expit(scores)])
        # Normalised in logarithms: far from every class all the chances may underflow.
        return special.softmax(special.log_expit(scores), axis=1)

    def predict_log_proba(self, X) -> np.ndarray:
        """log P(class | x)"""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([special.log_expit(-scores), special.log_expit(scores)])
        return special.log_softmax(special.log_expit(scores), axis=1)


class _SVCBase(_ClassifierBase):
    def _solve(self, X, target, weight, alpha, beta, w0=None) -> Result:
        problem = SVMProblem(
            X,
            target,
            self.groups_,
            alpha,
            beta,
            fit_intercept=self.fit_intercept,
            sample_weight=weight,
        )
        return self._certified(problem, SVM_METHODS, w0)


class ExclusiveSVC(_SVCBase):
    """min over w, b of Σᵢ ωᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖² + β/2 ‖w‖_e²

    The paper's E-SVM; with random groups (`groups=None` or a number), its E-SVM(R). More than two
    classes are solved one against the rest, with the same groups.

    Parameters
    ----------
    alpha, beta : positive numbers; the loss is a sum, so the standard SVM's C is 1/alpha.
    class_weight : None, "balanced" or a mapping from class to weight.
    method : a key of `SVM_METHODS`, or "auto".
    groups, fit_intercept, tol, max_iter, random_state : as for `ExclusiveLasso`.

    Attributes
    ----------
    classes_, coef_ (1 × n for two classes, else classes × n), intercept_, groups_, n_iter_ and
    dual_gap_ (the largest over the one-vs-rest problems), n_features_in_, feature_names_in_
    """

    def __init__(
        self,
        alpha=1.0,
        beta=1.0,
        *,
        groups=None,
        fit_intercept=True,
        class_weight=None,
        method="auto",
        tol=1e-4,
        max_iter=None,
        random_state=None,
    ):
        self.alpha = alpha
        self.beta = beta
        self.groups = groups
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.method = method
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit to samples × features X, dense or sparse, and class labels y."""
        X, _, codes, weight = self._validated(X, y, sample_weight)
        X, codes, weight = _distinct_samples(X, codes, weight)
        results = [
            self._solve(X, target, weight, self.alpha, self.beta) for target in self._targets(codes)
        ]
        self._warn_unless_converged(results)
        self._keep(results)
        return self


class ExclusiveSVCCV(_SVCBase):
    """The exclusive SVM with α and β chosen by cross-validation

    The final fit is that of `ExclusiveSVC(alpha_, beta_, groups=groups_)` on all samples. For each
    α, folds follow the warm-started path over β (`svm_path`). Once `method` or `max_iter` is named,
    that method solves each β of a fold instead, from the solution before.

    Parameters
    ----------
    alphas, betas : how many values, or the values. By themselves they run from α₀ (or β₀) down to
        eps times it (`svm_scales`). Without an intercept, α₀ is where, with β = 0, the first sample
        leaves the margin, so that a larger α only shrinks w; the same holds for β₀ with α = 0 and
        disjoint groups. Otherwise they only set the scale of the grid. With more than two classes,
        the largest of the one-vs-rest problems.
    eps : smallest over largest value of an automatic grid.
    cv : folds as in scikit-learn, None for five, stratified.
    scoring : a scorer's name or callable, None for accuracy; higher is better. It must take
        sample_weight where `fit` is given any.
    groups, fit_intercept, class_weight, method, tol, max_iter, random_state : as for
        `ExclusiveSVC`.

    Attributes
    ----------
    alpha_, beta_, alphas_ and betas_ (descending), scores_ (alphas × betas × folds); the rest as
    for `ExclusiveSVC`. Among equal scores the largest β wins, then the largest α.
    """

    def __init__(
        self,
        *,
        alphas=3,
        betas=6,
        eps=1e-3,
        cv=None,
        scoring=None,
        groups=None,
        fit_intercept=True,
        class_weight=None,
        method="auto",
        tol=1e-4,
        max_iter=None,
        random_state=None,
    ):
        self.alphas = alphas
        self.betas = betas
        self.eps = eps
        self.cv = cv
        self.scoring = scoring
        self.groups = groups
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.method = method
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Choose α and β, then fit to samples × features X, dense or sparse, and class labels y."""
        X, y, codes, weight = self._validated(X, y, sample_weight)
        scorer = self._scorer(weighted=sample_weight is not None)
        samples = _distinct_samples(X, codes, weight)
        alpha_scale, beta_scale = self._scales(*samples)
        self.alphas_ = _grid(self.alphas, "alphas", alpha_scale, self.eps)
        self.betas_ = _grid(self.betas, "betas", beta_scale, self.eps)
        counts = None if sample_weight is None else _checked_weights(sample_weight, X.shape[0])
        solved = self._cross_validate(X, y, codes, weight, counts, scorer)
        self._warn_unless_converged(solved, "cross-validation")
        means = np.nanmean(self.scores_, axis=2)
        column, row = np.unravel_index(np.argmax(means.T), means.T.shape)
        self.alpha_, self.beta_ = float(self.alphas_[row]), float(self.betas_[column])
        distinct, codes, weight = samples
        results = [
            self._solve(distinct, target, weight, self.alpha_, self.beta_)
            for target in self._targets(codes)
        ]
        self._warn_unless_converged(results)
        self._keep(results)
        return self

    def _scales(self, X, codes, weight) -> tuple[float, float]:
        scales = [
            svm_scales(X, target, weight, self.groups_, self.fit_intercept)
            for target in self._targets(codes)
        ]
        alpha_scale, beta_scale = np.max(scales, axis=0)
        return float(alpha_scale), float(beta_scale)

    def _scorer(self, weighted):
        scorer = get_scorer("accuracy" if self.scoring is None else self.scoring)
        if weighted and not _takes_weights(scorer):
            raise ValueError(
                f"scoring={self.scoring!r} takes no sample_weight, but fit was given sample "
                "weights; use a scorer that takes them, or fit without weights."
            )
        return scorer

    def _cross_validate(self, X, y, codes, weight, counts, scorer) -> list:
        """All that was solved. `weight` is what the loss uses, `counts` what the score uses.

        They differ by the class weights.
        """
        folds = list(check_cv(self.cv, y, classifier=True).split(X, y))
        self.scores_ = np.empty((self.alphas_.size, self.betas_.size, len(folds)))
        solved = []
        for fold, (train, test) in enumerate(folds):
            samples = _distinct_samples(X[train], codes[train], weight[train])
            scored = {} if counts is None else {"sample_weight": counts[test]}
            for row, alpha in enumerate(self.alphas_):
                paths = self._paths(*samples, alpha)
                for column, beta in enumerate(self.betas_):
                    model = self._fitted(alpha, beta, [path[column] for path in paths])
                    empty = counts is not None and not counts[test].any()
                    score = np.nan if empty else scorer(model, X[test], y[test], **scored)
                    self.scores_[row, column, fold] = score
                solved += [result for path in paths for result in path]
        return solved

    def _paths(self, X, codes, weight, alpha) -> list[list[_Point] | list[Result]]:
        """One path over the betas for each one-vs-rest problem."""
        return [self._path(X, target, weight, alpha) for target in self._targets(codes)]

    def _path(self, X, target, weight, alpha) -> list[_Point] | list[Result]:
        if self.method != "auto" or self.max_iter is not None:
            return _one_by_one(
                lambda beta, w0: self._solve(X, target, weight, alpha, beta, w0), self.betas_
            )
        options = dict(tol=self.tol, fit_intercept=self.fit_intercept, sample_weight=weight)
        return _points(svm_path(X, target, self.groups_, alpha, self.betas_, **options))

    def _fitted(self, alpha, beta, results) -> ExclusiveSVC:
        """A model as `ExclusiveSVC.fit` leaves it, for the scorer to judge."""
        model = ExclusiveSVC(alpha, beta, groups=self.groups_, fit_intercept=self.fit_intercept)
        model.classes_ = self.classes_
        model.groups_ = self.groups_
        model.n_features_in_ = self.n_features_in_
        model._keep(results)
        return model


def _takes_weights(scorer) -> bool:
    """A scorer made of a metric takes sample_weight and hands it on, whether or not that does."""
    parameters = signature(getattr(scorer, "_score_func", scorer)).parameters
    anything = any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values())
    return anything or "sample_weight" in parameters


def svm_scales(X, y, weight, groups: Groups, fit_intercept=True) -> tuple[float, float]:
    """α₀, β₀ = maxᵢ yᵢxᵢᵀv for the direction v = Xᵀ(y⊙u), and for v's strongest entry in each group

    While every sample is inside the margin, u = ω, so w is v over α if β = 0, and for α = 0 the
    entry of largest magnitude of each group over β. Without an intercept the first sample leaves
    the margin exactly at α₀, and with disjoint groups exactly at β₀. With an intercept, u is ω with
    the heavier class scaled down to the lighter, which is one of many choices, and in overlapping
    groups the entries compete; then both only set the scale of a grid.
    """
    problem = SVMProblem(X, y, groups, 1.0, 1.0, fit_intercept=fit_intercept, sample_weight=weight)
    u = problem.sample_weight.copy()
    if fit_intercept:
        totals = [u[problem.y > 0].sum(), u[problem.y < 0].sum()]
        for sign, total in zip((1, -1), totals, strict=True):
            u[problem.y == sign] *= min(totals) / total if total > 0.0 else 0.0
    v = problem.weighted_samples(u)
    scales = []
    for direction in (v, _strongest(v, groups)):
        largest = float((problem.y * problem.design.matvec(direction)).max())
        scales.append(largest if largest > 0.0 else 1.0)
    return scales[0], scales[1]
