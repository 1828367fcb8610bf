"""How every method of a comparison chooses its strengths and is fitted: one protocol for all."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold

from lab.accuracy.protocol import ALPHAS, OTHERS, SETTINGS, TOLERANCE, Protocol
from lab.accuracy.shortcuts import RowSpace, l1_path, one_vs_rest
from solvers import ExclusiveSVCCV, Groups
from solvers.comparisons import CLASSIFIERS, StandardSVC, make_classifier
from solvers.scales import lambda_0, svm_scales


@dataclass(frozen=True)
class Fitted:
    """A fitted model and how it came about.

    `gap` is the final fit's certified relative gap, None for methods that give none. `missed`
    says whether any fit, inner ones included, warned that it did not converge.
    """

    model: object
    chosen: Mapping[str, float]
    inner_accuracy: float | None
    gap: float | None
    missed: bool
    seconds: float


def tune_and_fit(
    key: str,
    X,
    y,
    protocol: Protocol,
    *,
    groups,
    n_random_groups,
    fit_intercept,
    seed,
    strength: float | None = None,
) -> Fitted:
    """The model of one method, its strengths chosen on X and y alone.

    `groups` are the known ones, None if there are none. E-SVM(R), and without known groups Kong's
    selection too, draw `n_random_groups` groups from `seed`. A `strength` is the β of E-SVM in
    both forms, as a share of its scale 10β₀, and leaves them α alone to choose.
    """
    if key not in CLASSIFIERS:
        raise ValueError(f"there is no method {key!r}; choose one of: {', '.join(CLASSIFIERS)}.")
    drawn = Groups.random(X.shape[1], n_random_groups, seed)
    if key == "esvm_r" or (key == "kong" and groups is None):
        groups = drawn
    # Of this thread alone: what others do on the machine is not the method's time.
    started = time.thread_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", ConvergenceWarning)
        folds = inner_folds(y, protocol, seed)
        common = dict(fit_intercept=fit_intercept, tol=TOLERANCE, random_state=seed)
        if key in ("esvm", "esvm_r"):
            model, chosen, accuracy = _fit_exclusive(
                X, y, folds, protocol, groups, common, strength
            )
        elif key == "kong":
            model, chosen, accuracy = _fit_kong(X, y, folds, protocol, groups, common)
        else:
            model, chosen, accuracy = _fit_single(key, X, y, folds, protocol, common)
    return Fitted(
        model,
        chosen,
        accuracy,
        getattr(model, "dual_gap_", None),
        any(issubclass(each.category, ConvergenceWarning) for each in caught),
        time.thread_time() - started,
    )


def inner_folds(y, protocol: Protocol, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The same folds for every method; none where a class has a single sample."""
    smallest = int(np.unique(y, return_counts=True)[1].min())
    count = min(protocol.inner_folds, smallest)
    if count < 2:
        return []
    splitter = StratifiedKFold(count, shuffle=True, random_state=seed)
    return list(splitter.split(np.zeros(len(y)), y))


def grid(scale: float, count: int, protocol: Protocol) -> np.ndarray:
    """`count` strengths between the protocol's shares of `scale`, the strongest first."""
    return scale * np.geomspace(protocol.strongest, protocol.weakest, count)


def norm_grid(scale: float, protocol: Protocol) -> np.ndarray:
    """Strengths of the exclusive norm: a decade more, because 10 × its scale still selects."""
    return scale * np.geomspace(10.0 * protocol.strongest, protocol.weakest, OTHERS)


def accuracy_of(model, X, y) -> float:
    return float(np.mean(model.predict(X) == y))


