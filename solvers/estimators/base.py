"""What all estimators share: groups, samples in one order, certified solves."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Integral
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from ..groups import Groups
from ..large.arrays import is_dask
from ..method import Method
from ..path import Path
from ..problems import Problem
from ..registry import choose
from ..result import Result
from ..scales import default_n_groups
from ..tracking import solve
from ..types import GroupsLike
from ..validation import as_positive, as_weights, without_zero_weights

RandomState = int | np.random.RandomState | None


@dataclass(kw_only=True, eq=False, repr=False)
class Exclusive(BaseEstimator):
    """Groups, data and certified solves of the problem that a subclass names.

    What every estimator takes is written here; `__init__` is made from it and from what a subclass
    adds, with the explicit signature that scikit-learn reads, and stores it untouched.
    """

    groups: GroupsLike | int | None = None
    fit_intercept: bool = True
    method: str = "auto"
    tol: float = 1e-4
    max_iter: int | None = None
    positive: bool | ArrayLike = False
    feature_weight: ArrayLike | None = None
    group_weight: ArrayLike | None = None

    _problem: ClassVar[Callable[..., Problem]]
    _methods: ClassVar[Mapping[str, Method]]

    @property
    def penalty(self) -> str:
        """The kind of penalty: with "l1", `SelectFromModel` keeps all that is not 0."""
        return "l1"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _resolve_groups(self, X, weight) -> Groups:
        n_features = X.shape[1]
        spec = self.groups(X) if callable(self.groups) else self.groups
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
        elif columns is not None and isinstance(spec, Mapping):
            spec = _of_these(spec, columns)
        return Groups.resolve(spec, n_features, columns=columns, random_state=state)

    def _options(self, weight) -> dict:
        """What the problem takes besides data, groups and strengths."""
        return dict(
            fit_intercept=self.fit_intercept,
            sample_weight=weight,
            positive=self.positive,
            feature_weight=self.feature_weight,
            group_weight=self.group_weight,
        )

    def _solve(self, X, y, weight, *strengths, w0=None) -> Result:
        problem = self._problem(X, y, self.groups_, *strengths, **self._options(weight))
        return self._certified(problem, w0)

    def _refitted(self, X, y, weight, *strengths, w) -> Result | None:
        """The fit on the support of w at a millionth of the last strength; None where w = 0."""
        support = np.flatnonzero(w)
        if not support.size:
            return None
        groups, kept = self.groups_.restricted(support)
        options = self._options(weight)
        for name, part in (("positive", support), ("feature_weight", support)):
            if np.ndim(options[name]):
                options[name] = np.asarray(options[name])[part]
        if options["group_weight"] is not None:
            options["group_weight"] = np.asarray(options["group_weight"])[kept]
        *others, last = strengths
        problem = self._problem(X[:, support], y, groups, *others, _RELAXED * last, **options)
        result = self._certified(problem)
        full = np.zeros(X.shape[1])
        full[support] = result.w
        return replace(result, w=full)

    def _start(self, shape) -> np.ndarray | None:
        """The last fit's weights, where a fit may start from them."""
        if not getattr(self, "warm_start", False) or not hasattr(self, "coef_"):
            return None
        return self.coef_ if self.coef_.shape == shape else None

    def _certified(self, problem: Problem, w0=None) -> Result:
        method = choose(self._methods, self.method, problem)
        return solve(
            problem,
            method,
            tol=self.tol,
            max_iter=as_count(self.max_iter, method.max_iter),
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


def as_count(max_iter, default) -> int:
    if max_iter is None:
        return default
    if isinstance(max_iter, bool) or not isinstance(max_iter, Integral) or max_iter < 0:
        raise ValueError(f"max_iter must be a whole number of at least 0 or None, got {max_iter}.")
    return int(max_iter)


# Small enough to leave no shrinkage, large enough for a minimiser whatever the loss.
_RELAXED = 1e-6


def _of_these(mapping, columns) -> dict:
    """A mapping by column names that follows the columns: names that X lacks are left out."""
    names = set(columns)
    if mapping and all(map(_is_list, mapping.values())):
        kept = {
            group: [m for m in members if not isinstance(m, str) or m in names]
            for group, members in mapping.items()
        }
        return {group: members for group, members in kept.items() if members}
    return {name: label for name, label in mapping.items() if name in names}


def _is_list(value) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def checked_weights(sample_weight, n_samples) -> np.ndarray:
    if sample_weight is not None and not np.asarray(sample_weight).any():
        raise ValueError("all sample weights are zero; at least one sample must count.")
    return as_weights(sample_weight, n_samples)


def distinct_samples(X, y, weight, keys=None):
    """The samples of positive weight, each distinct (x, y) once, with its total weight

    In an order that depends on their contents only, because sums in another order round otherwise.
    `keys` are those of `sample_keys`, where they are known.
    """
    keys = sample_keys(X, y) if keys is None else keys
    if keys is not None:
        keys = keys[weight > 0.0]
    X, y, weight = without_zero_weights(X, y, weight)
    if keys is None:
        return X, y, weight
    # Bytes in Python's own order: an array of them would lose trailing zeros.
    places = {key: k for k, key in enumerate(sorted(set(keys)))}
    copies = np.array([places[key] for key in keys])
    first = np.unique(copies, return_index=True)[1]
    return X[first], y[first], np.bincount(copies, weights=weight)


def sample_keys(X, y) -> np.ndarray | None:
    """Bytes that tell each sample (x, y) from those of other contents

    None of a Dask array, where to tell repeated rows would take a pass and more.
    """
    if is_dask(X):
        return None
    targets = np.asarray(y, dtype=float).reshape(X.shape[0], -1)
    keys: np.ndarray = np.empty(X.shape[0], dtype=object)
    for k, row in enumerate(_rows(X)):
        keys[k] = _digest(row, targets[k].tobytes())
    return keys


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


def _digest(row, label: bytes) -> bytes:
    digest = hashlib.blake2b(row, digest_size=16)
    digest.update(label)
    return digest.digest()


def grid(spec, name, largest, eps) -> np.ndarray:
    """Values in descending order: as given, or that many from `largest` down to eps·largest."""
    if isinstance(spec, Integral) and not isinstance(spec, bool):
        count = int(spec)
        if count < 1:
            raise ValueError(f"{name} must be at least 1 when it is a number of values.")
        eps = as_positive(eps, "eps")
        return np.geomspace(largest, eps * largest, count) if count > 1 else np.array([largest])
    if not isinstance(spec, Iterable):
        raise ValueError(f"{name} must be a number of values or a list of them, got {spec!r}.")
    values = np.sort(np.array([as_positive(value, name) for value in spec]))[::-1]
    if values.size == 0:
        raise ValueError(f"{name} is empty; give at least one value.")
    return values


class Point(NamedTuple):
    """One point of a path, with what the estimators read off a `Result`."""

    w: np.ndarray
    intercept: float
    gap: float
    n_iter: int
    converged: bool

    @property
    def message(self) -> str:
        return "the path's point missed the tolerance"


def points(path: Path) -> list[Point]:
    columns = path.coefs, path.intercepts, path.gaps, path.iterations, path.converged
    return [
        Point(w, float(b), float(gap), int(count), bool(good))
        for w, b, gap, count, good in zip(*columns, strict=True)
    ]


def one_by_one(solve_one, strengths) -> list[Result]:
    """A path by the method the user names: each solution starts the next."""
    results, start = [], None
    for strength in strengths:
        results.append(solve_one(strength, start))
        start = results[-1].w
    return results
