"""Stability selection: which features are chosen whatever the groups drawn and the half sampled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike
from sklearn.base import clone, is_classifier
from sklearn.utils import check_random_state

from ..groups import Groups
from ..large.arrays import is_dask
from ..scales import default_n_groups
from ..threads import one_thread
from ..types import Matrix
from .base import RandomState
from .data import rows_of

GROUPINGS = ("random", "fixed")


@dataclass(frozen=True)
class Stability:
    """How often each feature was chosen, and which were chosen often enough

    Attributes
    ----------
    probability : array of n_features numbers
        The share of the fits in which the feature had a weight other than 0.
    selected : array of bools
        Which features reached the threshold.
    expected_false : float
        A bound on the expected number of false features among them, or nan where none holds.
    mean_selected : float
        q, how many features a fit chose on average.
    threshold : float
        τ, the share that was asked for.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import ExclusiveLasso, stability_selection
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 20))
    >>> y = X[:, 0] - X[:, 10] + 0.1 * rng.standard_normal(80)
    >>> model = ExclusiveLasso(lam=100.0, groups=4)
    >>> found = stability_selection(model, X, y, n_draws=20, threshold=0.9, random_state=0)
    >>> np.flatnonzero(found.selected).tolist()
    [0, 10]
    """

    probability: np.ndarray
    selected: np.ndarray
    expected_false: float
    mean_selected: float
    threshold: float


def stability_selection(
    estimator: Any,
    X: Matrix,
    y: ArrayLike,
    n_draws: int = 50,
    groupings: str = "random",
    threshold: float = 0.6,
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> Stability:
    """Features that keep being chosen over draws of the groups and of half the samples

    With random groups a fit depends on the draw. Each of `n_draws` fits sees half of the samples,
    in complementary pairs (Shah & Samworth 2013), and with "random" its own draw of the groups.
    The share of fits that choose a feature is its probability; with q features chosen on average, a
    threshold τ > ½ and n features,

        E[number of false features selected] ≤ q²/((2τ − 1)n)

    (Meinshausen & Bühlmann 2010). That bound *assumes* that the false features are exchangeable,
    that is, as likely to be chosen as each other, and that a fit is no worse than guessing; it is
    not a certificate, and correlated features break the first assumption.

    Parameters
    ----------
    estimator : an estimator of this package
        What is fitted, such as `ExclusiveLasso(lam=10.0, groups=20)`. Its strengths are not chosen
        here.
    X : array, data frame or scipy sparse matrix, n_samples × n_features
        The data.
    y : array of n_samples numbers or classes
        What is predicted; halves have the classes in equal shares.
    n_draws : int
        How many fits, rounded up to an even number.
    groupings : str
        "random" draws as many groups as the estimator has anew for every fit, "fixed" keeps its
        groups, drawn once where they are a number.
    threshold : float
        τ, the share of fits from which a feature counts as selected.
    random_state : int, RandomState or None
        Draws groups and halves.
    n_jobs : int, optional
        How many fits at a time, in processes of their own; it changes no result.

    Returns
    -------
    Stability
        Probabilities, the features selected, and the bound.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import ExclusiveLasso, stability_selection
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 20))
    >>> y = X[:, 0] - X[:, 10] + 0.1 * rng.standard_normal(80)
    >>> model = ExclusiveLasso(lam=100.0, groups=4)
    >>> found = stability_selection(model, X, y, n_draws=20, random_state=0)
    >>> bool(found.probability[[0, 10]].min() > 0.9)
    True
    """
    if groupings not in GROUPINGS:
        raise ValueError(
            f"there is no grouping {groupings!r}; choose one of: {', '.join(GROUPINGS)}."
        )
    if not 0.0 < threshold <= 1.0:
        raise ValueError(f"threshold must lie between 0 and 1, got {threshold}.")
    if n_draws < 2:
        raise ValueError(f"n_draws must be at least 2, a pair of halves, got {n_draws}.")
    y = np.asarray(y)
    seed = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    draws = list(_draws(estimator, X, y, (int(n_draws) + 1) // 2, groupings, seed))
    # Every pass over a Dask array keeps the whole cluster busy by itself.
    chosen = Parallel(n_jobs=None if is_dask(X) else n_jobs)(
        delayed(_chosen)(estimator, X, y, *draw) for draw in draws
    )
    counts = np.array(chosen, dtype=float)
    probability = counts.mean(axis=0)
    mean_selected = float(counts.sum(axis=1).mean())
    expected = np.nan
    if threshold > 0.5:
        expected = mean_selected**2 / ((2.0 * threshold - 1.0) * probability.size)
    return Stability(
        probability, probability >= threshold, float(expected), mean_selected, float(threshold)
    )


def _draws(estimator, X, y, n_pairs, groupings, seed):
    """(rows, groups, seed) of every fit: two halves of one permutation after the other."""
    n_features = X.shape[1]
    spec = estimator.groups
    if spec is None:
        spec = default_n_groups(n_features, len(y) // 2)
    columns = getattr(X, "columns", None)
    fixed = Groups.resolve(spec, n_features, columns=columns, random_state=seed)
    for child in np.random.SeedSequence(seed).spawn(n_pairs):
        rng = np.random.default_rng(child)
        for rows in _halves(y, is_classifier(estimator), rng):
            fit_seed = int(rng.integers(np.iinfo(np.int32).max))
            groups = fixed
            if groupings == "random":
                groups = Groups.random(n_features, fixed.n_groups, random_state=fit_seed)
            yield rows, groups, fit_seed


def _halves(y, by_class, rng) -> tuple[np.ndarray, np.ndarray]:
    """Complementary halves of the samples, of every class where there are classes."""
    parts = [np.flatnonzero(y == c) for c in np.unique(y)] if by_class else [np.arange(len(y))]
    first, second = [], []
    for part in parts:
        mixed = rng.permutation(part)
        half = len(mixed) // 2
        first.append(mixed[:half])
        second.append(mixed[half : 2 * half])
    return np.sort(np.concatenate(first)), np.sort(np.concatenate(second))


def _chosen(estimator, X, y, rows, groups, seed) -> np.ndarray:
    model = clone(estimator).set_params(groups=groups, random_state=seed)
    # One thread each whatever their number, so that it changes no digit.
    with one_thread():
        model.fit(rows_of(X, rows), y[rows])
    return np.any(np.atleast_2d(model.coef_) != 0.0, axis=0)
