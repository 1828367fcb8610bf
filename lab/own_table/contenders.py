"""Who is compared: our models and the usual choices, each fitted to encoded rows.

A final fit (`fit_final`) goes through the public estimators at their full tolerance, so that a
script of a few lines gets the same digits. Many fits over a grid of strengths are those of `paths`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ElasticNet
from sklearn.utils.class_weight import compute_sample_weight

from lab.own_table.strengths import ALPHA_SHARE, SHARES, Grid, Point
from solvers import (
    ExclusiveLasso,
    ExclusiveLogistic,
    ExclusivePoisson,
    ExclusiveSVC,
    Groups,
    solve_huber,
)
from solvers.comparisons import fit_norm, largest_useful_lam, make_classifier
from solvers.scales import lambda_0, svm_scales

TOLERANCE = 1e-6
TREES = 200
MOST_LOG = 50.0  # of a count predicted for a row far outside
# A weight below a thousandth of the largest decides nothing, and no solver leaves exact zeros in
# every case; one rule for all.
SELECTED_SHARE = 1e-3


@dataclass(frozen=True)
class Contender:
    """A row of a comparison. `grouped` ones compete inside the groups.

    `cost` is that of a fold, relative to others of its kind: the classifiers' are seconds as
    `benchmarks.own_table` found them on 1,427 × 4,322.
    """

    key: str
    label: str
    role: str  # "ours", "rival" or "baseline"
    targets: tuple[str, ...]
    grouped: bool = False
    cost: float = 1.0


_CLASSES, _NUMBERS = ("classes",), ("quantity", "counts")
CONTENDERS: Mapping[str, Contender] = {
    each.key: each
    for each in (
        Contender("esvm", "E-SVM", "ours", _CLASSES, True, 7.0),
        Contender("esvm_r", "E-SVM(R)", "ours", _CLASSES, True, 7.0),
        Contender("logistic", "exclusive logistic", "ours", _CLASSES, True, 3.0),
        Contender("svm", "SVM", "rival", _CLASSES, False, 4.0),
        Contender("sparse_svm", "S-SVM", "rival", _CLASSES, False, 15.0),
        Contender("kong", "Kong", "rival", _CLASSES, True, 6.0),
        Contender("logistic_l1", "ℓ1 logistic", "rival", _CLASSES, False, 5.0),
        Contender("lasso_e", "exclusive lasso", "ours", _NUMBERS, True, 3.0),
        Contender("huber_e", "exclusive Huber", "ours", ("quantity",), True, 4.0),
        Contender("poisson_e", "exclusive Poisson", "ours", ("counts",), True, 4.0),
        Contender("ridge", "ridge", "rival", _NUMBERS, False, 1.0),
        Contender("lasso", "lasso", "rival", _NUMBERS, False, 2.0),
        Contender("elastic_net", "elastic net", "rival", _NUMBERS, False, 2.0),
        Contender("group_lasso", "group lasso", "rival", _NUMBERS, True, 6.0),
        Contender("forest", "random forest", "rival", (*_CLASSES, *_NUMBERS), False, 3.0),
        Contender("covariates", "covariates alone", "baseline", (*_CLASSES, *_NUMBERS), False, 1.0),
        Contender("majority", "majority class", "baseline", _CLASSES, False, 0.1),
        Contender("mean", "mean", "baseline", _NUMBERS, False, 0.01),
    )
}
LABELS = {key: each.label for key, each in CONTENDERS.items()}


@dataclass(frozen=True, eq=False)
class Rows:
    """Encoded rows to fit to: y holds class codes (`n_classes` of them) or numbers (then it is 0).

    `options` are the constraints of our models, `positive` and `feature_weight` as in `solvers`,
    for features times `turned`: a weight that is to be at most 0 is one that is to be at least 0.
    `made` is what was found on these very rows and may be asked for again.
    """

    X: np.ndarray
    y: np.ndarray
    n_classes: int
    groups: Groups | None = None
    balanced: bool = False
    seed: int = 0
    options: Mapping[str, np.ndarray] = field(default_factory=dict)
    turned: np.ndarray | None = None
    made: dict = field(default_factory=dict, init=False, repr=False)

    def as_ours(self, key: str) -> Rows:
        """The rows as one of our models takes them; `Fit.turned_back` undoes it."""
        if self.turned is None or CONTENDERS[key].role != "ours":
            return self
        return replace(self, X=self.X * self.turned)

    @property
    def weight(self) -> np.ndarray | None:
        return compute_sample_weight("balanced", self.y) if self.balanced else None

    @property
    def signs(self) -> list[np.ndarray]:
        """The ±1 targets of the one-vs-rest problems; two classes have one."""
        places = [1] if self.n_classes == 2 else range(self.n_classes)
        return [np.where(self.y == place, 1.0, -1.0) for place in places]


@dataclass(frozen=True, eq=False)
class Fit:
    """Weights (problems × features) and intercepts, or a model that has none (`other`)."""

    coef: np.ndarray
    intercept: np.ndarray
    gap: float | None = None
    converged: bool = True
    used: np.ndarray | None = None
    other: object = None
    exponential: bool = False

    def turned_back(self, rows: Rows, key: str) -> Fit:
        if rows.turned is None or CONTENDERS[key].role != "ours":
            return self
        return replace(self, coef=self.coef * rows.turned)

    def decision(self, X: np.ndarray) -> np.ndarray:
        """Scores of classes (one column for two of them), or predicted numbers."""
        if self.other is not None:
            return self.other(X)
        scores = X @ self.coef.T + self.intercept
        if self.exponential:
            scores = np.exp(np.minimum(scores, MOST_LOG))
        return scores[:, 0] if scores.shape[1] == 1 else scores

    @property
    def selected(self) -> np.ndarray:
        return selected_features(self.coef) if self.used is None else self.used


def selected_features(coef: np.ndarray) -> np.ndarray:
    """Which features count, in any of the problems.

    A class that no plane tells from the rest has weights of 0, of which solvers leave dust.
    """
    size = np.abs(coef)
    largest = size.max(axis=1, keepdims=True)
    decides = largest > SELECTED_SHARE * largest.max()
    return ((size > SELECTED_SHARE * largest) & decides).any(axis=0)


# -- grids -----------------------------------------------------------------------------------

_ABSOLUTE: Mapping[str, Grid] = {
    "svm": {"alpha": (1000.0, 100.0, 10.0, 1.0, 0.1)},
    "sparse_svm": {"lam": (100.0, 30.0, 10.0, 3.0, 1.0, 0.3)},
    "logistic_l1": {"lam": (100.0, 30.0, 10.0, 3.0, 1.0, 0.3)},
    "majority": {},
    "mean": {},
    "forest": {},
}
# Kong's selection by λ₀, as ours; the SVM that follows it on a few features as SVM. From 100 λ₀ on
# every group keeps one feature whatever λ is, and weights shrink until any tolerance is too loose.
KONG_SHARES, KONG_ALPHAS = (100.0, 10.0, 1.0, 0.1, 0.01), (10.0, 1.0, 0.1)
BOUNDED = {"kong": ("lam",)}
STRENGTH_NAMES = {
    **{key: tuple(grid) for key, grid in _ABSOLUTE.items()},
    **dict.fromkeys(("esvm", "esvm_r"), ("beta", "alpha")),
    **dict.fromkeys(("logistic", "lasso_e", "huber_e", "poisson_e"), ("lam",)),
    **dict.fromkeys(("ridge", "lasso", "elastic_net"), ("lam",)),
    "group_lasso": ("lam",),
    "kong": ("lam", "alpha"),
    "covariates": (),
}


def grid_of(key: str, rows: Rows) -> Grid:
    """The strengths to try on these rows, each axis from strong to weak."""
    if key in _ABSOLUTE:
        return _ABSOLUTE[key]
    rows = rows.as_ours(key)
    options = {"fit_intercept": True, "sample_weight": rows.weight}
    if CONTENDERS[key].role == "ours":
        options |= rows.options
    if key in ("esvm", "esvm_r"):
        scales = [svm_scales(rows.X, sign, rows.groups, **options) for sign in rows.signs]
        alpha, beta = np.max(scales, axis=0)
        return {
            "beta": tuple(float(share * beta) for share in SHARES),
            "alpha": (float(ALPHA_SHARE * alpha),),
        }
    if key in ("logistic", "kong", "lasso_e", "huber_e", "poisson_e"):
        targets = rows.signs if rows.n_classes else [rows.y]
        largest = max(lambda_0(rows.X, target, rows.groups, **options) for target in targets)
        # The curvature of Poisson's loss is the mean, where that of least squares is 1.
        largest *= float(np.mean(rows.y)) if key == "poisson_e" else 1.0
    else:
        norm = {"ridge": "ridge", "group_lasso": "group"}.get(key, "lasso")
        groups = rows.groups if norm == "group" else Groups.contiguous(rows.X.shape[1], 1)
        largest = largest_useful_lam(norm, rows.X, rows.y, groups, fit_intercept=True)
        largest *= 0.1 if norm == "ridge" else 2.0 if key == "elastic_net" else 1.0
    shares = KONG_SHARES if key == "kong" else SHARES
    lams = tuple(float(share * largest) for share in shares)
    return {"lam": lams} | ({"alpha": KONG_ALPHAS} if key == "kong" else {})


# -- one fit, in full ------------------------------------------------------------------------


def fit_final(key: str, rows: Rows, point: Point, tol: float = 1e-4) -> Fit:
    """A contender at its strengths, as `solvers` and scikit-learn fit it by themselves.

    `tol` is scikit-learn's, where that fits it; what Kong's first stage selects is told by weights
    of a thousandth, which that would blur.
    """
    build = _NUMBER_MODELS.get(key) if rows.n_classes == 0 else _CLASS_MODELS.get(key)
    if build is not None:
        return build(rows.as_ours(key), point).turned_back(rows, key)
    with warnings.catch_warnings(record=True, action="always") as caught:
        model = make_classifier(
            key,
            **({"groups": rows.groups} if CONTENDERS[key].grouped else {}),
            random_state=rows.seed,
            tol=TOLERANCE if key == "kong" else tol,
            **point,
        ).fit(rows.X, rows.y, sample_weight=rows.weight)
    missed = any(issubclass(each.category, ConvergenceWarning) for each in caught)
    return Fit(np.array(model.coef_), np.array(model.intercept_), None, not missed)


def _estimator(kind: Callable) -> Callable[[Rows, Point], Fit]:
    def fit(rows: Rows, point: Point) -> Fit:
        weight = {} if rows.n_classes == 0 else {"sample_weight": rows.weight}
        # No filter on its warnings: threads share them, and what is missed its own gap says.
        model = kind(
            **point, groups=rows.groups, tol=TOLERANCE, random_state=rows.seed, **rows.options
        ).fit(rows.X, rows.y, **weight)
        gap = float(model.dual_gap_)
        coef = np.atleast_2d(np.array(model.coef_))
        intercept = np.atleast_1d(np.array(model.intercept_))
        counts = kind is ExclusivePoisson
        return Fit(coef, intercept, gap, gap <= TOLERANCE, exponential=counts)

    return fit


def huber_delta(y: np.ndarray) -> float:
    """From here on a residual counts by its size: 1.35 deviations of y, told by their median."""
    spread = 1.4826 * float(np.median(np.abs(y - np.median(y))))
    return 1.35 * (spread or float(np.std(y)) or 1.0)


def _huber(rows: Rows, point: Point) -> Fit:
    delta, options = huber_delta(rows.y), dict(tol=TOLERANCE, fit_intercept=True, **rows.options)
    found = solve_huber(rows.X, rows.y, rows.groups, point["lam"], delta=delta, **options)
    return Fit(found.w[None, :], np.array([found.intercept]), found.gap, found.gap <= TOLERANCE)


def _norm(key: str) -> Callable[[Rows, Point], Fit]:
    def fit(rows: Rows, point: Point) -> Fit:
        groups = rows.groups if key == "group" else Groups.contiguous(rows.X.shape[1], 1)
        found = fit_norm(key, rows.X, rows.y, groups, point["lam"], fit_intercept=True, tol=1e-5)
        return Fit(found.w[None, :], np.array([found.intercept]), None, found.gap <= 1e-4)

    return fit


def _elastic_net(rows: Rows, point: Point) -> Fit:
    """½‖y − Xw − b‖² + λ(½‖w‖₁ + ¼‖w‖²), half of each norm, by scikit-learn."""
    model = ElasticNet(alpha=point["lam"] / len(rows.y), l1_ratio=0.5, max_iter=5_000)
    with warnings.catch_warnings(record=True, action="always") as caught:
        model.fit(rows.X, rows.y)
    missed = any(issubclass(each.category, ConvergenceWarning) for each in caught)
    return Fit(model.coef_[None, :], np.array([model.intercept_]), None, not missed)


def _forest(rows: Rows, point: Point) -> Fit:
    n_features = rows.X.shape[1]
    if rows.n_classes == 0:
        model = RandomForestRegressor(TREES, random_state=rows.seed).fit(rows.X, rows.y)
        predict = model.predict
    else:
        model = RandomForestClassifier(TREES, random_state=rows.seed)
        model.fit(rows.X, rows.y, sample_weight=rows.weight)

        def predict(X):
            # A class that a fold does not train on has no column of its own.
            chances = np.zeros((len(X), rows.n_classes))
            chances[:, model.classes_] = model.predict_proba(X)
            return chances[:, 1] - 0.5 if rows.n_classes == 2 else chances

    used = model.feature_importances_ > 0.0
    return Fit(np.zeros((1, n_features)), np.zeros(1), used=used, other=predict)


def _constant(rows: Rows, point: Point) -> Fit:
    """The largest class, or the mean: what a model without features says."""
    n_features = rows.X.shape[1]
    if rows.n_classes == 0:
        return Fit(np.zeros((1, n_features)), np.array([float(np.mean(rows.y))]))
    counts = np.bincount(rows.y, minlength=rows.n_classes)
    winner = np.zeros(rows.n_classes)
    winner[int(np.argmax(counts))] = 1.0
    if rows.n_classes == 2:
        return Fit(np.zeros((1, n_features)), np.array([winner[1] - winner[0]]))
    return Fit(np.zeros((rows.n_classes, n_features)), winner)


_CLASS_MODELS: Mapping[str, Callable[[Rows, Point], Fit]] = {
    "esvm": _estimator(ExclusiveSVC),
    "esvm_r": _estimator(ExclusiveSVC),
    "logistic": _estimator(ExclusiveLogistic),
    "forest": _forest,
    "majority": _constant,
}
_NUMBER_MODELS: Mapping[str, Callable[[Rows, Point], Fit]] = {
    "lasso_e": _estimator(ExclusiveLasso),
    "huber_e": _huber,
    "poisson_e": _estimator(ExclusivePoisson),
    "ridge": _norm("ridge"),
    "lasso": _norm("lasso"),
    "group_lasso": _norm("group"),
    "elastic_net": _elastic_net,
    "forest": _forest,
    "mean": _constant,
}