def _fit_exclusive(X, y, folds, protocol, groups, common, strength=None):
    alpha, beta = _svm_scales(X, y, groups, common["fit_intercept"])
    alphas = grid(alpha, ALPHAS, protocol)
    betas = norm_grid(beta, protocol) if strength is None else np.array([10.0 * beta * strength])
    if not folds:
        model = make_classifier("esvm", groups=groups, alpha=alphas[0], beta=betas[0], **common)
        model.fit(X, y)
        return model, {"alpha": float(alphas[0]), "beta": float(betas[0])}, None
    search = ExclusiveSVCCV(alphas=alphas, betas=betas, cv=folds, groups=groups, **common)
    search.fit(X, y)
    # In the order β, α: like the search itself, ties go by β first.
    means = np.nanmean(search.scores_, axis=2).T.reshape(-1, 1)
    best, accuracy = _best(means, protocol)
    chosen = {"alpha": float(alphas[best % ALPHAS]), "beta": float(betas[best // ALPHAS])}
    if chosen == {"alpha": search.alpha_, "beta": search.beta_}:
        return search, chosen, accuracy
    model = make_classifier("esvm", groups=groups, **chosen, **common).fit(X, y)
    return model, chosen, accuracy


def _fit_single(key, X, y, folds, protocol, common):
    """Methods with one strength."""
    (name,) = CLASSIFIERS[key].strengths
    values = grid(_single_scale(key, X, y, common["fit_intercept"]), SETTINGS, protocol)
    path = _svm_path if key == "svm" else partial(l1_path, key)
    scores = np.zeros((values.size if folds else 0, len(folds)))
    for column, (train, test) in enumerate(folds):
        models = path(X[train], y[train], values, **common)
        scores[:, column] = [accuracy_of(model, X[test], y[test]) for model in models]
    best, accuracy = _best(scores, protocol)
    model = make_classifier(key, **{name: values[best]}, **common).fit(X, y)
    return model, {name: float(values[best])}, accuracy


def _svm_path(X, y, alphas, **common):
    """A plain SVM for every α."""
    space = RowSpace(X)
    for alpha in alphas:
        yield space.widened(StandardSVC(alpha, **common).fit(space.samples, y))


def _fit_kong(X, y, folds, protocol, groups, common):
    """The selection is shared by the α of one λ, because it does not depend on them."""
    scales = [
        lambda_0(X, target, groups, fit_intercept=common["fit_intercept"])
        for target in one_vs_rest(y)
    ]
    lams = norm_grid(max(scales), protocol)
    alpha, _ = _svm_scales(X, y, groups, common["fit_intercept"])
    alphas = grid(alpha, ALPHAS, protocol)
    settings = [(lam, alpha) for lam in lams for alpha in alphas]
    scores = np.zeros((len(settings) if folds else 0, len(folds)))
    for column, (train, test) in enumerate(folds):
        inner, outer = X[train], X[test]
        for row, lam in enumerate(lams):
            kong = make_classifier("kong", groups=groups, lam=lam, **common)
            selected = kong.select(inner, y[train])
            models = _svm_path(inner[:, selected], y[train], alphas, **common)
            scores[row * ALPHAS : (row + 1) * ALPHAS, column] = [
                accuracy_of(model, outer[:, selected], y[test]) for model in models
            ]
    best, accuracy = _best(scores, protocol)
    lam, alpha = settings[best]
    model = make_classifier("kong", groups=groups, lam=lam, alpha=alpha, **common).fit(X, y)
    return model, {"lam": float(lam), "alpha": float(alpha)}, accuracy


def _best(scores: np.ndarray, protocol: Protocol) -> tuple[int, float | None]:
    """Of the best rows, sorted from the strongest, the one that wins ties; else the strongest."""
    if scores.size == 0:
        return 0, None
    means = scores.mean(axis=1)
    ties = np.flatnonzero(means >= means.max() - 1e-12)
    best = int(ties[0] if protocol.ties == "strongest" else ties[-1])
    return best, float(means[best])


def _svm_scales(X, y, groups, fit_intercept) -> tuple[float, float]:
    scales = [
        svm_scales(X, target, groups, fit_intercept=fit_intercept) for target in one_vs_rest(y)
    ]
    alpha, beta = np.max(scales, axis=0)
    return float(alpha), float(beta)


def _single_scale(key, X, y, fit_intercept) -> float:
    if key == "svm":
        return _svm_scales(X, y, Groups.contiguous(X.shape[1], 1), fit_intercept)[0]
    # Where the gradient of the loss at w = 0 fits into λ: 2 for the squared hinge, ½ for logistic.
    slope = 2.0 if key == "sparse_svm" else 0.5
    largest = 0.0
    for target in one_vs_rest(y):
        share = np.where(target > 0, np.mean(target < 0), np.mean(target > 0))
        weights = 2.0 * share * target if fit_intercept else target
        largest = max(largest, float(np.abs(np.asarray(weights @ X)).max()))
    return slope * largest or 1.0
